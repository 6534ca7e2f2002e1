import Cameras

/// A maker of simulated bodies. Programs and worlds read the makers from the table `all`.
package struct BodyMaker: Sendable {
    /// The maker's name in `camerasim`, for example `sony`.
    package var name: String
    /// The simulated models. The default is the first.
    package var models: [BodyModel]
    /// The drivers of a daemon that supports these bodies.
    package var drivers: CameraDrivers
    /// How a daemon with these drivers finds cameras.
    package var discovery: DiscoveryTable
    /// Draws a fault that only this maker's bodies have; nil: there is none.
    package var drawFault: (@Sendable (inout SeededGenerator) -> Fault)?

    package init(
        name: String,
        models: [BodyModel],
        drivers: CameraDrivers = .all,
        discovery: DiscoveryTable = .standard,
        drawFault: (@Sendable (inout SeededGenerator) -> Fault)? = nil
    ) {
        precondition(!models.isEmpty, "a maker makes something")
        self.name = name
        self.models = models
        self.drivers = drivers
        self.discovery = discovery
        self.drawFault = drawFault
    }

    /// The model with this short or full name, in upper or lower case; nil: no such model.
    package func model(named name: String) -> BodyModel? {
        models.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// The maker with this name; nil: no such maker.
    package static func named(_ name: String) -> BodyMaker? { all.first { $0.name == name } }

    /// All simulated makers. Tests add makers of their own.
    package static let all: [BodyMaker] = [.sony, .canon, .nikon, .sonyHTTP]
}

/// A model of a maker, with a function that makes a body of the model.
package struct BodyModel: Sendable {
    /// The name on the command line, for example `rx100m7`.
    package var shortName: String
    /// The name that the body reports.
    package var name: String
    /// The generation of the maker's protocol.
    package var version: Int
    /// The special features of the model, in one line.
    package var summary: String
    /// The quirks of the model, one sentence each.
    package var quirks: [String] = []
    /// The time from the end of the exposure until the file is ready, as on real bodies of the model.
    package var fileDelay = Duration.milliseconds(2_500)
    /// Whether an option can set the list of offered speeds.
    package var takesSpeedList = true
    /// Whether the body can be used for a bracket. Worlds draw only such bodies.
    package var firesBrackets = true
    /// Returns another body of the same model, with random differences between bodies.
    package var varied: @Sendable (BodyModel, inout SeededGenerator) -> BodyModel = { model, _ in model }
    /// The ports of the model's bodies. Discovery uses the first port.
    package var ports: [BodyPort]
    /// Makes a body that was just switched on.
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

    /// Makes a body with a link to the initiator.
    package func camera(_ options: BodyOptions) -> SimulatedCamera { SimulatedCamera(make(options), options: options) }
}
