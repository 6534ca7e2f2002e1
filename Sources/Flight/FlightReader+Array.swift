import NIOCore

extension FlightReader {
    /// Reads a file from an array of bytes.
    package init(_ file: [UInt8]) throws(FlightError) {
        try self.init(ByteBuffer(bytes: file))
    }
}
