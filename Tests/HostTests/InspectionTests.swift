import Cameras
import Controller
import Dispatch
import Glibc
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import Host

/// Tests checks of given facts and checks of this computer.
struct InspectionTests {
    // MARK: Disks

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let plenty = DiskRoom(needed: 1, warningThreshold: 1)

    @Test func `a disk with room passes, also before the directory exists`() {
        let here = diskCheck("storage", directory.path, Self.plenty)
        #expect(here.result == .pass)
        #expect(here.sentence.hasPrefix("\(directory.path) has "))
        let later = diskCheck("storage", directory.file("a/b"), Self.plenty)
        #expect(later.result == .pass)
        #expect(later.sentence.hasSuffix(" free (the directory will be created)."))
    }

    @Test func `a disk with little room gives a warning, and one with too little fails`() {
        let little = diskCheck("storage", directory.path, DiskRoom(needed: 1, warningThreshold: .max))
        #expect(little.result == .warn)
        let none = diskCheck("storage", directory.path, DiskRoom(needed: .max, warningThreshold: .max))
        #expect(none.result == .fail)
        #expect(none.sentence.hasSuffix(" free, but 18.4 EB are needed."))
    }

    @Test func `a path through a file fails`() throws {
        try directory.write("", to: "file")
        let check = diskCheck("storage", directory.file("file/below"), Self.plenty)
        #expect(check.result == .fail)
        #expect(check.sentence == "\(directory.file("file/below")) cannot be checked: Not a directory.")
    }

    @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk fails`() throws {
        let disk = try SmallDisk(mountedAt: directory.path)
        #expect(diskCheck("storage", disk.path, Self.plenty).result == .pass)
        let file = open("\(disk.path)/filler", O_WRONLY | O_CREAT, 0o600)
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        while write(file, bytes, bytes.count) > 0 {}
        close(file)
        let check = diskCheck("storage", disk.path, .storage)
        #expect(check.result == .fail)
        #expect(check.sentence == "\(disk.path) has 0 B free, but 1.0 MB are needed.")
    }

    @Test(.enabled(if: SmallDisk.isPossible)) func `a read-only disk fails`() throws {
        let disk = try SmallDisk(mountedAt: directory.path, isReadOnly: true)
        let check = diskCheck("pictures", disk.path, Self.plenty)
        #expect(check.result == .fail)
        #expect(check.sentence == "The disk of \(disk.path) is read-only.")
    }

    // MARK: Network

    private static func address(_ interface: String, _ bytes: [UInt8], prefix: Int = 24) -> InterfaceAddress {
        InterfaceAddress(
            interface: interface,
            address: IPAddress(bytes: bytes),
            prefixLength: prefix,
            isLoopback: interface == "lo"
        )
    }

    private static let lo = address("lo", [127, 0, 0, 1], prefix: 8)
    private static let wlan = address("wlan0", [192, 168, 122, 5])
    private static let bare = address("eth0", [169, 254, 3, 4], prefix: 16)
    private static let camera = address("", [192, 168, 122, 1]).address

    @Test func `a camera in the network of an interface passes`() {
        let check = networkCheck([Self.lo, Self.wlan], .open(to: Self.camera, from: Self.wlan.address))
        let reachable = "The camera's address 192.168.122.1 is reachable on wlan0 (192.168.122.5)."
        #expect(check == Check("network", .pass, reachable))
    }

    @Test func `a camera behind a router gives a warning, because its own WiFi was not joined`() {
        let home = Self.address("eth0", [10, 0, 0, 7], prefix: 8)
        let check = networkCheck([Self.lo, home], .open(to: Self.camera, from: home.address))
        #expect(check.result == .warn)
        #expect(check.advice?.hasPrefix("Join the camera's WiFi") == true)
        // With 23 network bits, 192.168.123.x is a neighbour of 192.168.122.x. With 24 bits it is not.
        let neighbor = Self.address("", [192, 168, 123, 1]).address
        #expect(!Self.wlan.isNear(neighbor))
        #expect(Self.address("wlan0", [192, 168, 122, 5], prefix: 23).isNear(neighbor))
    }

    @Test func `no route to the camera fails, and names the interfaces that are up`() {
        let check = networkCheck([Self.lo, Self.bare], .none(to: "192.168.122.1", reason: "Network is unreachable"))
        #expect(check.result == .fail)
        #expect(
            check.sentence
                == "No interface has an address. "
                + "No route leads to the camera's address 192.168.122.1: Network is unreachable."
        )
        let unknown = networkCheck([Self.wlan], .unresolved(host: "camera", reason: "Name or service not known"))
        #expect(unknown.result == .fail)
        #expect(unknown.advice == "Set the camera's address under [camera].")
    }

    @Test func `without a camera's address only an interface is required`() {
        #expect(networkCheck([Self.lo, Self.wlan], .nowhere).result == .pass)
        #expect(networkCheck([Self.lo, Self.bare], .nowhere).result == .warn)
    }

    @Test func `this machine reaches itself`() throws {
        let route = CameraRoute.to(CameraAddress(host: "127.0.0.1", port: 15740))
        let own = IPAddress(bytes: [127, 0, 0, 1])
        #expect(route == .open(to: own, from: own))
        let addresses = NetworkReachability.present()
        let loopback = try #require(addresses.first { $0.address == own })
        #expect(loopback.isLoopback && loopback.prefixLength == 8)
        #expect(networkCheck(addresses, route).result == .pass)
    }

    // MARK: Clock, journal, service manager

    @Test func `a clock that cannot be right fails, and one without synchronization gives a warning`() {
        #expect(clockCheck(ClockState(isSynchronized: true, year: 1970)).result == .fail)
        #expect(clockCheck(ClockState(isSynchronized: false, year: 2026)).result == .warn)
        #expect(clockCheck(ClockState(isSynchronized: nil, year: 2026)).result == .skipped)
        #expect(clockCheck(ClockState(isSynchronized: true, year: 2026)).result == .pass)
        #expect(ClockState.present().year >= 2026)
    }

    @Test func `a journal that hangs fails, and a slow one gives a warning`() {
        func result(_ isJournald: Bool, _ isReachable: Bool, _ lost: Int) -> Check.Result {
            journalCheck(JournalState(isJournald: isJournald, isReachable: isReachable, lostTotal: lost)).result
        }
        #expect(result(true, true, 0) == .pass)
        #expect(result(true, false, 0) == .fail)
        #expect(result(false, false, 0) == .skipped)
        #expect(result(false, false, 2) == .warn)
    }

    @Test func `the watchdog's check has a result for active, starved, missing and no service manager`() {
        let eventLoop = EmbeddedEventLoop()
        #expect(ServiceManager(watchdogTimeout: nil, notify: { _ in }).watchdogCheck.result == .skipped)
        #expect(ServiceManager(watchdogTimeout: nil, isPresent: true, notify: { _ in }).watchdogCheck.result == .warn)
        var isAlive = true
        let manager = ServiceManager(watchdogTimeout: .seconds(10), isPresent: true, notify: { _ in })
        manager.startWatchdog(on: eventLoop, while: { isAlive })
        eventLoop.run()
        #expect(manager.watchdogCheck.result == .pass)
        #expect(manager.watchdogCheck.sentence == "The daemon sends a watchdog message every 2.5 seconds.")
        isAlive = false
        eventLoop.advanceTime(by: .seconds(5))
        #expect(manager.watchdogCheck.result == .fail)
        manager.stopWatchdog()
    }
}

/// Tests checks that never return.
struct InspectorTests {
    /// An inspector on a separate event loop. The test waits for each inspection.
    private final class Fixture: Sendable {
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        private let inspector: NIOLoopBoundBox<Inspector?>
        private let findings: AsyncStream<[Inspector.InspectionItem: Check]>
        private let found = Mutex(0)

        var count: Int { found.withLock { $0 } }

        init(_ inspections: [Inspector.InspectionItem: @Sendable () -> Check], timeMax: Duration) async throws {
            let (findings, continuation) = AsyncStream.makeStream(of: [Inspector.InspectionItem: Check].self)
            self.findings = findings
            inspector = .makeBoxSendingValue(nil, eventLoop: eventLoop)
            try await eventLoop.submit {
                self.inspector.value = Inspector(inspections: inspections, timeMax: timeMax, eventLoop: self.eventLoop)
                { found in
                    self.found.withLock { $0 += 1 }
                    continuation.yield(found)
                }
            }.get()
        }

        func begin() async throws { try await eventLoop.submit { self.inspector.value?.inspect() }.get() }
        func close() async throws { try await eventLoop.submit { self.inspector.value?.close() }.get() }

        func inspect() async throws -> [Inspector.InspectionItem: Check] {
            try await begin()
            for await found in findings { return found }
            return [:]
        }
    }

    @Test func `all checks are reported once the last one has ended`() async throws {
        let inspections: [Inspector.InspectionItem: @Sendable () -> Check] = [
            .clock: { Check("clock", .pass, "c") }, .network: { Check("network", .warn, "n") },
        ]
        let fixture = try await Fixture(inspections, timeMax: .seconds(600))
        for _ in 1...2 {
            let found = try await fixture.inspect()
            #expect(found.mapValues(\.result) == [.clock: .pass, .network: .warn])
        }
        #expect(fixture.count == 2)
    }

    @Test func `a check that hangs is reported, gets no second thread, and counts when it returns`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let counting = Counter()
        let fixture = try await Fixture(
            [
                .storage: {
                    counting.add()
                    gate.wait()
                    return Check("storage", .pass, "s")
                }
            ],
            timeMax: .milliseconds(10)
        )
        for _ in 1...2 {
            let check = try await fixture.inspect()[.storage]
            #expect(check?.result == .fail)
            #expect(check?.sentence == "No answer within 0.01 seconds.")
        }
        #expect(counting.value <= 1)
        gate.signal()
        gate.signal()
        for _ in 1...1000 where try await fixture.inspect()[.storage]?.result == .pass { return }
        Issue.record("it never came back")
    }

    @Test func `nothing is reported after the end`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let back = DispatchSemaphore(value: 0)
        let fixture = try await Fixture(
            [
                .storage: {
                    gate.wait()
                    defer { back.signal() }
                    return Check("storage", .pass, "s")
                }
            ],
            timeMax: .seconds(600)
        )
        try await fixture.begin()
        try await fixture.close()
        gate.signal()
        try await fixture.eventLoop.submit { _ = back.wait(timeout: .now() + 60) }.get()
        try await fixture.eventLoop.submit {}.get()
        #expect(fixture.count == 0)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }
}
