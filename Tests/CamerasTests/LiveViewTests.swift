import Cameras
import Exposure
import JSON
import NIOCore
import PTP
import Testing

/// The pictures of live view in the data of each kind of body. A false length is an error, and nothing else happens.
struct LiveViewDataTests {
    /// A JPEG of 96 × 64 pixels: start, frame, scan with a stuffed 0xFF and a restart, end.
    static let jpeg = ByteBuffer(
        hex: "FFD8 FFC0000B080040006001011100 FFDA0008010100003F00 12FF0034FFD056 FFD9"
    )

    /// Bytes after the end that contain another end.
    private static let tail = ByteBuffer(hex: "00FFD95A")

    private static func joined(_ parts: ByteBuffer...) -> ByteBuffer {
        parts.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
    }

    /// Fails if reading any beginning of the data, or the data with any one byte changed, does more than throw.
    private static func damage(_ data: ByteBuffer, _ read: (ByteBuffer) throws -> LiveViewJPEG?) {
        for length in 0..<data.readableBytes {
            guard let part = data.getSlice(at: data.readerIndex, length: length) else { continue }
            _ = try? read(part)
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = data
                changed.setInteger(value, at: length)
                _ = try? read(changed)
            }
        }
    }

    // MARK: JPEG

    @Test func `a JPEG ends at its own end marker, whatever follows`() throws {
        let found = try LiveViewJPEG(parsing: Self.joined(Self.jpeg, Self.tail))
        #expect(found.bytes == Self.jpeg && found.width == 96 && found.height == 64)
        Self.damage(Self.jpeg) { try LiveViewJPEG(parsing: $0) }
    }

    @Test func `a JPEG that is cut anywhere is not valid`() throws {
        for length in 0..<Self.jpeg.readableBytes {
            let part = try #require(Self.jpeg.getSlice(at: 0, length: length))
            #expect(throws: LiveViewError.self) { try LiveViewJPEG(parsing: part) }
        }
    }

    private static let falseParts: [(String, LiveViewError)] = [
        ("FFD9", .noJPEG), ("FFD8FFD9", .noSize), ("FFD8FFE0FFFF00", .partLength(0xFFFF, left: 3)),
        ("FFD8FFE00001", .partLength(1, left: 2)), ("FFD800", .strayByte(0)), ("FFD8FF", .cut),
        ("FFD8FFC0000B080000006001011100FFD9", .noSize),
    ]

    @Test(arguments: falseParts)
    func `a false part is named`(hex: String, error: LiveViewError) {
        #expect(throws: error) { try LiveViewJPEG(parsing: ByteBuffer(hex: hex)) }
        #expect(error.sentence.hasPrefix("The camera's live view picture is not valid: "))
    }

    @Test func `a picture that is too long for an answer is refused`() {
        var long = ByteBuffer(hex: "FFD8FFC0000B080040006001011100FFDA0008010100003F00")
        long.writeRepeatingByte(0, count: LiveViewLimits.jpegMax)
        long.writeBytes([0xFF, 0xD9])
        #expect(throws: LiveViewError.tooLong(long.readableBytes)) { try LiveViewJPEG(parsing: long) }
    }

    // MARK: Sony over PTP/IP

    private static func sony(_ numbers: [UInt32], _ rest: ByteBuffer) -> ByteBuffer {
        var data = ByteBuffer()
        for number in numbers { data.writeInteger(number, endianness: .little) }
        data.writeImmutableBuffer(rest)
        return data
    }

    @Test func `a Sony frame has the JPEG at its offset, and bytes without meaning after it`() throws {
        let info = ByteBuffer(repeating: 0, count: 120)
        let field = Self.joined(Self.jpeg, ByteBuffer(repeating: 0xD9, count: 128 - Self.jpeg.readableBytes))
        let data = Self.sony([136, 128, 16, 120], Self.joined(info, field))
        #expect(try SonyLiveViewFrame.jpeg(data).bytes == Self.jpeg)
        Self.damage(data) { try SonyLiveViewFrame.jpeg($0) }
        // The field ends after the data.
        let short = Self.sony([136, 256, 16, 120], Self.joined(info, field))
        #expect(
            throws: LiveViewError.header(.countBeyondData(field: "live view JPEG", count: 256, left: 128))
        ) { try SonyLiveViewFrame.jpeg(short) }
    }

    // MARK: Canon

    @Test func `a Canon frame is in the first record with a picture`() throws {
        var data = ByteBuffer(hex: "0C0000000400000001020304")
        data.writeMultipleIntegers(UInt32(8 + Self.jpeg.readableBytes), 9 as UInt32, endianness: .little)
        data.writeImmutableBuffer(Self.jpeg)
        data.writeImmutableBuffer(ByteBuffer(hex: "0800000000000000"))
        #expect(try CanonLiveView.jpeg(data).bytes == Self.jpeg)
        Self.damage(data) { try CanonLiveView.jpeg($0) }
    }

    @Test func `the vectors of Canon's records are read as far as they go`() {
        // This JPEG has only a start and an end.
        #expect(throws: LiveViewError.noSize) { try CanonLiveView.jpeg(CanonVectors.bytes("canon_liveview_one_jpeg")) }
        // These are the heads of the records, without their contents.
        let error = LiveViewError.header(.countBeyondData(field: "live view record", count: 464_126, left: 88))
        #expect(throws: error) { try CanonLiveView.jpeg(CanonVectors.bytes("canon_liveview_record_headers_1300d")) }
    }

    @Test(arguments: ["0000000001000000", "0700000001000000", "FFFFFFFF01000000", "0800000000000000", "08", ""])
    func `a Canon record with a false size, or none with a picture, is an error`(hex: String) {
        #expect(throws: LiveViewError.self) { try CanonLiveView.jpeg(ByteBuffer(hex: hex)) }
    }

    // MARK: Nikon

    @Test func `a Nikon frame follows a header of any size`() throws {
        for size in [0, 64, 384, 1024] {
            let data = Self.joined(ByteBuffer(repeating: 7, count: size), Self.jpeg, Self.tail)
            #expect(try NikonLiveView.jpeg(data).bytes == Self.jpeg)
        }
        let late = Self.joined(ByteBuffer(repeating: 7, count: 5000), Self.jpeg)
        #expect(throws: LiveViewError.noJPEG) { try NikonLiveView.jpeg(late) }
        Self.damage(Self.joined(ByteBuffer(repeating: 7, count: 8), Self.jpeg)) { try NikonLiveView.jpeg($0) }
    }

    // MARK: Sony over HTTP

    private static func head(_ name: String, size: Int? = nil, padding: UInt8? = nil) -> ByteBuffer {
        let vectors = SonyHTTPVectors.object("http_live_view_packet_derived")
        var head = ByteBuffer(hex: vectors[name]?.stringValue ?? "")
        if let size { head.setInteger(UInt32(size) << 8 | UInt32(padding ?? 0), at: 12) }
        return head
    }

    /// A packet with a frame of the focus, and one with the picture.
    private static let stream = joined(
        head("frame_info_header_136_bytes"),
        ByteBuffer(repeating: 0, count: 16),
        head("image_header_136_bytes", size: jpeg.readableBytes, padding: 3),
        jpeg,
        ByteBuffer(repeating: 0, count: 3)
    )

    @Test(arguments: [1, 7, 136, 1000])
    func `the first picture of a stream is found in pieces of any size`(pieceSize: Int) throws {
        var reader = SonyHTTPLiveViewReader()
        var rest = Self.stream
        var found: LiveViewJPEG?
        while found == nil, rest.readableBytes > 0 {
            let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes))
            found = try reader.receive(#require(piece))
        }
        #expect(found?.bytes == Self.jpeg)
    }

    @Test func `a stream that begins in the middle of a packet continues at the next head`() throws {
        var reader = SonyHTTPLiveViewReader()
        let rest = try #require(Self.stream.getSlice(at: 20, length: Self.stream.readableBytes - 20))
        #expect(try reader.receive(Self.joined(ByteBuffer(hex: "FF01FFD8"), rest))?.bytes == Self.jpeg)
    }

    @Test func `a payload without end, and a stream without a head, are errors`() throws {
        var reader = SonyHTTPLiveViewReader()
        let size = SonyHTTPLiveViewReader.payloadMax + 1
        let error = LiveViewError.header(
            .countBeyondData(field: "live view payload", count: size, left: SonyHTTPLiveViewReader.payloadMax)
        )
        #expect(throws: error) { try reader.receive(Self.head("image_header_136_bytes", size: size)) }
        var noise = SonyHTTPLiveViewReader()
        let piece = ByteBuffer(repeating: 0xFF, count: 1 << 20)
        for _ in 0..<LiveViewLimits.byteCountMax >> 20 { #expect(try noise.receive(piece) == nil) }
        #expect(throws: LiveViewError.tooLong(LiveViewLimits.byteCountMax + (1 << 20))) { try noise.receive(piece) }
        Self.damage(Self.stream) { data in
            var reader = SonyHTTPLiveViewReader()
            return try reader.receive(data)
        }
    }
}
