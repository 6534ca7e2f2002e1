import Foundation
import Testing

/// Tests of the flight recorder in a real daemon, of replays and of bundles.
@Suite(.serialized) struct RecordingTests {
    private static let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3", "--yes"]

    private func station(_ flight: String = "") throws -> Station {
        let station = try Station()
        try station.startCamera(["--save-time", "50ms", "--slot-hold", "1ms"])
        try start(station, flight)
        return station
    }

    private func start(_ station: Station, _ flight: String = "") throws {
        let address = "address = \"127.0.0.1:\(station.cameraPort)\"\nsearch = []"
        try station.startDaemon(camera: "\(address)\n[flight]\n\(flight)")
        try station.waitFor("connection", "connected")
    }

    private func recordings(_ station: Station) -> [String] {
        let folder = station.file("state/flight")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0).path }
    }

    private func shoot(_ station: Station) throws -> Station.Result {
        try station.run("bracketctl", ["--socket", station.socket, "shoot"] + Self.plan)
    }

    private func expectIdentical(_ station: Station, _ recording: String, least: Int) throws {
        let replay = try station.run("bracketctl", ["replay", recording])
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(replay.lines.last?.contains("replayed identically") == true, "\(replay.lines.suffix(3))")
        #expect(replay.lines.count > least)
        #expect(replay.errors.isEmpty, "\(replay.errors)")
    }

    @Test func `a run that was stopped in order replays identically`() throws {
        let station = try station()
        let result = try shoot(station)
        #expect(result.lines.last == "3 of 3 exposures captured")
        #expect(station.ctl("set", "iso", "200").status == 0)
        #expect(station.ctl("history").status == 0)
        station.daemon?.stop()
        #expect(recordings(station).map { ($0 as NSString).lastPathComponent } == ["flight-000001-0000.rec"])
        try expectIdentical(station, recordings(station)[0], least: 20)
    }

    @Test func `a run that was killed replays identically up to the kill, and so does the next one`() throws {
        let station = try station()
        let plan = ["--shadow", "1\"", "--highlight", "1/4", "--frames", "3", "--yes"]
        let order = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
        try station.wait(for: "the second frame", within: 20) { (try? station.card().count) ?? 0 >= 1 }
        try station.waitFor("shooting", "capturing")
        station.daemon?.stop(SIGKILL)
        order.stop(SIGKILL)
        let killed = try station.run("bracketctl", ["replay", recordings(station)[0]])
        // The recording contains the last transition that a client received.
        #expect(killed.output.components(separatedBy: "capturing").count > 2)
        try start(station)
        #expect(station.ctl("resume").status == 0)
        try station.waitFor("shooting", "completed")
        station.daemon?.stop()
        #expect(recordings(station).count == 2)
        for recording in recordings(station) { try expectIdentical(station, recording, least: 15) }
    }

    @Test func `many starts leave as many files as configured, and the newest`() throws {
        let station = try station("files = 2\nsize = \"1 MB\"")
        for _ in 0..<5 {
            station.daemon?.stop(SIGKILL)
            try start(station, "files = 2\nsize = \"1 MB\"")
            #expect(recordings(station).count <= 2)
        }
        station.daemon?.stop()
        let names = recordings(station).map { ($0 as NSString).lastPathComponent }
        #expect(names == ["flight-000005-0000.rec", "flight-000006-0000.rec"])
        for recording in recordings(station) { try expectIdentical(station, recording, least: 1) }
    }

    @Test func `no files are written when recording is off`() throws {
        let station = try station("files = 0")
        #expect(try shoot(station).status == 0)
        station.daemon?.stop()
        #expect(!FileManager.default.fileExists(atPath: station.file("state/flight").path))
    }

    @Test(.enabled(if: geteuid() == 0)) func `a disk that is too full for recordings does not stop a shoot`() throws {
        let station = try Station()
        try station.startCamera(["--save-time", "50ms", "--slot-hold", "1ms"])
        // The disk has less free space than is reserved for the ledger.
        try FileManager.default.createDirectory(at: station.file("state"), withIntermediateDirectories: true)
        let configuration = """
            [socket]
            path = "\(station.socket)"
            [storage]
            directory = "\(station.file("state").path)"
            [camera]
            address = "127.0.0.1:\(station.cameraPort)"
            search = []
            """
        try configuration.write(to: station.file("small.toml"), atomically: true, encoding: .utf8)
        let bracketd = Station.programs.appendingPathComponent("bracketd").path
        let mount = "mount -t tmpfs -o size=8m tmpfs \(station.file("state").path)"
        let command = "\(mount) && exec \(bracketd) --config \(station.file("small.toml").path)"
        let daemon = try station.start("/usr/bin/unshare", ["-m", "/bin/sh", "-c", command])
        defer { daemon.stop() }
        try station.wait(for: "the camera", within: 20) { station.state(of: "connection") == "connected" }
        let result = try shoot(station)
        #expect(result.lines.last == "3 of 3 exposures captured", "\(result) \(daemon.text)")
        let lines = daemon.text.split(separator: "\n").filter { $0.contains("flight recorder") }
        #expect(lines.count == 1)
        let sentence = "less than 16 MB free. This space is reserved for the ledger."
        #expect(lines.first?.contains(sentence) == true, "\(lines)")
    }

    @Test func `a bundle of a running daemon and of a stopped one has replayable recordings`() throws {
        let station = try station()
        #expect(try shoot(station).status == 0)
        let config = station.file("bracketd.toml").path
        for name in ["running", "stopped"] {
            if name == "stopped" { station.daemon?.stop() }
            let output = station.file("\(name).tar.gz").path
            let bundle = station.ctl("bundle", "--config", config, "--output", output)
            #expect(bundle.status == 0, "\(bundle.errors)")
            let folder = station.file(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try station.run("/usr/bin/tar", ["-xzf", output, "-C", folder.path]).status == 0)
            let root = folder.appendingPathComponent(
                try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            )
            try expectIdentical(station, root.appendingPathComponent("flight/flight-000001-0000.rec").path, least: 15)
            let count = "execute('select count(*) from shoots').fetchone()[0]"
            let query = "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).\(count))"
            let ledger = root.appendingPathComponent("ledger/ledger.sqlite").path
            let shoots = try station.run("/usr/bin/python3", ["-c", query, ledger])
            #expect(shoots.output == "1\n", "\(shoots)")
            let guid = try String(contentsOf: station.file("state/initiator-guid"), encoding: .utf8)
            let bytes = guid.trimmingCharacters(in: .whitespacesAndNewlines)
            let found = try station.run("/usr/bin/grep", ["-rlai", bytes, root.path])
            #expect(found.status == 1, "\(found)")
        }
    }
}
