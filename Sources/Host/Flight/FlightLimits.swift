/// The limits of the flight recorder: never more than ``byteCountMax`` on the disk, however often the daemon starts.
package struct FlightLimits: Equatable, Sendable {
    static let fileCounts = 0...999
    /// Below one million bytes the header is too large a part of a file; files above one billion are hard to send.
    static let fileSizes = 1_000_000...1_000_000_000

    /// 0 turns recording off.
    package var fileCountMax = 8
    /// In bytes; a larger file is followed by the next one.
    package var fileSize = 16_000_000

    /// The limit for all files together, in bytes.
    var byteCountMax: Int { fileCountMax * fileSize }
}
