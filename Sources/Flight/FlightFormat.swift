/// What every file of a recording has in common; docs/flight.md describes the format.
enum FlightFormat {
    /// The first bytes of a file.
    static let mark = Array("bracketd-flight\n".utf8)
    /// What is written, and the only format that is read.
    static let version: UInt8 = 7
    /// A block is closed when its records are this long.
    static let blockFill = 16 << 10
    /// No record is longer.
    static let recordMax = 4 << 20
    /// All bytes and texts of a record together are not longer once they are unfolded.
    static let unfoldedMax = 16 << 20
    /// So many different transitions are written once and named by a number from then on; all others are written out.
    static let transitionsMax = 1024
    /// So many names of fields and cases, and so many shapes of values, are written once in a file.
    static let namesMax = 1024
    static let shapesMax = 1024
    /// A longer shape is written each time.
    static let shapeMax = 256
    /// A name or a shape without a number follows; the numbers of the others are greater.
    static let new: UInt64 = 1
    /// Why an input is missing in the recording.
    static let omittedSentence = "An input was too large to be recorded here"
}

/// A transition of a chart, as the journal has it.
package struct FlightTransition: Hashable, Sendable {
    package var chart: String
    /// The leaves that were left, with spaces between them.
    package var from: String
    /// The leaves that were entered.
    package var to: String
    /// On what; empty: on nothing but what held.
    package var event: String

    package init(chart: String, from: String, to: String, event: String) {
        self.chart = chart
        self.from = from
        self.to = to
        self.event = event
    }
}

/// Why a file cannot be read, or not further.
package enum FlightError: Error, Hashable, Sendable {
    /// It is something else.
    case notARecording
    /// It has another format; `version`: of the bracketd that wrote it, where that can be read.
    case otherFormat(Int, version: String?)
    /// What stands at this byte was not written so, or is not what it should be.
    case damaged(offset: Int, String)

    /// What is wrong and what to do, for people.
    package var sentence: String {
        switch self {
        case .notARecording: "This is no recording of bracketd."
        case .otherFormat(let format, let version):
            "The recording has format \(format). This program reads format \(FlightFormat.version). "
                + "To replay it, use the bracketctl of "
                + (version.map { "bracketd \($0)" } ?? "the version that wrote it")
                + ", from the same build if there were several."
        case .damaged(let offset, let what): "The recording is damaged at byte \(offset): \(what)."
        }
    }
}
