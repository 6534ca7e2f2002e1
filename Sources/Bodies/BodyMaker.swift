import Cameras

/// A maker of simulated bodies: a row of the table that programs and worlds draw from.
package struct BodyMaker: Sendable {
    /// As `camerasim` calls it: `sony`.
    package var name: String
    /// The default first.
    package var models: [BodyModel]
    /// Those of a daemon that can drive these bodies.
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

    /// The model with this name, short or in full, in any case; nil when there is none.
    package func model(named name: String) -> BodyModel? {
        models.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// All that can be simulated. Tests add makers of their own.
    package static let all: [BodyMaker] = [.sony]
}

/// A model of a maker's bodies, and how to make one.
package struct BodyModel: Sendable {
    /// As people type it: `rx100m7`.
    package var shortName: String
    /// As the body calls itself.
    package var name: String
    /// The generation of the maker's protocol.
    package var version: Int
    /// What is special about it, in one line.
    package var summary: String
    /// In what it differs from a plain one, a sentence each.
    package var quirks: [String] = []
    /// From the end of the exposure until the file is ready, as real bodies of it take.
    package var fileDelay = Duration.milliseconds(2_500)
    /// Whether the body takes a list of the speeds that it is to offer.
    package var takesSpeedList = true
    /// Another body of the model, in what bodies of it differ.
    package var varied: @Sendable (BodyModel, inout SeededGenerator) -> BodyModel = { model, _ in model }
    /// Where its bodies listen; the first port is the one that they are found by.
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
