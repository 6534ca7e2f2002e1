/// The constants of recordings; docs/flight.md describes the format.
enum FlightFormat {
    static let mark = Array("bracketd-flight\n".utf8)
    /// The format that this program writes. It reads no other format.
    static let version: UInt8 = 7
    /// A block ends when its records reach this length.
    static let blockFill = 16 << 10
    static let recordMax = 4 << 20
    /// The maximum size of all bytes and texts of a record together after decompression.
    static let unfoldedMax = 16 << 20
    /// The maximum number of transitions that get a number. Such a transition is written in full once, and as its
    /// number afterwards. Other transitions are always written in full.
    static let transitionsMax = 1024
    /// The maximum number of names of fields and cases, and of shapes of values, that get a number in a file.
    static let namesMax = 1024
    static let shapesMax = 1024
    /// The maximum length of a shape that gets a number. Longer shapes are always written in full.
    static let shapeMax = 256
    /// Announces a name or a shape in full. The numbers of known names and shapes are greater.
    static let new: UInt64 = 1
}

/// A transition of a chart, as in the journal.
package struct FlightTransition: Hashable, Sendable {
    package var chart: String
    /// The leaves that the transition exited, separated by spaces.
    package var from: String
    /// The leaves that the transition entered, separated by spaces.
    package var to: String
    /// The event; empty for a transition that needs no event.
    package var event: String

    package init(chart: String, from: String, to: String, event: String) {
        self.chart = chart
        self.from = from
        self.to = to
        self.event = event
    }
}

/// Why a file cannot be read, or can be read only in part.
package enum FlightError: Error, Hashable, Sendable {
    case notARecording
    /// The file has another format. `version` is the version of the bracketd that wrote it, if readable.
    case otherFormat(Int, version: String?)
    /// The data at this byte is damaged.
    case damaged(offset: Int, String)
}
