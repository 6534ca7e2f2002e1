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
