import Cameras
import NIOCore
import PTP

/// The files of a frame: a real JPEG of a small scene, and a substitute for a RAW file. The Exif fields of both files
/// show the true exposure.
package struct SimulatedPicture: Sendable {
    /// The maker's name in its files.
    package var maker: String
    /// The model name that the body reports.
    package var model: String
    package var firmware: String
    /// The name of the maker's RAW format.
    package var rawName = "ARW"
    package var frame: CardFrame
    /// The requested size of a file in bytes. nil, or a size that is too small: the smallest possible size.
    package var byteCount: Int?
    /// The scene of the JPEG; nil: ``SimulatedScene``. The substitute for a RAW file always shows that one.
    package var scene: SceneEye?

    /// The maximum size of a file in bytes, below the 32-bit limit of PTP objects.
    package static let byteCountMax = 2_000_000_000

    /// The size of a real file in bytes. The assumption is 0.35 bytes per pixel for a fine JPEG, and 1.1 bytes per
    /// pixel for a compressed RAW.
    package static func realSize(of kind: PictureInfo.Kind, megapixels: Int) -> Int {
        megapixels * (kind == .raw ? 1_100_000 : 350_000)
    }

    package init(maker: String = "SONY", model: String, firmware: String, frame: CardFrame, byteCount: Int? = nil) {
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.frame = frame
        self.byteCount = byteCount
    }

    // MARK: JPEG

    /// A JPEG: start, Exif, comments up to the requested size, image.
    package func jpeg() -> ResponderContent {
        var head = ByteBuffer(bytes: [0xFF, 0xD8])
        var exif = ByteBuffer(string: "Exif\0\0")
        exif.writeImmutableBuffer(metadata(of: nil))
        GreyJPEG.segment(0xE1, exif, into: &head)
        GreyJPEG.segment(0xFE, ByteBuffer(string: "frame \(frame.number)"), into: &head)
        let image = image
        var content = ResponderContent(head)
        pad(&content, to: (byteCount ?? 0) - image.readableBytes)
        content.append(image)
        return content
    }

    private var image: ByteBuffer {
        guard let scene else {
            return GreyJPEG.image(greys: greys, width: SimulatedScene.width, height: SimulatedScene.height)
        }
        let cells = scene.picture(of: frame)
        return ByteBuffer(bytes: FlatJPEG(cells: cells, columns: scene.scene.columns, blocksPerCell: 2).image())
    }

    /// Appends comments of the maximum size, which share one buffer. One or two shorter comments fill the rest.
    private func pad(_ content: inout ResponderContent, to size: Int) {
        let missing = size - content.count
        let whole = Self.wholeComment.readableBytes
        // A comment has at least 4 bytes. If fewer bytes remain, two shorter comments replace one of maximum size.
        let rest = missing % whole
        let times = rest > 0 && rest < 4 ? missing / whole - 1 : missing / whole
        content.append(Self.wholeComment, times: max(0, times))
        var left = size - content.count
        while left >= 4 {
            let part = left > whole ? whole / 2 : left
            content.append(Self.comment(part))
            left -= part
        }
    }

    private static let wholeComment = comment(2 + 0xFFFF)

    /// A COM segment of this size, which includes the marker.
    private static func comment(_ size: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        GreyJPEG.segment(0xFE, ByteBuffer(repeating: UInt8(ascii: "."), count: size - 4), into: &buffer)
        return buffer
    }

    private var greys: [UInt8] { SimulatedScene.greys(light: frame.settings.light(over: frame.exposure)) }

    // MARK: RAW

    /// A substitute for a RAW file: an uncompressed TIFF file of the scene, then zeros up to the requested size.
    package func raw() -> ResponderContent {
        let greys = self.greys
        let pixels = (0..<SimulatedScene.height).flatMap { row in
            (0..<SimulatedScene.width).map { column in
                greys[row / SimulatedScene.side * SimulatedScene.columns + column / SimulatedScene.side]
            }
        }
        let strip = ByteBuffer(bytes: pixels)
        var content = ResponderContent(metadata(of: strip.readableBytes))
        content.append(strip)
        let missing = max(0, (byteCount ?? 0) - content.count)
        content.append(Self.zeros, times: missing / Self.zeros.readableBytes)
        content.append(ByteBuffer(repeating: 0, count: missing % Self.zeros.readableBytes))
        return content
    }

    private static let zeros = ByteBuffer(repeating: 0, count: 64 << 10)

    // MARK: Exif

    /// A TIFF header and the directories.
    ///
    /// - Parameter strip: The byte count of the pixels that follow directly; nil: no pixels follow.
    private func metadata(of strip: Int?) -> ByteBuffer {
        let exif = exifDirectory()
        var main = mainDirectory(exifAt: 0, strip: strip.map { (0, $0) })
        let exifStart = 8 + main.size
        main = mainDirectory(exifAt: exifStart, strip: strip.map { (exifStart + exif.size, $0) })
        var buffer = ByteBuffer(string: "II")
        buffer.writeMultipleIntegers(UInt16(42), UInt32(8), endianness: .little)
        main.write(at: 8, into: &buffer)
        exif.write(at: exifStart, into: &buffer)
        return buffer
    }

    private func mainDirectory(exifAt exif: Int, strip: (start: Int, count: Int)?) -> TIFFDirectory {
        var directory = TIFFDirectory()
        if strip != nil {
            directory.add(0x0100, .long(SimulatedScene.width))
            directory.add(0x0101, .long(SimulatedScene.height))
            directory.add(0x0102, .short(8))
            directory.add(0x0103, .short(1))  // no compression
            directory.add(0x0106, .short(1))  // 0 is black
        }
        let kind = strip == nil ? "" : "\(rawName) stand-in, "
        directory.add(0x010E, .text("\(kind)frame \(frame.number)"))
        directory.add(0x010F, .text(maker))
        directory.add(0x0110, .text(model))
        if let strip { directory.add(0x0111, .long(strip.start)) }
        directory.add(0x0112, .short(1))
        if let strip {
            directory.add(0x0115, .short(1))
            directory.add(0x0116, .long(SimulatedScene.height))
            directory.add(0x0117, .long(strip.count))
        }
        directory.add(0x011A, .rational(350, 1))
        directory.add(0x011B, .rational(350, 1))
        directory.add(0x0128, .short(2))
        directory.add(0x0131, .text("\(model) v\(firmware)"))
        directory.add(0x0132, .text(BodyClock(frame.at).exif))
        directory.add(0x0213, .short(2))
        directory.add(0x8769, .long(exif))
        return directory
    }

    private func exifDirectory() -> TIFFDirectory {
        let settings = frame.settings
        let clock = BodyClock(frame.at)
        let exposure = Self.exposureTime(frame)
        var directory = TIFFDirectory()
        directory.add(0x829A, .rational(exposure.numerator, exposure.denominator))
        if let aperture = settings.aperture { directory.add(0x829D, .rational(aperture / 10, 10)) }
        directory.add(0x8822, .short(settings.mode.exifProgram))
        // For an ISO above 16 bits this field has 65535. A later field has the correct ISO.
        directory.add(0x8827, .short(settings.iso))
        directory.add(0x8830, .short(2))
        directory.add(0x8832, .long(settings.iso))
        directory.add(0x9000, .undefined(Array("0232".utf8)))
        directory.add(0x9003, .text(clock.exif))
        directory.add(0x9004, .text(clock.exif))
        directory.add(0x9101, .undefined([1, 2, 3, 0]))
        directory.add(0x9204, .signedRational(settings.compensation / 100, 10))
        directory.add(0x9209, .short(16))
        directory.add(0x9290, .text(clock.fraction))
        directory.add(0x9291, .text(clock.fraction))
        directory.add(0x9292, .text(clock.fraction))
        directory.add(0xA000, .undefined(Array("0100".utf8)))
        directory.add(0xA001, .short(1))
        var options = BodyOptions()
        options.scene = scene
        directory.add(0xA002, .long(options.pictureSides.width))
        directory.add(0xA003, .long(options.pictureSides.height))
        directory.add(0xA402, .short(settings.mode == .manual ? 1 : 0))
        directory.add(0xA403, .short(settings.whiteBalance == 2 ? 0 : 1))
        return directory
    }

    /// The exposure time as Sony writes it: 1/250, 4/10, 13/10, 30/1. For BULB: the resulting time.
    package static func exposureTime(_ frame: CardFrame) -> (numerator: Int, denominator: Int) {
        if let nominal = frame.speed.nominal, nominal.numerator == 1 { return (1, nominal.denominator) }
        let milliseconds = Int(DurationText.milliseconds(frame.exposure))
        let tenths = frame.speed.nominal.map { $0.numerator * 10 / $0.denominator } ?? max(1, (milliseconds + 50) / 100)
        return tenths % 10 == 0 ? (tenths / 10, 1) : (tenths, 10)
    }
}

extension DialMode {
    /// The value of Exif's ExposureProgram.
    fileprivate var exifProgram: Int {
        switch self {
        case .manual: 1
        case .program: 2
        case .aperturePriority: 3
        case .shutterPriority: 4
        }
    }
}
