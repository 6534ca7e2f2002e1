import Foundation
import Testing

/// Data that survives the daemon, with real processes.
@Suite(.serialized) struct LedgerTests {
    private static let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3", "--yes"]

    @Test func `a daemon that is killed during a shoot restarts with it, and fires the missing frames`() throws {
        let station = try Station()
        try station.startCamera(["--save-time", "100ms"])
        try station.startDaemon()
        try station.waitFor("connection", "connected")
        let shoot = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + Self.plan)
        try station.wait(for: "a frame on the card", within: 20) { (try? station.card().isEmpty) == false }
        station.daemon?.stop(SIGKILL)
        shoot.stop()
        // A real body would detect that its client is dead. Here another simulated body replaces it.
        station.camera?.stop(SIGKILL)
        try station.startCamera()
        try station.startDaemon()
        try station.wait(for: "the shoot", within: 20) {
            station.ctl("status").output.contains("The daemon ended before the shoot ended.")
        }
        try station.waitFor("connection", "connected")
        let retried = try station.run("bracketctl", ["--socket", station.socket, "retry"])
        #expect(retried.lines.last == "3 of 3 exposures captured", "\(retried) \(station.daemon?.text ?? "")")
        #expect(Set(try station.card()) == ["1/250", "1/125", "1/60"])
        #expect(try station.card().count <= 4)
    }

    @Test func `a frame whose exposure a kill interrupted is not fired twice if the camera counted it`() throws {
        let station = try Station()
        try station.startCamera(["--save-time", "100ms"])
        try station.startDaemon()
        try station.waitFor("connection", "connected")
        let plan = ["--shadow", "2s", "--highlight", "1/2", "--frames", "3", "--yes"]
        let shoot = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
        try station.wait(for: "the second exposure", within: 30) {
            station.camera?.text.contains("frame 2: shutter opens") == true
        }
        station.daemon?.stop(SIGKILL)
        shoot.stop()
        try station.startDaemon()
        try station.waitFor("connection", "connected", within: 60)
        #expect(station.ctl("resume").status == 0)
        try station.waitFor("shooting", "completed", within: 60)
        #expect(try station.card() == ["1/2", "1\"", "2\""], "\(station.daemon?.text ?? "")")
    }
}
