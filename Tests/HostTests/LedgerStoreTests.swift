import Controller
import Exposure
import Glibc
import Ledger
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Host

struct LedgerStoreTests {
    /// Blocks the disk's thread until the test opens the gate, like a disk that is slow or does not answer.
    private final class DiskGate: Sendable {
        private let pipe: (CInt, CInt)

        init() {
            var ends: [CInt] = [0, 0]
            Glibc.pipe(&ends)
            pipe = (ends[0], ends[1])
        }

        deinit {
            close(pipe.0)
            close(pipe.1)
        }

        func pass() {
            var byte: UInt8 = 0
            _ = read(pipe.0, &byte, 1)
        }

        func open() { _ = write(pipe.1, [1], 1) }
    }

    private final class Fixture: Sendable {
        let directory: TemporaryDirectory
        let news: AsyncStream<LedgerEvent>
        let store: LedgerStore
        private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

        /// - Parameter gate: blocks every commit; nil: no commit is blocked.
        init(gate: DiskGate? = nil) async throws {
            let directory = try TemporaryDirectory()
            let (news, continuation) = AsyncStream.makeStream(of: LedgerEvent.self)
            let loop = group.next()
            store = try await loop.submit {
                let clock = LedgerClock { (1_000_000, .seconds(10)) }
                let ledger = Ledger(directory: directory.path, clock: clock)
                return LedgerStore(
                    perform: { effect in
                        if case .commit = effect { gate?.pass() }
                        return ledger.perform(effect)
                    },
                    eventLoop: loop
                ) { continuation.yield($0) }
            }.get()
            self.directory = directory
            self.news = news
        }

        deinit { try? group.syncShutdownGracefully() }

        func perform(_ effects: LedgerEffect...) async throws {
            try await group.next().submit { [store] in for effect in effects { store.perform(effect) } }.get()
        }

        func close() async throws { try await group.next().submit { [store] in store.close() }.get() }

        func next() async -> LedgerEvent? {
            for await news in news { return news }
            return nil
        }

        /// The shoots in the file, read through another connection.
        func shoots() throws -> [Int] {
            let ledger = Ledger(directory: directory.path, clock: LedgerClock { (0, .zero) })
            defer { ledger.close() }
            _ = try ledger.open()
            guard case .shoots(let shoots) = ledger.read(.shoots(limit: 10, before: nil)) else { return [] }
            return shoots.map(\.shoot.id)
        }
    }

    private static func commit(_ id: Int) throws -> LedgerEffect {
        var rows = LedgerRows()
        rows.shoots[id] = ShootRow(
            id: id,
            request: try PlanRequest(),
            headline: "p",
            cameraID: "c",
            cameraName: "n",
            began: .clock(.seconds(9))
        )
        return .commit(LedgerCommit(rows: rows, isDurable: true))
    }

    private static let request = RequestID(rawValue: 5)

    @Test func `effects are performed and answered in order`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(.open, Self.commit(1))
        #expect(await fixture.next() == .opened(LedgerContents()))
        #expect(await fixture.next() == .committed)
        try await fixture.perform(.read(Self.request, .shoot(1)), .read(Self.request, .shoot(2)))
        guard case .read(Self.request, .shoot(let row, [])) = await fixture.next() else {
            Issue.record("no shoot")
            return
        }
        // The time is one second before the present time.
        #expect(row.began == .wall(milliseconds: 999_000))
        #expect(await fixture.next() == .read(Self.request, .noShoot(2)))
        try await fixture.perform(Self.commit(2))
        #expect(await fixture.next() == .committed)
        try await fixture.close()
        #expect(fixture.store.finish(within: .seconds(20)))
        #expect(try fixture.shoots() == [2, 1])
    }

    @Test func `a ledger that cannot be opened is reported, and so is each commit after it`() async throws {
        let fixture = try await Fixture()
        mkdir(fixture.directory.file("ledger.sqlite"), 0o700)
        try await fixture.perform(.open, Self.commit(1), .read(Self.request, .shoot(1)))
        let path = fixture.directory.file("ledger.sqlite")
        let unavailable = "The ledger \(path) cannot be opened: it is not a regular file. Move it away."
        #expect(await fixture.next() == .unavailable(unavailable))
        #expect(await fixture.next() == .failed("The ledger \(path) cannot be written: it is not open."))
        let answer = LedgerAnswer.failed("The ledger \(path) cannot be read: it is not open.")
        #expect(await fixture.next() == .read(Self.request, answer))
        rmdir(path)
        try await fixture.perform(.open)
        #expect(await fixture.next() == .opened(LedgerContents()))
        try await fixture.close()
        #expect(fixture.store.finish(within: .seconds(20)))
    }

    @Test func `the loop never waits for a slow disk, and the end does`() async throws {
        let gate = DiskGate()
        let fixture = try await Fixture(gate: gate)
        try await fixture.perform(.open, Self.commit(1), Self.commit(2))
        // The loop still answers while the disk's thread waits.
        try await fixture.perform(.read(Self.request, .shoot(2)))
        #expect(await fixture.next() == .opened(LedgerContents()))
        gate.open()
        #expect(await fixture.next() == .committed)
        try await fixture.close()
        gate.open()
        #expect(fixture.store.finish(within: .seconds(20)))
        #expect(try fixture.shoots() == [2, 1])
    }

    @Test func `a commit waits for no query, and excess queries are refused`() async throws {
        let gate = DiskGate()
        let fixture = try await Fixture(gate: gate)
        try await fixture.perform(.open)
        #expect(await fixture.next() == .opened(LedgerContents()))
        // This commit blocks at the gate. The thread takes it before any query.
        try await fixture.perform(Self.commit(1))
        for number: UInt64 in 0..<200 { try await fixture.perform(.read(RequestID(rawValue: number), .shoot(2))) }
        try await fixture.perform(Self.commit(2))
        let sentence =
            "The ledger's disk is too slow: 32 requests wait for it. Try again later."
        for number: UInt64 in 32..<200 {
            #expect(await fixture.next() == .read(RequestID(rawValue: number), .failed(sentence)))
        }
        gate.open()
        gate.open()
        #expect(await fixture.next() == .committed)
        #expect(await fixture.next() == .committed)
        for number: UInt64 in 0..<32 {
            guard case .read(let id, _) = await fixture.next(), id.rawValue == number else {
                Issue.record("read \(number) is not answered in its turn")
                return
            }
        }
        try await fixture.close()
        #expect(fixture.store.finish(within: .seconds(20)))
    }

    @Test func `a disk that hangs forever does not delay the end beyond its limit`() async throws {
        let gate = DiskGate()
        let fixture = try await Fixture(gate: gate)
        try await fixture.perform(.open, Self.commit(1))
        #expect(await fixture.next() == .opened(LedgerContents()))
        try await fixture.close()
        #expect(!fixture.store.finish(within: .milliseconds(20)))
        gate.open()
    }

    @Test func `an unused store makes no file`() async throws {
        let fixture = try await Fixture()
        try await fixture.close()
        #expect(fixture.store.finish(within: .seconds(20)))
        #expect(fixture.directory.names == [])
    }

    // MARK: Real disks and kills

    /// The output lines of `ledgerload`.
    private static func lines(_ directory: TemporaryDirectory) -> [Substring] {
        (directory.read("out") ?? "").split(separator: "\n")
    }

    private static func load(_ directory: TemporaryDirectory, count: Int) throws -> ChildProgram {
        let program = "\(ChildProgram.folder)/ledgerload"
        unlink(directory.file("out"))
        return try ChildProgram(
            "/bin/sh",
            ["-c", "exec \(program) \(directory.file("state")) \(count) >\(directory.file("out"))"]
        )
    }

    @Test func `every confirmed commit survives kill -9, and the one in progress is complete or absent`() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.file("state"), 0o700)
        var taken = 0
        for round in 1...25 {
            let program = try Self.load(directory, count: 1_000_000)
            // The test reads the file while the program writes it, until enough lines are complete.
            while Self.lines(directory).count < 2 + round * 7 % 40 { try #require(program.isRunning) }
            program.kill()
            let lines = Self.lines(directory)
            let found = try #require(lines.first?.split(separator: " ").last.flatMap { Int($0) })
            #expect(found == taken || found == taken + 1, "round \(round)")
            let last = try #require(directory.read("out")?.last == "\n" ? lines.last : lines.dropLast().last)
            taken = try #require(Int(last)) + 1
        }
        let program = try Self.load(directory, count: 0)
        #expect(program.wait() == 0)
        let lines = Self.lines(directory)
        #expect(lines == ["found \(taken)"] || lines == ["found \(taken + 1)"])
        #expect(!directory.read("out")!.contains("notice"))
    }

    private static let canTrace: Bool = {
        let command = "strace -f -o /dev/null -e trace=fdatasync true"
        return (try? ChildProgram("/bin/sh", ["-c", "exec \(command)"]))?.wait() == 0
    }()

    @Test(.enabled(if: canTrace))
    func `each durable commit is synced before it is confirmed, and no other is`() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.file("state"), 0o700)
        let command =
            "exec strace -f -o \(directory.file("trace")) -e trace=fsync,fdatasync,write "
            + "\(ChildProgram.folder)/ledgerload \(directory.file("state")) 40"
        #expect(try ChildProgram("/bin/sh", ["-c", command]).wait() == 0)
        // Each element is the number of syncs since the previous commit.
        var syncs: [Int] = []
        var count = 0
        for line in (directory.read("trace") ?? "").split(separator: "\n") {
            if line.contains(" fsync(") || line.contains(" fdatasync(") { count += 1 }
            if line.contains(" write(1, \"") { (syncs, count) = (syncs + [count], 0) }
        }
        // Every second commit is durable. The ledger was created before the first one.
        #expect(syncs.dropFirst().map { $0 > 0 } == (0..<40).map { $0.isMultiple(of: 2) })
    }

    /// Runs a script with a disk of 1 MiB at `$disk` and the program `$load`.
    private func run(_ script: String, in directory: TemporaryDirectory) throws -> [Substring] {
        let disk = directory.file("disk")
        mkdir(disk, 0o700)
        try directory.write("disk=\(disk)\nload=\(ChildProgram.folder)/ledgerload\n\(script)\n", to: "script")
        let last = "exec /bin/sh \(directory.file("script")) >\(directory.file("out")) 2>&1"
        let program = try ChildProgram("/bin/sh", ["-c", "exec \(SmallDisk.command(at: disk, then: last))"])
        _ = program.wait()
        return Self.lines(directory)
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `a full disk refuses commits with a sentence, keeps earlier ones, and later accepts them`() throws {
        let directory = try TemporaryDirectory()
        let lines = try run(
            "head -c 900000 /dev/zero >$disk/filler; $load $disk 150; $load $disk 0",
            in: directory
        )
        let refused = lines.filter { $0.hasPrefix("refused") }
        let path = directory.file("disk/ledger.sqlite")
        #expect(refused == ["refused The ledger \(path) cannot be written: the disk is full. Free some space there."])
        #expect(lines.first == "found 0")
        #expect(lines.filter { Int($0) != nil }.compactMap { Int($0) } == Array(0..<150))
        #expect(lines.last == "found 150")
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `a disk that is full from the beginning, or read-only, makes no ledger and says why`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("disk/ledger.sqlite")
        let lines = try run(
            """
            head -c 2000000 /dev/zero >$disk/filler 2>/dev/null; $load $disk 0; rm $disk/filler
            $load $disk 3; mount -o remount,ro $disk; $load $disk 3; mount -o remount,rw $disk; $load $disk 0
            """,
            in: directory
        )
        #expect(
            lines == [
                "unavailable The ledger \(path) cannot be opened: the disk is full. Free some space there.",
                "found 0", "0", "1", "2",
                """
                unavailable The ledger \(path) cannot be written: Read-only file system. Make it writable for \
                bracketd, or set another directory under [storage].
                """,
                "found 3",
            ]
        )
    }
}
