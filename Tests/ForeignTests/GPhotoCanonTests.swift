import Foundation
import Testing

/// Tests the simulated Canon bodies with gphoto2 2.5.28 and libgphoto2 2.5.30. docs/foreign/gphoto2.md lists its
/// limits.
@Suite(.serialized) struct `gphoto2 and the simulated Canon bodies` {
    static let models = ["eos-60d", "eos-80d", "eos-m50", "eos-r6m2", "eos-1300d"]
    /// The names by which the bodies call themselves.
    static let names = [
        "eos-60d": "Canon EOS 60D", "eos-80d": "Canon EOS 80D", "eos-m50": "Canon EOS M50",
        "eos-r6m2": "Canon EOS R6m2", "eos-1300d": "Canon EOS 1300D",
    ]

    private func studio(_ model: String, _ arguments: [String] = []) throws -> (ForeignFixture, GPhoto) {
        let studio = try ForeignFixture()
        try studio.startCamera(model, maker: "canon", arguments)
        return (studio, GPhoto(studio: studio))
    }

    @Test(arguments: models)
    func `the summary has the body's name and its operations`(model: String) throws {
        let (_, gphoto) = try studio(model)
        let result = try gphoto("--summary")
        #expect(result.status == 0, "\(result)")
        for text in ["Manufacturer: Canon", "Model: \(try #require(Self.names[model]))", "Canon EOS Capture 2"] {
            #expect(result.output.contains(text), "'\(text)' is missing:\n\(result)")
        }
    }

    @Test(arguments: models)
    func `list-config shows the settings of an exposure`(model: String) throws {
        let (_, gphoto) = try studio(model)
        let result = try gphoto("--list-config")
        let settings = [
            "/main/capturesettings/shutterspeed", "/main/capturesettings/aperture",
            "/main/capturesettings/autoexposuremode", "/main/capturesettings/drivemode", "/main/imgsettings/iso",
            "/main/imgsettings/imageformat", "/main/imgsettings/whitebalance", "/main/settings/capturetarget",
        ]
        for setting in settings {
            #expect(result.lines.contains(setting), "\(setting) is missing:\n\(result)")
        }
    }

    /// The captured 1300D had no lens, so it offers no aperture.
    private static let settings =
        models.flatMap { [[$0, "shutterspeed", "1/250"], [$0, "iso", "800"]] }
        + models.filter { $0 != "eos-1300d" }.map { [$0, "aperture", "11"] }

    @Test(arguments: settings) func `it sets a value, and the next initiator reads it`(row: [String]) throws {
        let (studio, gphoto) = try studio(row[0])
        let (name, value) = (row[1], row[2])
        let before = try gphoto("--get-config", name)
        #expect(before.choices.contains(value), "\(before)")
        #expect(before.current != value, "\(before)")
        let result = try gphoto("--set-config", "\(name)=\(value)", "--get-config", name)
        #expect(result.status == 0, "\(result)")
        // gphoto2 ends before the body has applied the value.
        try studio.wait(for: "the body's \(value)") { (try? gphoto("--get-config", name).current == value) ?? false }
    }

    @Test(arguments: models)
    func `it fires at the speed that it has set, and downloads the picture`(model: String) throws {
        let (studio, gphoto) = try studio(model)
        let result = try gphoto(
            "--set-config",
            "shutterspeed=1/250",
            "--capture-image-and-download",
            "--filename",
            "shot.jpg"
        )
        #expect(try studio.card() == ["1/250"], "\(result)")
        let picture = try Data(contentsOf: studio.file("shot.jpg"))
        #expect(picture.prefix(2) == Data([0xFF, 0xD8]) && picture.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test(arguments: ["eos-60d", "eos-r6m2"])
    func `its list of events has the new picture`(model: String) throws {
        let (studio, gphoto) = try studio(model)
        let result = try gphoto("--trigger-capture", "--wait-event=8s")
        #expect(try studio.card().count == 1, "\(result)")
        #expect(result.output.contains("FILEADDED"), "\(result)")
    }
}
