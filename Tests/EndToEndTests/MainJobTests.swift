import Foundation
import Testing

/// A short bracket at a simulated camera.
private protocol MainJob {}

extension MainJob {
    fileprivate func shoot(_ station: Station, _ more: String...) throws -> Station.Result {
        let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3", "--yes"]
        return try station.run("bracketctl", ["--socket", station.socket, "shoot"] + plan + more)
    }

    fileprivate func station(_ arguments: [String] = []) throws -> Station {
        let station = try Station()
        try station.startCamera(["--save-time", "50ms"] + arguments)
        try station.startDaemon()
        try station.waitFor("connection", "connected")
        try station.waitFor("recording", "ready")
        return station
    }
}

/// The main job: a bracket from start to end, with real processes over real TCP.
@Suite(.serialized) struct MainJobTests: MainJob {
    @Test func `one command fires a whole bracket`() throws {
        let station = try station()
        let result = try shoot(station)
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.last == "3 of 3 exposures captured")
        #expect(try station.card() == ["1/250", "1/125", "1/60"])
    }

    @Test func `progress is one JSON object per line, with the outcome last`() throws {
        let station = try station()
        let result = try shoot(station, "--json")
        #expect(result.status == 0)
        let phases = try result.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(phases.last?["outcome"] as? String == "completed")
    }

    @Test func `a camera that is never idle ends partial, and retry fires only missing frames`() throws {
        let station = try station(["--fault", "never-idle@2"])
        let result = try shoot(station)
        #expect(result.status == 3)
        #expect(result.lines.last == "Stopped at set 1, frame 2. 2 of 3 exposures captured.")
        #expect(station.state(of: "shooting") == "partial")
        // The camera is switched off and on. The pictures on its card stay.
        station.camera?.stop()
        try station.startCamera(["--save-time", "50ms"])
        try station.waitFor("connection", "connected", within: 40)
        let retry = station.ctl("retry")
        #expect(retry.status == 0, "\(retry)")
        #expect(retry.lines.last == "3 of 3 exposures captured")
        #expect(try station.card() == ["1/250", "1/125", "1/60"])
    }

    @Test func `pause, resume, cancel and dismiss over the socket, watched`() throws {
        let station = try station()
        let watch = try station.start("bracketctl", ["--socket", station.socket, "watch", "--json"])
        let plan = ["--shadow", "1\"", "--highlight", "1/4", "--frames", "3", "--yes"]
        let shoot = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
        try station.waitFor("shooting", "capturing")
        #expect(station.ctl("pause").status == 0)
        try station.waitFor("shooting", "byCommand")
        let resume = try station.start("bracketctl", ["--socket", station.socket, "resume"])
        try station.wait(for: "the second frame", within: 20) {
            (try? station.card().count) ?? 0 >= 1 && station.state(of: "shooting") == "capturing"
        }
        #expect(station.ctl("cancel").status == 0)
        try station.wait(for: "the shoot's end", within: 20) { !shoot.process.isRunning }
        #expect(shoot.process.terminationStatus == 3)
        try station.wait(for: "the end of what followed it", within: 20) { !resume.process.isRunning }
        #expect(resume.process.terminationStatus == 3)
        #expect(resume.text.contains("  exposing "))
        #expect(station.ctl("dismiss").status == 0)
        #expect(station.state(of: "shooting") == "idle")
        for state in ["byCommand", "cancelled", "idle"] { #expect(watch.text.contains("\"\(state)\"")) }
        watch.stop()
    }

    @Test func `a chart shows the daemon's states, and follows them`() throws {
        let station = try station()
        let connection = station.ctl("charts", "connection")
        #expect(connection.status == 0)
        #expect(connection.errors.isEmpty, "a chart of another version")
        #expect(connection.lines.filter { $0.hasPrefix("► ") } == ["► │  │  └─ connected"])
        let watch = try station.start("bracketctl", ["--socket", station.socket, "charts", "shooting", "--watch"])
        try station.wait(for: "the chart", within: 10) { watch.text.contains("└─ cancelWanted") }
        #expect(watch.text.contains("►    │  │  ├─ idle"))
        #expect(try shoot(station).status == 0)
        try station.wait(for: "the last transition", within: 10) { watch.text.contains("→ completed") }
        #expect(watch.text.contains("confirmingSpeed → capturing"))
        watch.stop()
    }

    @Test func `stopping disconnects in order within five seconds`() throws {
        let station = try station()
        let start = Date()
        station.daemon?.stop()
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(station.daemon?.process.terminationStatus == 0)
        #expect(station.camera?.text.contains("CloseSession") == true)
        #expect(!FileManager.default.fileExists(atPath: station.socket))
    }

    @Test func `a second daemon on the same socket refuses, and the first continues`() throws {
        let station = try station()
        let same = try station.run("bracketd", ["--config", station.file("bracketd.toml").path])
        #expect(same.status == 1)
        #expect(same.errors.contains("another bracketd"))
        let own = """
            [socket]
            path = "\(station.socket)"
            [storage]
            directory = "\(station.file("second").path)"
            """
        try own.write(to: station.file("second.toml"), atomically: true, encoding: .utf8)
        let second = try station.run("bracketd", ["--config", station.file("second.toml").path])
        #expect(second.status == 1)
        #expect(second.errors.contains(station.socket))
        #expect(station.ctl("status").status == 0)
    }

    @Test func `a foreign Varlink client reads the interface, the status and a shoot's progress`() throws {
        let station = try station()
        let python = Station.root.appendingPathComponent(".venv/bin/python").path
        let script = Station.root.appendingPathComponent("Tests/EndToEndTests/foreign_client.py").path
        let result = try station.run(python, [script, station.socket])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.last == "3 of 3 exposures captured")
        #expect(try station.card().count == 3)
    }

    @Test func `no daemon is exit status 5`() throws {
        let station = try Station()
        #expect(station.ctl("status").status == 5)
    }

    @Test(arguments: [
        ["plan", "--shadow", "1/7777"], ["plan", "--frames", "4"], ["plan", "--spacing", "3"], ["shoot"], ["nonsense"],
        ["plan", "--bias", "x"],
    ])
    func `wrong arguments are exit status 64 with a sentence`(arguments: [String]) throws {
        let station = try Station()
        let result = try station.run("bracketctl", ["--socket", station.socket] + arguments)
        #expect(result.status == 64)
        #expect(!result.errors.isEmpty)
    }
}

/// The main job with faults of the camera. These tests take as long as all others of the main job.
@Suite(.serialized) struct MainJobFaultTests: MainJob {
    @Test(arguments: [
        "busy=set:2", "ignore-set@2", "jump@2", "empty-extinfo=3", "auth-failed=1",
        "refuse-connect=1",
        "events-silent",
    ])
    func `the bracket survives`(fault: String) throws {
        let station = try station(["--fault", fault])
        let result = try shoot(station)
        #expect(result.lines.last == "3 of 3 exposures captured", "\(result) \(station.daemon?.text ?? "")")
        #expect(try station.card() == ["1/250", "1/125", "1/60"])
    }

    @Test(arguments: ["set", "confirm", "expose", "save"])
    func `the link dropped at frame 2 and back after a second costs at most a doubled frame`(phase: String) throws {
        let station = try station(["--fault", "drop@2:\(phase),back=1"])
        let result = try shoot(station)
        #expect(result.lines.last == "3 of 3 exposures captured", "\(result) \(station.daemon?.text ?? "")")
        var card = try station.card()
        if card.count == 4 { card.remove(at: 1) }
        #expect(card == ["1/250", "1/125", "1/60"])
    }

    @Test func `busy three times ends with no frame captured, and reports it`() throws {
        let station = try station(["--fault", "busy=set:3"])
        let result = try shoot(station)
        #expect(result.status == 4)
        #expect(result.lines.last == "Stopped at set 1, frame 1. 0 of 3 exposures captured.")
        #expect(try station.card() == [])
    }

    @Test func `a frame with noise reduction over a slow link is waited for`() throws {
        let station = try station(["--lenr", "on", "--latency", "20ms"])
        let result = try station.run(
            "bracketctl",
            ["--socket", station.socket, "shoot", "--shadow", "2\"", "--highlight", "2\"", "--yes"]
        )
        #expect(result.lines.last == "1 of 1 exposures captured", "\(result)")
    }

    @Test func `a speed that the camera does not keep fires no wrong frame`() throws {
        let station = try station(["--fault", "ignore-sets=9"])
        let result = try shoot(station)
        #expect(result.status == 4, "\(result)")
        #expect(try station.card() == [])
    }

    @Test func `a wrong mode waits with a sentence and continues when the dial is turned`() throws {
        let station = try Station()
        try station.startCamera(["--mode", "A", "--fault", "mode-after=2:M"])
        try station.startDaemon()
        try station.waitFor("connection", "modeCheck")
        #expect(station.ctl("status").output.contains("The mode dial is on A. Turn it to M."))
        try station.waitFor("connection", "connected")
        #expect(try shoot(station).status == 0)
    }
}
