import Cameras

/// A maker of simulated bodies: a row of the table for programs and worlds.
package struct BodyMaker: Sendable {
    /// The maker's name in `camerasim`: `sony`.
    package var name: String
    /// The default first.
    package var models: [BodyModel]
    /// The drivers of a daemon that supports these bodies.
    package var drivers: CameraDrivers
    /// How such a daemon finds cameras.
    package var discovery: DiscoveryTable

    package init(
        name: String,
        models: [BodyModel],
        drivers: CameraDrivers = .all,
        discovery: DiscoveryTable = .standard
    ) {
        precondition(!models.isEmpty, "a maker makes something")
        self.name = name
        self.models = models
        self.drivers = drivers
        self.discovery = discovery
    }

    /// The model with this name, short or full, in any case; nil when there is none.
    package func model(named name: String) -> BodyModel? {
        models.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// All simulated makers. Tests add their own.
    package static let all: [BodyMaker] = [.sony]
}

/// A model of a maker, and how to make a body of it.
package struct BodyModel: Sendable {
    /// The name on the command line: `rx100m7`.
    package var shortName: String
    /// The body's own name.
    package var name: String
    /// The generation of the maker's protocol.
    package var version: Int
    /// Its special features, in one line.
    package var summary: String
    /// Its differences from a plain body, one sentence each.
    package var quirks: [String] = []
    /// From the end of the exposure until the file is ready, as on real bodies of the model.
    package var fileDelay = Duration.milliseconds(2_500)
    /// Whether the offered speeds can be set by an option.
    package var takesSpeedList = true
    /// Another body of the model, with the differences between bodies of it.
    package var varied: @Sendable (BodyModel, inout SeededGenerator) -> BodyModel = { model, _ in model }
    /// The ports of its bodies; discovery uses the first one.
    package let ports: [BodyPort]
    /// A body that was just switched on.
    package let make: @Sendable (BodyOptions) -> any SimulatedBody

    package init<Body: SimulatedBody>(
        shortName: String,
        name: String,
        version: Int = 1,
        summary: String,
        make: @escaping @Sendable (BodyOptions) -> Body
    ) {
        self.shortName = shortName
        self.name = name
        self.version = version
        self.summary = summary
        ports = Body.ports
        self.make = make
    }

    /// A body behind its link.
    package func camera(_ options: BodyOptions) -> SimulatedCamera { SimulatedCamera(make(options), options: options) }
}
