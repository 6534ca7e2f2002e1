import Foundation
import Testing

/// Tests the simulated bodies with gphoto2 2.5.28 and libgphoto2 2.5.30. libgphoto2 requests version 2 of the extension
/// from every Sony body. docs/foreign/gphoto2.md lists its limits.
@Suite(.serialized) struct `gphoto2 and the simulated bodies` {
    static let models = ["ILCE-7M4", "DSC-RX100M7", "ILCE-6400", "ZV-E10"]

    @Test(arguments: models)
    func `the summary has the body's name, no storage, and its properties`(model: String) throws {
        let studio = try ForeignFixture()
        try studio.startCamera(model)
        let result = try GPhoto(studio: studio)("--summary")
        #expect(result.status == 0, "\(result)")
        for text in [
            "Manufacturer: Sony Corporation", "Model: \(model)", "Vendor Extension ID: 0x11", "Sony Capture",
            "File Upload", "Shutter speed(0xd20d):(readwrite) (type=0x6)",
            "Exposure Program Mode(0x500e)", "value: M (1)",
        ] { #expect(result.output.contains(text), "'\(text)' is missing:\n\(result)") }
        // In remote mode real bodies report no capability (LGD).
        #expect(!result.output.contains("Maximum Capability"), "\(result)")
        // On newer bodies controls are not properties, but libgphoto2 still requests them as properties.
        let unread = result.lines.filter { $0.contains("error 2002 on query") && !$0.contains("0xd2") }
        #expect(unread.isEmpty, "\(unread)")
    }

    @Test(arguments: models) func `list-config shows the settings of an exposure`(model: String) throws {
        let studio = try ForeignFixture()
        try studio.startCamera(model)
        let result = try GPhoto(studio: studio)("--list-config")
        let settings = [
            "shutterspeed", "f-number", "expprogram", "exposurecompensation", "focusmode", "capturemode",
            "exposuremetermode", "flashmode",
        ].map { "/main/capturesettings/\($0)" }
        for setting in settings + ["/main/imgsettings/iso", "/main/imgsettings/whitebalance"] {
            #expect(result.lines.contains(setting), "\(setting) is missing:\n\(result)")
        }
    }

    @Test func `it offers the body's speeds`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("DSC-RX100M7", ["--speeds", "30s,2s,1/60,1/250,1/500"])
        let result = try GPhoto(studio: studio)("--get-config", "shutterspeed")
        #expect(result.current == "1/60", "\(result)")
        // gphoto2 uses its own spelling: speeds have no unit, and Bulb is added.
        #expect(result.choices == ["30", "2", "1/60", "1/250", "1/500", "Bulb"], "\(result)")
    }

    /// gphoto2 sends whole seconds as n/1. Some bodies have that in their list, and others accept it nevertheless.
    @Test(arguments: models, [["1/125", "1/125"], ["13/10", "13/10"], ["30", "30"]])
    func `the next initiator sees a speed that it has set`(model: String, speed: [String]) throws {
        let (sent, shown) = (speed[0], speed[1])
        let studio = try ForeignFixture()
        try studio.startCamera(model)
        let gphoto = GPhoto(studio: studio)
        #expect(try gphoto("--set-config", "shutterspeed=\(sent)").status == 0)
        // gphoto2 ends before the body has applied the speed.
        try studio.wait(for: "the body's \(shown)") {
            (try? gphoto("--get-config", "shutterspeed").current == shown) ?? false
        }
    }

    @Test func `it fires at the speed that it has set, and downloads the picture`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("ILCE-7M4")
        let gphoto = GPhoto(studio: studio)
        #expect(try gphoto("--set-config", "shutterspeed=1/250").status == 0)
        try studio.wait(for: "the body's speed") { studio.text(of: "camera.log").contains("speed is 1/250") }
        let result = try gphoto("--capture-image-and-download", "--filename", "shot.jpg")
        #expect(try studio.card() == ["1/250"], "\(result)")
        let picture = try Data(contentsOf: studio.file("shot.jpg"))
        #expect(picture.prefix(2) == Data([0xFF, 0xD8]) && picture.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test func `two pictures in one session are two files`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("ILCE-7M4", ["--save-time", "100ms"])
        let capture = "--capture-image-and-download"
        let result = try GPhoto(studio: studio)(capture, capture, "--filename", "shot%n.jpg")
        #expect(try studio.card().count == 2, "\(result)")
        let pictures = try ["shot1.jpg", "shot2.jpg"].map { try Data(contentsOf: studio.file($0)) }
        #expect(pictures[0] != pictures[1] && pictures[0].count > 100)
    }

    /// Bodies with autofocus do not fire in their first three seconds. This version of libgphoto2 waits only two and a
    /// half.
    @Test func `a body with autofocus fires for it after its first seconds`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("DSC-RX100M7")
        let result = try GPhoto(studio: studio)(
            "--set-config",
            "shutterspeed=1/125",
            "--wait-event=3s",
            "--capture-image-and-download",
            "--filename",
            "shot.jpg"
        )
        #expect(try studio.card() == ["1/125"], "\(result)")
        #expect(FileManager.default.fileExists(atPath: studio.file("shot.jpg").path))
    }
}
