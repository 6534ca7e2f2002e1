import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct PictureTests {
    private func frame(
        _ speed: SonyShutterSpeed,
        number: Int = 1,
        held: Duration = .zero,
        change: (inout FrameSettings) -> Void = { _ in }
    ) -> CardFrame {
        var settings = FrameSettings(iso: 100, aperture: 800)
        change(&settings)
        return CardFrame(
            number: number,
            speed: speed.ofBody,
            at: .milliseconds(86_400_000 * 31 + 4_321),
            exposure: speed.exposureTime ?? held,
            settings: settings
        )
    }

    private func jpeg(_ frame: CardFrame, size: Int? = nil) -> ByteBuffer {
        SimulatedPicture(model: "ILCE-7M4", firmware: "3.00", frame: frame, byteCount: size).jpeg().joined()
    }

    private func speed(_ text: String) throws -> SonyShutterSpeed {
        SonyShutterSpeed(try ShutterSpeed(parsing: text))
    }

    // MARK: Files

    @Test func `the picture of a frame is the same every time, and no two frames are equal`() throws {
        let first = frame(try speed("1/60"))
        #expect(jpeg(first) == jpeg(first))
        #expect(jpeg(first) != jpeg(frame(try speed("1/60"), number: 2)))
    }

    @Test(arguments: [0, 1, 2_000, 70_000, 65_540, 65_541, 131_080, 1_000_000, 25_000_000])
    func `a JPEG can have any size, and its segments follow each other from start to end`(size: Int) throws {
        let small = jpeg(frame(try speed("1/60"))).readableBytes
        let picture = jpeg(frame(try speed("1/60")), size: size)
        // The smallest segment has 4 bytes, so the size can differ by less than that.
        #expect(abs(picture.readableBytes - max(small, size)) < 4)
        let (markers, _) = try JPEGReader.segments(picture)
        #expect(markers.first == 0xE1)
        #expect(markers.suffix(5) == [0xDB, 0xC0, 0xC4, 0xC4, 0xDA])
        #expect(picture.getInteger(at: picture.writerIndex - 2) == UInt16(0xFFD9))
        #expect(try JPEGReader.greys(picture) == JPEGReader.greys(jpeg(frame(try speed("1/60")))))
    }

    @Test func `padding is shared and not copied`() throws {
        let frame = frame(try speed("1s"))
        let picture = SimulatedPicture(model: "A", firmware: "1", frame: frame, byteCount: 1_000_000_000)
        var content = picture.jpeg()
        #expect(abs(content.count - 1_000_000_000) < 4)
        var bytes = 0
        while content.count > 0 { bytes += content.read(upTo: 1 << 20).reduce(0) { $0 + $1.readableBytes } }
        #expect(abs(bytes - 1_000_000_000) < 4)
        #expect(abs(picture.raw().count - 1_000_000_000) < 4)
    }

    // MARK: Brightness

    @Test func `the brightness follows the exposure, and clips at both ends`() throws {
        var last = -1.0
        for text in ["1/8000", "1/1000", "1/250", "1/60", "1/15", "1/4", "2s"] {
            let greys = try JPEGReader.greys(jpeg(frame(try speed(text))))
            #expect(greys.count == 96)
            let mean = Double(greys.reduce(0, +)) / 96
            #expect(mean > last, "\(text)")
            last = mean
        }
        #expect(try JPEGReader.greys(jpeg(frame(try speed("30s")))).allSatisfy { $0 == 255 })
        #expect(try JPEGReader.greys(jpeg(frame(try speed("1/8000")))).min()! <= 2)
        // In the middle of the scene, a third is middle grey at 1/60, f/8, ISO 100.
        let middle = try JPEGReader.greys(jpeg(frame(try speed("1/60"))))[4 * 12 + 6]
        #expect((90...130).contains(middle))
    }

    @Test func `sensitivity and aperture count as much as the time`() throws {
        let plain = try JPEGReader.greys(jpeg(frame(try speed("1/60"))))
        let faster = try JPEGReader.greys(jpeg(frame(try speed("1/125")) { $0.iso = 200 }))
        let wider = try JPEGReader.greys(jpeg(frame(try speed("1/125")) { $0.aperture = 566 }))
        for other in [faster, wider] {
            #expect(zip(plain, other).allSatisfy { abs($0 - $1) <= 4 })
        }
        let longer = try JPEGReader.greys(jpeg(frame(.bulb, held: .milliseconds(16))))
        #expect(zip(plain, longer).allSatisfy { abs($0 - $1) <= 8 })
    }

    // MARK: Exif

    @Test(arguments: [
        ("1/8000", 1, 8_000), ("1/250", 1, 250), ("1/10", 1, 10), ("1/3", 1, 3), ("0.4s", 4, 10), ("1.3s", 13, 10),
        ("1s", 1, 1), ("30s", 30, 1),
    ])
    func `the exposure time is written as Sony does`(text: String, numerator: Int, denominator: Int) throws {
        let fields = try ExifReader(jpeg(frame(try speed(text))))
        #expect(fields.rational(0x829A) == [numerator, denominator])
    }

    @Test func `a BULB picture contains the time for which the button was held`() throws {
        #expect(try ExifReader(jpeg(frame(.bulb, held: .milliseconds(240)))).rational(0x829A) == [2, 10])
        #expect(try ExifReader(jpeg(frame(.bulb, held: .seconds(42)))).rational(0x829A) == [42, 1])
        #expect(try ExifReader(jpeg(frame(.bulb, held: .zero))).rational(0x829A) == [1, 10])
    }

    @Test func `the fields contain the body's settings, in JPEG and RAW`() throws {
        let shot = frame(try speed("1/60")) {
            $0.iso = 102_400
            $0.aperture = 560
            $0.compensation = -700
            $0.mode = .shutterPriority
            $0.whiteBalance = 4
        }
        let picture = SimulatedPicture(model: "DSC-RX100M7", firmware: "1.00", frame: shot, byteCount: nil)
        for fields in [try ExifReader(picture.jpeg().joined()), try ExifReader(tiff: picture.raw().joined())] {
            #expect(fields.text(0x010F) == "SONY")
            #expect(fields.text(0x0110) == "DSC-RX100M7")
            #expect(fields.rational(0x829D) == [56, 10])
            #expect(fields.number(0x8827) == 65_535)
            #expect(fields.number(0x8832) == 102_400)
            #expect(fields.number(0x8822) == 4)
            #expect(fields.rational(0x9204) == [-7, 10])
            #expect(fields.text(0x9003) == "2026:02:01 12:00:04")
            #expect(fields.text(0x9291) == "321")
            #expect(fields.number(0xA002) == 96)
            #expect(fields.number(0xA003) == 64)
            #expect(fields.number(0xA402) == 0)
            #expect(fields.number(0xA403) == 1)
        }
        let raw = picture.raw().joined()
        let fields = try ExifReader(tiff: raw)
        let strip = try #require(fields.number(0x0111))
        #expect(fields.number(0x0117) == 96 * 64)
        #expect(raw.readableBytes == strip + 96 * 64)
        #expect(Int(raw.getInteger(at: strip, as: UInt8.self)!) == (try JPEGReader.greys(picture.jpeg().joined())[0]))
    }

    @Test func `the body's clock is right past midnight and the ends of months`() {
        #expect(BodyClock(.zero).ptp == "20260101T120000")
        #expect(BodyClock(.seconds(12 * 3_600)).ptp == "20260102T000000")
        #expect(BodyClock(.seconds(58 * 86_400 + 3_661)).ptp == "20260228T130101")
        #expect(BodyClock(.seconds(59 * 86_400)).ptp == "20260301T120000")
        #expect(BodyClock(.seconds(364 * 86_400)).ptp == "20261231T120000")
    }
}
