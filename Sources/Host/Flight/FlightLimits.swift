/// The limits of the flight recorder. The recordings of all runs together never exceed ``byteCountMax``.
package struct FlightLimits: Equatable, Sendable {
    static let fileCounts = 0...999
    /// Below one million bytes the header takes too much of a file. Files above one billion bytes are hard to send.
    static let fileSizes = 1_000_000...1_000_000_000

    /// The maximum number of files; 0 turns recording off.
    package var fileCountMax = 8
    /// The size in bytes at which the next file begins.
    package var fileSize = 16_000_000

    /// The limit for all files together, in bytes.
    var byteCountMax: Int { fileCountMax * fileSize }
}
