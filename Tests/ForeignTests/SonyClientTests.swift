import Foundation
import Testing

/// Tests the simulated bodies with HTTP with libsonyapi 1.0, a client from PyPI. docs/foreign/libsonyapi.md lists its
/// limits.
@Suite(.serialized) struct `libsonyapi and the simulated bodies` {
    private static let python = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".venv/bin/python").path

    /// What the client reports.
    private struct Shot: Decodable {
        var name: String
        var services: [String]
        var before: String
        var speed: String
        var picture: String
        var bytes: Int
        var start: String
    }

    @Test(arguments: [("a6000", "ILCE-6000"), ("a6300", "ILCE-6300"), ("rx100m4", "DSC-RX100M4")])
    func `it finds a body by SSDP, sets a speed, shoots and fetches the picture`(model: String, name: String) throws {
        let studio = try ForeignFixture()
        try studio.startCamera(
            model,
            maker: "sony-http",
            ["--ssdp", "--description-port", "0", "--ssdp-delay", "0", "--save-time", "50ms"]
        )
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "sony_client.py").path
        let result = try studio.run(Self.python, [script, name, "1/250"])
        #expect(result.status == 0, "\(result)")
        let shot = try JSONDecoder().decode(Shot.self, from: Data((result.lines.last ?? "").utf8))
        #expect(shot.name == name)
        #expect(shot.services.contains("camera") && shot.services.contains("system"))
        #expect(shot.before != "1/250" && shot.speed == "1/250")
        #expect(shot.start == "ffd8" && shot.bytes > 100)
        #expect(try studio.card() == ["1/250"])
    }
}
