import NIOCore

extension FlightReader {
    /// The same of bytes that are no buffer.
    package init(_ file: [UInt8]) throws(FlightError) {
        try self.init(ByteBuffer(bytes: file))
    }
}
