import Glibc
import Logging
import NIOCore
import Testing

@testable import Host

struct FlightFilesTests {
    /// A directory of recordings with a small limit for each file.
    private struct Fixture {
        let directory: TemporaryDirectory
        var files: FlightFiles
        let limits: FlightLimits

        init(_ directory: TemporaryDirectory, count: Int = 4, size: Int = 100, freeBytesMin: UInt64 = 0) {
            self.directory = directory
            limits = FlightLimits(fileCountMax: count, fileSize: size)
            files = FlightFiles(directory: directory.file("flight"), limits: limits, freeBytesMin: freeBytesMin)
        }

        mutating func append(_ count: Int, part: Int = 0) throws(FlightFailure) {
            try files.append(ByteBuffer(repeating: 7, count: count), part: part)
        }

        /// Simulates another run of the daemon, which writes `parts` files.
        mutating func run(parts: Int, of count: Int = 100) throws {
            files = FlightFiles(directory: directory.file("flight"), limits: limits, freeBytesMin: 0)
            for part in 0..<parts {
                try append(count, part: part)
                check()
            }
        }

        func check() {
            #expect(names.count <= limits.fileCountMax)
            #expect(byteCount <= limits.byteCountMax)
        }

        var names: [String] {
            guard let folder = try? Folder(path: directory.file("flight")) else { return [] }
            let names = (try? folder.names(countMax: 1000)) ?? []
            return names.filter { FlightName($0) != nil && folder.byteCount(of: $0) != nil }.sorted()
        }

        var byteCount: Int {
            let folder = try? Folder(path: directory.file("flight"))
            return names.reduce(0) { $0 + (folder?.byteCount(of: $1) ?? 0) }
        }
    }

    @Test func `recordings are readable by their owner only, and a run's parts are ordered by name`() throws {
        let directory = try TemporaryDirectory()
        var fixture = Fixture(directory)
        try fixture.append(10)
        try fixture.append(10)
        try fixture.append(5, part: 1)
        #expect(fixture.names == ["flight-000001-0000.rec", "flight-000001-0001.rec"])
        #expect(directory.mode(of: "flight") == 0o700)
        #expect(directory.mode(of: "flight/flight-000001-0000.rec") == 0o600)
        #expect(fixture.byteCount == 25)
        #expect(
            fixture.files.takeNotes() == [
                .init(
                    level: .info,
                    sentence: "The flight recorder writes to \(directory.file("flight"))/flight-000001-0000.rec."
                )
            ]
        )
        try fixture.run(parts: 1)
        #expect(fixture.names.last == "flight-000002-0000.rec")
    }

    @Test func `the oldest runs are removed first, each as a whole`() throws {
        var fixture = Fixture(try TemporaryDirectory())
        try fixture.run(parts: 3)
        try fixture.run(parts: 1)
        try fixture.run(parts: 1)
        #expect(fixture.names == ["flight-000002-0000.rec", "flight-000003-0000.rec"])
        #expect(fixture.files.takeNotes().map(\.level) == [.info])
    }

    @Test func `many starts never exceed the limits`() throws {
        var fixture = Fixture(try TemporaryDirectory())
        for run in 1...40 { try fixture.run(parts: 1 + run % 7, of: 30 + run * 2) }
        #expect(fixture.names.contains { $0.hasPrefix("flight-000040-") })
    }

    @Test func `a run that exceeds the limits loses its beginning, with one note`() throws {
        var fixture = Fixture(try TemporaryDirectory())
        try fixture.run(parts: 1)
        try fixture.run(parts: 9)
        #expect(fixture.names == (5...8).map { "flight-000002-000\($0).rec" })
        let notes = fixture.files.takeNotes()
        #expect(notes.map(\.level) == [.info, .warning])
        #expect(notes.last?.sentence.hasPrefix("This run alone fills the flight recorder. ") == true)
    }

    @Test func `one file is enough`() throws {
        var fixture = Fixture(try TemporaryDirectory(), count: 1)
        try fixture.run(parts: 3)
        try fixture.run(parts: 2)
        #expect(fixture.names == ["flight-000002-0001.rec"])
    }

    @Test func `the excess over a smaller limit is removed at the next start`() throws {
        let directory = try TemporaryDirectory()
        var fixture = Fixture(directory, count: 20)
        for _ in 0..<5 { try fixture.run(parts: 3) }
        var smaller = Fixture(directory, count: 5)
        try smaller.run(parts: 1)
        #expect(smaller.names.first == "flight-000005-0000.rec" && smaller.names.count == 4)
    }

    @Test func `records that are larger than all files are refused`() throws {
        var fixture = Fixture(try TemporaryDirectory(), count: 2, size: 100)
        try fixture.append(90)
        try fixture.append(110)
        #expect(throws: FlightFailure.self) { try fixture.append(1) }
        fixture.check()
        #expect(fixture.byteCount == 200)
    }

    @Test func `other files in the folder are not recordings`() throws {
        let directory = try TemporaryDirectory()
        var fixture = Fixture(directory, count: 1)
        try fixture.run(parts: 1)
        let others = [
            "flight-1-1.rec", "flight-000001-0000.rec~", "flight-000001-0000.txt", "notes",
            "flight-9999999999999-0000.rec", "flight--000001-0000.rec", "flight-+00001-0000.rec",
        ]
        for name in others { try directory.write("x", to: "flight/\(name)") }
        #expect(symlink("/etc/passwd", directory.file("flight/flight-000077-0000.rec")) == 0)
        try fixture.run(parts: 1)
        let names = try Folder(path: directory.file("flight")).names(countMax: 100).sorted()
        #expect(names == (others + ["flight-000002-0000.rec", "flight-000077-0000.rec"]).sorted())
    }

    @Test func `the ledger's reserve on the disk is not used`() throws {
        let directory = try TemporaryDirectory()
        var fixture = Fixture(directory, freeBytesMin: 1 << 60)
        let error = #expect(throws: FlightFailure.self) { try fixture.append(1) }
        #expect(error?.sentence.hasPrefix("The disk of \(directory.file("flight")) has less than ") == true)
        #expect(fixture.names == [])
    }

    @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk leaves whole records`() throws {
        let directory = try TemporaryDirectory()
        let disk = try SmallDisk(mountedAt: directory.path)
        var files = FlightFiles(
            directory: "\(disk.path)/flight",
            limits: FlightLimits(fileCountMax: 9, fileSize: 16_000_000),
            freeBytesMin: 0
        )
        var count = 0
        var failure: FlightFailure?
        while failure == nil, count < 100 {
            do throws(FlightFailure) {
                // The size of the write is no multiple of the disk's block size.
                try files.append(ByteBuffer(repeating: 7, count: 50_001), part: 0)
                count += 1
            } catch {
                failure = error
            }
        }
        let name = "flight-000001-0000.rec"
        #expect(failure?.sentence == "\(disk.path)/flight/\(name) cannot be written: No space left on device.")
        #expect(count > 10)
        #expect(try Folder(path: "\(disk.path)/flight").byteCount(of: name) == count * 50_001)
    }

    @Test func `an impossible folder is reported`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "flight")
        var fixture = Fixture(directory)
        let error = #expect(throws: FlightFailure.self) { try fixture.append(1) }
        #expect(error?.sentence == "\(directory.file("flight")) cannot be used: Not a directory.")
    }
}
