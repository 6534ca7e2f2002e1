import Bodies
import Exposure
import Foundation

/// Pictures of a scene with known light, as a camera writes them to its card.
struct SceneFixture {
    let folder: URL
    private let eye: SceneEye

    /// A window in a dim room, with a deep corner. At f/8 and ISO 100 the highlights become mid-grey at the place 14.1
    /// on the scale of speeds, the shadows at 49.5.
    init(in folder: URL) {
        self.folder = folder
        var scene = Scene(columns: 96, rows: 64, base: 5)
        func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ tone: SceneShape.Tone) {
            scene.shapes.append(SceneShape(.rectangle(x: x, y: y, width: width, height: height), tone))
        }
        add(0, 0, 100, 100, .ramp(from: 6.5, to: 4.5, .y))
        add(0, 80, 12, 20, .flat(2.5))
        add(62, 15, 26, 40, .flat(13))
        add(66, 18, 6, 10, .flat(14.3))
        eye = SceneEye(scene)
    }

    /// Writes the picture of an exposure and returns its path.
    func write(_ name: String, at speed: ShutterSpeed, iso: UInt16 = 100) throws -> String {
        let picture = FlatJPEG(cells: eye.picture(at: speed), columns: 96, blocksPerCell: 1)
        var bytes: [UInt8] = [0xFF, 0xD8]
        let exif = SceneFixture.exif(speed, iso)
        bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)]
        bytes += exif
        bytes += picture.image()
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// The exposure time, f/8 and the ISO (EXIF 2.32, 4.6.5).
    private static func exif(_ speed: ShutterSpeed, _ iso: UInt16) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
        func entry(_ tag: UInt16, _ type: UInt16, _ value: UInt32) -> [UInt8] {
            [bytes(tag), bytes(type), bytes(UInt32(1)), bytes(value)].flatMap { $0 }
        }
        let time = speed.nominalFraction
        let parts: [[UInt8]] = [
            Array("Exif\0\0II*\0".utf8), bytes(UInt32(8)),
            // The first directory at 8 has 18 bytes, the second at 26 has 42, the fractions follow at 68 and 76.
            bytes(UInt16(1)), entry(0x8769, 4, 26), bytes(UInt32(0)),
            bytes(UInt16(3)), entry(0x829A, 5, 68), entry(0x829D, 5, 76), entry(0x8827, 3, UInt32(iso)),
            bytes(UInt32(0)),
            bytes(UInt32(time.numerator)), bytes(UInt32(time.denominator)), bytes(UInt32(8)), bytes(UInt32(1)),
        ]
        return parts.flatMap { $0 }
    }
}
