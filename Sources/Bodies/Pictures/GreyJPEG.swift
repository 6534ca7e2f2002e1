import NIOCore

/// The parts of a simulated body's JPEG.
enum GreyJPEG {
    /// The part of the JPEG after the application segments: tables, frame, scan, end.
    static func image(greys: [UInt8], width: Int, height: Int) -> ByteBuffer {
        ByteBuffer(bytes: FlatJPEG(greys: greys, width: width, height: height).image())
    }

    /// Writes a marker, a length that includes the length field, and the body.
    static func segment(_ marker: UInt8, _ body: ByteBuffer, into buffer: inout ByteBuffer) {
        buffer.writeBytes([0xFF, marker])
        buffer.writeInteger(UInt16(body.readableBytes + 2), endianness: .big)
        buffer.writeImmutableBuffer(body)
    }
}
