import Controller

/// The beginning of a recording. It contains all values that are needed to create the core that received the inputs.
package struct FlightHeader: Equatable, Sendable {
    /// The version of the bracketd that wrote the recording: ``Version/current``.
    package var version: String
    /// The core's configuration. The identity that the daemon shows to cameras is left out: its bytes are zeros.
    package var configuration: CoreConfiguration
    /// The digests of the core's charts, by name.
    package var charts: [String: String]
    /// The start of the run in milliseconds since 1970 (UTC), and the time of the daemon's clock at the start.
    package var began: Int64
    package var clock: Duration
    /// The number of the file within its run, from 0.
    package var part: Int

    package init(
        version: String,
        configuration: CoreConfiguration,
        charts: [String: String],
        began: Int64,
        clock: Duration,
        part: Int = 0
    ) {
        self.version = version
        self.configuration = configuration
        self.charts = charts
        self.began = began
        self.clock = clock
        self.part = part
    }
}

extension FlightHeader {
    /// Writes the version first, as in every format, so that every bracketd can read the version.
    func write(recordCount: Int, to fields: inout FieldWriter) throws {
        fields.text(version)
        fields.signed(began)
        fields.duration(clock)
        fields.number(UInt(part))
        fields.number(UInt(charts.count))
        for (chart, digest) in charts.sorted(by: { $0.key < $1.key }) {
            fields.text(chart)
            fields.text(digest)
        }
        try FieldEncoder.write(configuration, to: &fields)
        fields.number(UInt(recordCount))
    }

    /// - Returns: the header, and the number of records in earlier files.
    static func read(from fields: inout FieldReader) throws(FieldError) -> (FlightHeader, recordCount: Int) {
        let version = try fields.text()
        let (began, clock) = (try fields.integer(), try fields.duration())
        guard clock >= .zero else { throw FieldError("its clock is earlier than its start") }
        let part = Int(try fields.number(UInt32.self))
        var charts: [String: String] = [:]
        // A chart takes at least two bytes, so the length of the record limits the loop.
        for _ in 0..<(try fields.number()) {
            let chart = try fields.text()
            charts[chart] = try fields.text()
        }
        let header = FlightHeader(
            version: version,
            configuration: try FieldDecoder.read(from: &fields),
            charts: charts,
            began: Int64(began),
            clock: clock,
            part: part
        )
        let recordCount = Int(try fields.number(UInt32.self))
        guard fields.isAtEnd else { throw FieldError("its header is longer than it should be") }
        return (header, recordCount)
    }
}
