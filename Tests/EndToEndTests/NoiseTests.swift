import Foundation
import Testing

/// Invalid input from outside never stops the daemon.
@Suite(.serialized) struct NoiseTests {
    private static let script = Station.root.appendingPathComponent("Tests/EndToEndTests/noise.py").path
    private static let rounds = 8

    @Test func `random bytes on both channels of a camera never stop the daemon`() throws {
        let station = try Station()
        let noise = try station.start("/usr/bin/env", ["python3", Self.script, "camera", String(Self.rounds)])
        try station.wait(for: "the noisy camera's port", within: 10) { noise.text.contains("\n") }
        let port = try #require(Int(noise.text.split(separator: "\n")[0]))
        try station.startDaemon(cameraPort: port)
        // After each failed connection the daemon waits longer and then opens another one.
        try station.wait(for: "\(Self.rounds) connections", within: 60) { noise.text.contains("served") }
        #expect(station.daemon?.process.isRunning == true)
        #expect(station.ctl("status").status == 0)
        #expect(station.state(of: "shooting") == "idle")
    }

    @Test func `random bytes on the Varlink socket never stop the daemon nor a shoot`() throws {
        let station = try Station()
        try station.startCamera(["--save-time", "50ms"])
        try station.startDaemon()
        try station.waitFor("connection", "connected")
        let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3", "--yes"]
        let shoot = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
        let noise = try station.run("/usr/bin/env", ["python3", Self.script, "client", station.socket, "50"])
        #expect(noise.status == 0, "\(noise.errors)")
        try station.wait(for: "the shoot's end", within: 30) { !shoot.process.isRunning }
        #expect(shoot.text.contains("3 of 3 exposures captured"))
        #expect(station.ctl("status").status == 0)
    }
}
