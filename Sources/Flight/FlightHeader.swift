import Controller

/// What a recording begins with: all that is needed to make the core anew that the inputs were given to.
package struct FlightHeader: Equatable, Sendable {
    /// Who wrote it: ``Version/current``.
    package var version: String
    /// What the core was told when it was made. Whom we are to cameras is left out: its bytes are zeros.
    package var configuration: CoreConfiguration
    /// The charts that the core ran, by name, with their digests.
    package var charts: [String: String]
    /// When the run began, in milliseconds since 1970 (UTC), and where the daemon's clock stood then.
    package var began: Int64
    package var clock: Duration
    /// Which file of its run it is; the run begins in file 0.
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
    /// The version comes first in every format, so that it can be named where nothing else is read.
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

    /// - Returns: the header, and how many records stand in the files before.
    static func read(from fields: inout FieldReader) throws(FieldError) -> (FlightHeader, recordCount: Int) {
        let version = try fields.text()
        let (began, clock) = (try fields.integer(), try fields.duration())
        guard clock >= .zero else { throw FieldError("its clock stood before its beginning") }
        let part = Int(try fields.number(UInt32.self))
        var charts: [String: String] = [:]
        // A chart takes two bytes at the least, and the record ends some time.
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
