import Foundation
import Testing

/// The program of libexif reads the pictures of a simulated body, and the program of libjpeg-turbo decodes them.
@Suite(.serialized) struct `Pictures of the simulated bodies, in independent programs` {
    /// Fires one frame with gphoto2 and returns the file's name.
    private static func picture(
        _ studio: ForeignFixture,
        at speed: String,
        label: String,
        name: String
    ) throws -> String {
        let gphoto = GPhoto(studio: studio)
        _ = try gphoto("--set-config", "shutterspeed=\(speed)")
        try studio.wait(for: "the body's speed") {
            (try? gphoto("--get-config", "shutterspeed").current == label) ?? false
        }
        let result = try gphoto("--capture-image-and-download", "--filename", name)
        try #require(FileManager.default.fileExists(atPath: studio.file(name).path), "\(result)")
        return name
    }

    private static func tag(_ tag: String, of name: String, in studio: ForeignFixture) throws -> String {
        let result = try studio.run("/usr/bin/exif", ["--machine-readable", "--tag=\(tag)", name])
        try #require(result.status == 0, "\(tag): \(result)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The mean of all pixels, 0 to 255.
    private static func brightness(of name: String, in studio: ForeignFixture) throws -> Double {
        let result = try studio.run("/usr/bin/djpeg", ["-grayscale", "-pnm", "-outfile", "\(name).pgm", name])
        try #require(result.status == 0 && result.errors.isEmpty, "\(result)")
        let bytes = [UInt8](try Data(contentsOf: studio.file("\(name).pgm")))
        // The file begins with P5, width and height, and the largest value. Then each pixel is a byte.
        let header = bytes.enumerated().filter { $0.element == UInt8(ascii: "\n") }.map(\.offset)
        try #require(header.count >= 3 && bytes.starts(with: Array("P5".utf8)))
        let pixels = bytes[(header[2] + 1)...]
        try #require(!pixels.isEmpty)
        return Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count)
    }

    @Test func `exif reads the exposure`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("ILCE-7M4", ["--save-time", "50ms"])
        for (speed, label, shown) in [("1/250", "1/250", "1/250 sec."), ("10/10", "1", "1 sec.")] {
            let name = "exposed-\(label.replacingOccurrences(of: "/", with: "-")).jpg"
            _ = try Self.picture(studio, at: speed, label: label, name: name)
            #expect(try Self.tag("ExposureTime", of: name, in: studio) == shown)
            #expect(try Self.tag("Model", of: name, in: studio) == "ILCE-7M4")
        }
    }

    @Test func `exif reads the other fields of an exposure`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("ILCE-7M4", ["--save-time", "50ms"])
        let name = try Self.picture(studio, at: "1/125", label: "1/125", name: "other.jpg")
        #expect(try Self.tag("FNumber", of: name, in: studio) == "f/8.0")
        #expect(try Self.tag("ISOSpeedRatings", of: name, in: studio) == "100")
        let time = try Self.tag("DateTimeOriginal", of: name, in: studio)
        #expect(time.wholeMatch(of: /\d{4}:\d\d:\d\d \d\d:\d\d:\d\d/) != nil, "\(time)")
    }

    @Test func `djpeg decodes it completely, and a longer exposure is brighter`() throws {
        let studio = try ForeignFixture()
        try studio.startCamera("ILCE-7M4", ["--save-time", "50ms"])
        // The longest exposure comes first, so that later frames are not brighter only because they are later.
        let brightness = try ["1/8", "1/30", "1/125", "1/500"].enumerated().map { index, speed in
            let name = try Self.picture(studio, at: speed, label: speed, name: "bright\(index).jpg")
            return try Self.brightness(of: name, in: studio)
        }
        #expect(zip(brightness, brightness.dropFirst()).allSatisfy { $0 > $1 }, "\(brightness)")
    }
}
