/// The constants of recordings; docs/flight.md describes the format.
enum FlightFormat {
    static let mark = Array("bracketd-flight\n".utf8)
    /// The format that is written, and the only one that is read.
    static let version: UInt8 = 7
    /// A block ends when its records reach this length.
    static let blockFill = 16 << 10
    static let recordMax = 4 << 20
    /// The limit for all bytes and texts of a record together after decompression.
    static let unfoldedMax = 16 << 20
    /// The number of different transitions that are written once and are numbers afterwards. Others are always
    /// written in full.
    static let transitionsMax = 1024
    /// The number of names of fields and cases, and of shapes of values, that are written once in a file.
    static let namesMax = 1024
    static let shapesMax = 1024
    /// A longer shape is always written in full.
    static let shapeMax = 256
    /// A name or a shape without a number follows; known ones have greater numbers.
    static let new: UInt64 = 1
}

/// A transition of a chart, as in the journal.
package struct FlightTransition: Hashable, Sendable {
    package var chart: String
    /// The leaves that were left, separated by spaces.
    package var from: String
    /// The leaves that were entered.
    package var to: String
    /// The event; empty for a transition without one.
    package var event: String

    package init(chart: String, from: String, to: String, event: String) {
        self.chart = chart
        self.from = from
        self.to = to
        self.event = event
    }
}

/// Why a file cannot be read, or only in part.
package enum FlightError: Error, Hashable, Sendable {
    case notARecording
    /// The file has another format; `version`: of the bracketd that wrote it, if readable.
    case otherFormat(Int, version: String?)
    /// The data at this byte is damaged.
    case damaged(offset: Int, String)
}
