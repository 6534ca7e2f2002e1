import Cameras
import Controller
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Synchronization

@testable import Host

/// A network namespace with only a loopback interface. The namespace ends with the test.
final class NetworkSpace: Sendable {
    private let holder: ChildProgram

    /// Whether this computer permits a namespace and has iproute2.
    static let isPossible: Bool = {
        let program = try? ChildProgram("/bin/sh", ["-c", "exec unshare -n ip link set lo up"])
        return program?.wait() == 0
    }()

    init() throws {
        holder = try ChildProgram("/bin/sh", ["-c", "exec unshare -n sleep 600"])
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
        while try FileManager.default.destinationOfSymbolicLink(atPath: path) == own {
            guard holder.isRunning else { throw SystemError(code: EIO) }
            poll(nil, 0, 5)
        }
        try run("ip link set lo up")
    }

    private var path: String { "/proc/\(holder.process)/ns/net" }

    /// Runs a shell command in the namespace.
    func run(_ command: String) throws {
        let program = try ChildProgram("/bin/sh", ["-c", "exec nsenter --net=\(path) /bin/sh -ec '\(command)'"])
        guard program.wait() == 0 else { throw Failure(command: command) }
    }

    /// Runs `ip` in the namespace, once with each of these arguments.
    func ip(_ commands: String...) throws {
        try run(commands.map { "ip \($0)" }.joined(separator: "; "))
    }

    /// Adds a cable with the ends `cam0` and `peer0`; `peer0` is up.
    func plugIn(address: String = "192.168.122.71/24") throws {
        try ip(
            "link add cam0 type veth peer name peer0",
            "link set peer0 up",
            "link set cam0 up",
            "address add \(address) dev cam0"
        )
    }

    struct Failure: Error { let command: String }

    /// Moves this thread to the namespace permanently.
    func enter() throws {
        typealias Call = @convention(c) (CInt, CInt) -> CInt
        // Swift's module of the C library does not have this function.
        guard let symbol = dlsym(nil, "setns") else { throw SystemError(code: ENOSYS) }
        let descriptor = try check { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        try check { unsafeBitCast(symbol, to: Call.self)(descriptor, 0) }
    }
}

/// A network watcher on a loop whose thread has its own network, and the watcher's reports.
final class WatchedNetwork: Sendable {
    private struct KernelReport {
        var snapshots: [NetworkSnapshot] = []
        var notes: [String] = []
    }

    /// Data that only the loop uses.
    private final class Box {
        var watcher: NetworkWatcher?
    }

    let space: NetworkSpace
    private let reported = Mutex(KernelReport())
    private let loop: any EventLoop
    private let box: NIOLoopBound<Box>
    /// The loop's thread, as a path in /proc.
    let thread: String

    /// - Parameter whenAsked: performed on the loop after the full query was sent and before its answer is read.
    init(
        _ space: NetworkSpace,
        receiveBufferSize: CInt = NetworkWatcher.usualReceiveBufferSize,
        whenAsked: @escaping @Sendable () -> Void = {}
    ) throws {
        self.space = space
        let begun = Mutex<(any EventLoop, NIOLoopBound<Box>, String)?>(nil)
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let task = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            guard let task, (try? space.enter()) != nil else {
                ready.signal()
                return
            }
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
                begun.withLock { $0 = (loop, NIOLoopBound(Box(), eventLoop: loop), task) }
                ready.signal()
            }
        }
        ready.wait()
        guard let (loop, box, thread) = begun.withLock({ $0 }) else { throw SystemError(code: EPERM) }
        (self.loop, self.box, self.thread) = (loop, box, thread)
        loop.execute { [self] in
            let watcher = NetworkWatcher(
                eventLoop: loop,
                receiveBufferSize: receiveBufferSize,
                onSnapshot: { [weak self] snapshot in self?.reported.withLock { $0.snapshots.append(snapshot) } },
                onNote: { [weak self] note in self?.reported.withLock { $0.notes.append(note) } }
            )
            watcher.start()
            // This task runs after the task that sends the query, because that task is due now.
            loop.scheduleTask(deadline: .now(), whenAsked)
            box.value.watcher = watcher
        }
    }

    func end() {
        loop.execute { [box] in
            box.value.watcher?.close()
            box.value.watcher = nil
        }
        loop.shutdownGracefully(queue: .global()) { _ in }
    }

    var snapshots: [NetworkSnapshot] { reported.withLock { $0.snapshots } }
    var notes: [String] { reported.withLock { $0.notes } }

    func perform<Value: Sendable>(_ body: @escaping @Sendable (NetworkWatcher) throws -> Value) throws -> Value {
        try loop.submit { [box] in
            guard let watcher = box.value.watcher else { throw SystemError(code: ESHUTDOWN) }
            return try body(watcher)
        }.wait()
    }

    func watch(_ host: String) throws {
        try perform { $0.watchRoute(CameraAddress(host: host)) }
    }

    /// Waits for a snapshot that matches. At the time limit it returns nil and reports the last snapshot.
    func until(_ isSo: (NetworkSnapshot) -> Bool) -> NetworkSnapshot? {
        let deadline = DispatchTime.now() + .seconds(10)
        while DispatchTime.now() < deadline {
            if let last = snapshots.last, isSo(last) { return last }
            poll(nil, 0, 2)
        }
        return nil
    }
}

extension NetworkSnapshot {
    func named(_ name: String) -> NetworkInterface? { interfaces.first { $0.name == name } }

    func isUp(_ name: String) -> Bool { named(name)?.isUp == true }

    func has(_ address: String, on name: String) -> Bool {
        named(name)?.addresses.contains { $0.address == IPAddress(address) } == true
    }

    /// The interface of the route, if any.
    var way: String? {
        guard case .found(let found) = route else { return nil }
        return interfaces.first { $0.index == found.interface }?.name
    }

    var obstacle: String? {
        if case .none(let reason) = route { reason } else { nil }
    }
}
