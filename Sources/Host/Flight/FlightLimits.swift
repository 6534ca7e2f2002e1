/// How much of what the core was given the flight recorder keeps: never more than ``byteCountMax`` on the disk, however
/// often the daemon is started.
package struct FlightLimits: Equatable, Sendable {
    static let fileCounts = 0...999
    /// One million: no smaller file is worth its header; one billion: larger ones are hard to hand on.
    static let fileSizes = 1_000_000...1_000_000_000

    /// 0: nothing is recorded.
    package var fileCountMax = 8
    /// In bytes; a file that has as many is followed by the next one.
    package var fileSize = 16_000_000

    /// Of all files together.
    var byteCountMax: Int { fileCountMax * fileSize }
}
