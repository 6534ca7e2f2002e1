import Foundation
import Testing

/// Tests the simulated Nikon bodies with gphoto2 2.5.28 and libgphoto2 2.5.30. docs/foreign/gphoto2.md lists its
/// limits.
@Suite(.serialized) struct `gphoto2 and the simulated Nikon bodies` {
    static let models = ["d850", "z6-2", "z8", "zr"]
    /// The names by which the bodies call themselves.
    static let names = ["d850": "D850", "z6-2": "Z 6_2", "z8": "Z 8", "zr": "ZR"]

    private func studio(_ model: String, _ arguments: [String] = []) throws -> (ForeignFixture, GPhoto) {
        let studio = try ForeignFixture()
        try studio.startCamera(model, maker: "nikon", arguments)
        return (studio, GPhoto(studio: studio))
    }

    @Test(arguments: models)
    func `the summary has the body's name and its operations`(model: String) throws {
        let (_, gphoto) = try studio(model)
        let result = try gphoto("--summary")
        #expect(result.status == 0, "\(result)")
        for text in ["Manufacturer: Nikon Corporation", "Model: \(try #require(Self.names[model]))", "Nikon Capture"] {
            #expect(result.output.contains(text), "'\(text)' is missing:\n\(result)")
        }
    }

    /// gphoto2 does not ask bodies of the third Z generation for their own properties, so they have no 0xD100 there.
    private static let speeds = [
        "d850": "shutterspeed2", "z6-2": "shutterspeed2", "z8": "shutterspeed", "zr": "shutterspeed",
    ]

    @Test(arguments: models)
    func `list-config shows the settings of an exposure`(model: String) throws {
        let (_, gphoto) = try studio(model)
        let result = try gphoto("--list-config")
        let settings = [
            "capturesettings/\(try #require(Self.speeds[model]))", "capturesettings/f-number",
            "capturesettings/expprogram", "capturesettings/capturemode", "imgsettings/iso",
            "imgsettings/whitebalance", "settings/capturetarget",
        ]
        for setting in settings {
            #expect(result.lines.contains("/main/\(setting)"), "\(setting) is missing:\n\(result)")
        }
    }

    private static let settings = ["d850", "z6-2"].flatMap {
        [[$0, "shutterspeed2", "1/250"], [$0, "iso", "800"], [$0, "f-number", "f/11"]]
    }

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

    @Test(arguments: ["z8", "zr"]) func `without the application mode a body refuses values`(model: String) throws {
        let (_, gphoto) = try studio(model)
        let result = try gphoto("--set-config", "iso=800")
        #expect((result.output + result.errors).contains("0x200f: PTP Access Denied"), "\(result)")
    }

    /// Target 0 is the body's memory, 1 its card.
    @Test(arguments: [["z6-2", "0"], ["z6-2", "1"], ["d850", "0"]])
    func `it fires at the speed that it has set, and downloads the picture`(row: [String]) throws {
        let (studio, gphoto) = try studio(row[0])
        let set = ["--set-config", "capturetarget=\(row[1])", "--set-config", "shutterspeed2=1/250"]
        let result = try gphoto(set + ["--capture-image-and-download", "--filename", "shot.jpg"])
        #expect(try studio.card() == ["1/250"], "\(result)")
        try expectPicture("shot.jpg", in: studio)
    }

    @Test func `it fires and downloads with a body whose values it cannot set`() throws {
        let (studio, gphoto) = try studio("z8")
        let set = ["--set-config", "capturetarget=1"]
        let result = try gphoto(set + ["--capture-image-and-download", "--filename", "shot.jpg"])
        #expect(try studio.card() == ["1/400"], "\(result)")
        try expectPicture("shot.jpg", in: studio)
    }

    private func expectPicture(_ name: String, in studio: ForeignFixture) throws {
        let picture = try Data(contentsOf: studio.file(name))
        #expect(picture.prefix(2) == Data([0xFF, 0xD8]) && picture.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test(arguments: ["z6-2", "z8"])
    func `its list of events has the new picture`(model: String) throws {
        let (studio, gphoto) = try studio(model)
        let result = try gphoto("--set-config", "capturetarget=1", "--trigger-capture", "--wait-event=8s")
        #expect(try studio.card().count == 1, "\(result)")
        #expect(result.output.contains("FILEADDED"), "\(result)")
    }

    /// The body describes a file on its card only after 0.6 s, and gphoto2 asks once.
    @Test func `it fires with a body that is late to describe its file`() throws {
        let (studio, gphoto) = try studio("d850")
        let set = ["--set-config", "capturetarget=1", "--set-config", "shutterspeed2=1/250"]
        let result = try gphoto(set + ["--trigger-capture", "--wait-event=4s"])
        #expect(try studio.card() == ["1/250"], "\(result)")
        #expect(result.output.contains("CAPTURECOMPLETE"), "\(result)")
    }
}
