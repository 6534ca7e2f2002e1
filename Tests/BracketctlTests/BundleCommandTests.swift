import Controller
import Foundation
import Ledger
import Testing
import Varlink

@testable import bracketctl

/// A storage directory with a configuration, and the content of its bundles.
private final class BundleFixture {
    let folder: URL
    let bench = Bench()

    init(configuration: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "bundle-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("[storage]\ndirectory = \"\(path("state"))\"\n\(configuration)", to: "bracketd.toml")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// Packs a bundle, and unpacks it with the system's tar.
    ///
    /// - Returns: the exit status, and the directory that was in the bundle.
    func bundle(_ arguments: String..., against daemon: FakeDaemon? = nil) async throws -> (ProcessExit, Unpacked) {
        let socket = daemon?.path ?? "/nonexistent/socket"
        let arguments = ["bundle", "--output", path("b.tar.gz"), "--config", path("bracketd.toml")] + arguments
        let exit = await Bracketctl.run(arguments, in: bench.environment(socket: socket))
        return (exit, try Unpacked(path("b.tar.gz"), below: folder.appending(path: "unpacked")))
    }
}

private struct Unpacked {
    let root: URL

    init(_ archive: String, below folder: URL) throws {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tar = OtherProgram(path: "/usr/bin/tar")
        let answer = try tar.run(["-xzf", archive, "-C", folder.path], outputMax: 1000, within: .seconds(60))
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1)
        root = folder.appending(path: try #require(names.first))
    }

    var names: [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        return all.filter { !["flight", "ledger"].contains($0) }.sorted()
    }

    func text(_ name: String) -> String { String(decoding: data(name), as: UTF8.self) }

    func data(_ name: String) -> Data { (try? Data(contentsOf: root.appending(path: name))) ?? Data() }
}

@Suite struct `bracketctl bundle` {
    private static let clock = LedgerClock { (1_700_000_000_000, .zero) }

    @Test func `packs recordings, ledger, configuration, versions and status, and lists its content`() async throws {
        let fixture = try BundleFixture(configuration: "[camera]\naddress = \"cam\"\n# my password is hunter2\n")
        let recording = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try fixture.write(recording, to: "state/flight/flight-000001-0000.rec")
        try fixture.write(Data([1]), to: "state/flight/flight-000002-0000.rec")
        try fixture.write("x", to: "state/flight/other")
        try fixture.write("secret", to: "state/initiator-guid")
        try fixture.write("picture", to: "state/pictures/DSC00001.JPG")
        _ = try Ledger(directory: fixture.path("state"), clock: Self.clock).open()
        try await withDaemon(["GetStatus": Sample.status()]) { daemon in
            let (exit, unpacked) = try await fixture.bundle(against: daemon)
            #expect(exit == .allDone)
            #expect(unpacked.root.lastPathComponent.hasPrefix("bracketd-bundle-2"))
            var names = unpacked.names
            // These names are present only on a computer that has a journal.
            names.removeAll { $0 == "journal.json" || $0.hasSuffix("-wal") }
            #expect(
                names == [
                    "README.txt", "configuration-file.toml", "configuration.toml", "flight/flight-000001-0000.rec",
                    "flight/flight-000002-0000.rec", "ledger/ledger.sqlite", "status.json", "versions.txt",
                ]
            )
            #expect(unpacked.data("flight/flight-000001-0000.rec") == recording)
            #expect(unpacked.text("configuration.toml").contains("address = \"cam:15740\""))
            #expect(unpacked.text("configuration-file.toml").contains("address = \"cam\""))
            #expect(!unpacked.text("configuration-file.toml").contains("hunter2"))
            #expect(unpacked.text("status.json").contains("Sony ILCE-7M4 is ready."))
            let versions = unpacked.text("versions.txt")
            let charts = ChartLibrary.charts.map { "chart \($0.name) \($0.digest)" }
            let wanted = ["bracketctl 0.1.0", "bracketd 0.1.0, the running daemon", "system ID=", "kernel Linux "]
            for line in wanted + charts { #expect(versions.contains(line), "\(line)") }
            #expect(versions.contains("/bracketd"))
            let readme = unpacked.text("README.txt")
            for name in names.dropFirst() { #expect(readme.contains("  \(name), "), "\(name)") }
            var mode = stat()
            #expect(stat(fixture.path("b.tar.gz"), &mode) == 0 && mode.st_mode & 0o777 == 0o600)
            #expect(fixture.bench.lines.last?.hasPrefix("Wrote \(fixture.path("b.tar.gz")), ") == true)
        }
    }

    @Test func `without anything to pack is still written, and lists what is missing`() async throws {
        let fixture = try BundleFixture()
        let (exit, unpacked) = try await fixture.bundle("--json")
        #expect(exit == .allDone)
        let readme = unpacked.text("README.txt")
        let missing = try #require(fixture.bench.objects.first?["missing"]?.arrayValue).compactMap(\.stringValue)
        for sentence in missing {
            #expect(readme.contains(sentence))
            #expect(fixture.bench.errors.contains("bracketctl: \(sentence)\n"))
        }
        let folder = fixture.path("state")
        #expect(
            missing.contains("Not included: recordings: \(folder)/flight cannot be read: No such file or directory.")
        )
        #expect(missing.contains("Not included: the ledger \(folder)/ledger.sqlite: it does not exist."))
        #expect(missing.contains { $0.hasPrefix("Not included: the status of the daemon: No daemon is running: ") })
    }

    @Test func `of an invalid configuration packs its text without secrets, and its faults`() async throws {
        let fixture = try BundleFixture(configuration: "[camera]\npassword = \"hunter2\"\nbroken")
        let (exit, unpacked) = try await fixture.bundle()
        #expect(exit == .allDone)
        #expect(unpacked.text("configuration-file.toml").contains("password = \"(removed)\"\nbroken"))
        #expect(!unpacked.names.contains("configuration.toml"))
        let errors = fixture.bench.errors
        let file = fixture.path("bracketd.toml")
        #expect(errors.contains("the configuration as bracketd uses it: bracketd: \(file):5:7: "))
        #expect(errors.contains("bracketctl uses /var/lib/bracketd."))
        #expect(!errors.contains("hunter2"))
    }

    @Test func `a missing configuration is refused, and nothing is written`() async throws {
        let bench = Bench()
        let file = "/tmp/bracketd-test-\(UInt64.random(in: 0 ... .max)).tar.gz"
        #expect(await bench.run("bundle", "--config", "/nowhere/bracketd.toml", "--output", file) == .error)
        #expect(bench.errors.contains("/nowhere/bracketd.toml does not exist. Use --config with the "))
        #expect(access(file, F_OK) != 0)
    }

    @Test func `overwrites nothing, and leaves no incomplete file`() async throws {
        let fixture = try BundleFixture()
        try fixture.write("mine", to: "b.tar.gz")
        let output = fixture.path("b.tar.gz")
        #expect(await fixture.bench.run("bundle", "--output", output) == .error)
        #expect(
            fixture.bench.errors
                == "bracketctl: \(output) already exists and is not overwritten. "
                + "Use --output with another file.\n"
        )
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
        #expect(await fixture.bench.run("bundle", "--output", "/nonexistent/b") == .error)
        #expect(fixture.bench.errors.contains("/nonexistent/b cannot be created: No such file or directory."))
        #expect(await fixture.bench.run("bundle", "--output", "") == .usage)
    }

    @Test func `a bundle that cannot be written is removed`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "bundle-\(UUID())").path
        let file = try BundleFile(path)
        try file.write([1, 2, 3])
        file.abandon()
        #expect(!FileManager.default.fileExists(atPath: path))
        // After gzip has ended, a write returns an error and does not end this process.
        let error = #expect(throws: Failure.self) { try file.write([UInt8](repeating: 0, count: 1 << 20)) }
        #expect(error?.sentence.hasPrefix("\(path) cannot be written. ") == true)
    }

    @Test func `a damaged ledger is packed as it is, with those that were moved aside`() async throws {
        let fixture = try BundleFixture()
        let bytes = Data("no database".utf8)
        try fixture.write(bytes, to: "state/ledger.sqlite")
        for day in 1...3 { try fixture.write("\(day)", to: "state/ledger-damaged-2026110\(day)-100000.sqlite") }
        let (exit, unpacked) = try await fixture.bundle()
        #expect(exit == .allDone)
        #expect(unpacked.data("ledger/ledger.sqlite") == bytes)
        #expect(
            unpacked.names.filter { $0.contains("damaged") } == [
                "ledger/ledger-damaged-20261102-100000.sqlite", "ledger/ledger-damaged-20261103-100000.sqlite",
            ]
        )
    }

    @Test func `a file that is not regular is neither followed nor waited for`() async throws {
        let fixture = try BundleFixture()
        try fixture.write("x", to: "state/flight/flight-000001-0000.rec")
        let folder = fixture.path("state/flight")
        #expect(symlink("/etc/passwd", "\(folder)/flight-000002-0000.rec") == 0)
        #expect(mkfifo("\(folder)/flight-000003-0000.rec", 0o600) == 0)
        #expect(mkfifo(fixture.path("state/ledger.sqlite"), 0o600) == 0)
        let (exit, unpacked) = try await fixture.bundle()
        #expect(exit == .allDone)
        #expect(unpacked.names.filter { $0.hasPrefix("flight/") } == ["flight/flight-000001-0000.rec"])
        #expect(fixture.bench.errors.contains("flight-000002-0000.rec: "))
        #expect(fixture.bench.errors.contains("flight-000003-0000.rec: "))
        #expect(fixture.bench.errors.contains("ledger.sqlite: it is not a regular file."))
    }

    @Test func `the ledger of a busy daemon is packed as it was at one moment`() async throws {
        let fixture = try BundleFixture()
        try fixture.write("", to: "state/x")
        let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let writer = Process()
        writer.executableURL = programs.appending(path: "ledgerload")
        writer.arguments = [fixture.path("state"), "1000000"]
        writer.standardOutput = FileHandle.nullDevice
        try writer.run()
        defer {
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
        }
        var lastShoots: [Int] = []
        while lastShoots.count < 40 {
            guard writer.isRunning else {
                Issue.record("ledgerload ended")
                return
            }
            let path = fixture.path("state/ledger.sqlite")
            guard let copy = try? LedgerCopy(path: path, byteCountMax: 1 << 26) else { continue }
            let folder = "copy-\(lastShoots.count)"
            try fixture.write(Data(copy.file), to: "\(folder)/ledger.sqlite")
            if let log = copy.log { try fixture.write(Data(log), to: "\(folder)/ledger.sqlite-wal") }
            let contents = try Ledger(directory: fixture.path(folder), clock: Self.clock).open()
            #expect(contents.notice == nil)
            lastShoots.append(contents.lastShoot)
        }
        #expect(lastShoots == lastShoots.sorted())
        #expect(Set(lastShoots).count > 10, "the ledger did not change during the test")
    }

    @Test func `the journal's excerpt has bracketd's entries, and nothing that names the computer`() throws {
        let named = #""_HOSTNAME":"attic","_MACHINE_ID":"1","_CMDLINE":"bracketd""#
        let entry = #"{"MESSAGE":"Hello","BRACKETD_CHART":"shooting",\#(named),"_PID":"7"}"#
        let cleaned = JournalExcerpt.clean(Array("\(entry)\nno JSON\n[1]\n\(entry)".utf8))
        let line = #"{"BRACKETD_CHART":"shooting","MESSAGE":"Hello","_PID":"7"}"#
        #expect(String(decoding: cleaned, as: UTF8.self).split(separator: "\n").map { $0 } == [line[...], line[...]])
    }

    @Test func `programs that hang, print without end or are missing do not stop the bundle`() throws {
        let shell = OtherProgram(path: "/bin/sh")
        #expect(throws: PartError.self) {
            try shell.run(["-c", "exec sleep 60"], outputMax: 9, within: .milliseconds(100))
        }
        #expect(throws: PartError.self) { try shell.run(["-c", "exec yes"], outputMax: 9, within: .seconds(60)) }
        #expect(throws: PartError.self) {
            try OtherProgram(path: "/nonexistent/x").run([], outputMax: 9, within: .seconds(60))
        }
        let answer = try shell.run(["-c", "echo one; echo two >&2; exit 3"], outputMax: 9, within: .seconds(60))
        #expect((answer.status, answer.complaint) == (3, "two"))
        #expect(answer.output == Array("one\n".utf8))
    }
}
