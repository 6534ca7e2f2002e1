import ArgumentParser
import Bodies
import Cameras
import Exposure
import ProgramOutput

/// The options of one maker's bodies.
protocol MakerOptions: ParsableArguments {
    /// The maker, a row of the table of makers.
    static var maker: BodyMaker { get }
    /// The simulated bodies, as a text for the help.
    static var abstract: String { get }
    /// The model with these options applied.
    func applied(to model: BodyModel) -> BodyModel
    /// Throws a `ValidationError` if these options contradict the options of discovery.
    func check(isFound: Bool) throws
    /// Whether the body listens for the maker's protocol. Otherwise clients can only find the body.
    var isListening: Bool { get }
    /// Whether the description names the port of the service. Otherwise clients use the usual port.
    static var announcesPort: Bool { get }
    /// Whether the body has sessions and save targets as a body with PTP/IP.
    static var isPTPIP: Bool { get }
    /// The port on which clients expect the body; nil: that of the model.
    var port: UInt16? { get }
    /// Adds the options that belong to one body and not to its model.
    func apply(to options: inout BodyOptions)
}

extension MakerOptions {
    var isListening: Bool { true }
    static var announcesPort: Bool { false }
    static var isPTPIP: Bool { true }
    var port: UInt16? { nil }

    func apply(to options: inout BodyOptions) {}
}

/// The command of a maker, such as `camerasim sony`: simulates a body on a TCP port.
struct BodyCommand<Own: MakerOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Own.maker.name, abstract: Own.abstract, discussion: discussion)
    }

    private static var discussion: String {
        """
        Durations are numbers with us, ms, s or min; a number without a unit means seconds. Frames are numbered \
        from 1 over the life of the body. A frame is current until it is saved and transferred and the buttons are \
        released. 'listening on ADDR:PORT' on standard output means that clients can connect; 'description at URL' \
        with --ssdp means that the body can be found. SIGTERM and SIGINT end the program at once. At SIGUSR1 the \
        body leaves the network without a message and returns after 1 s, with --addresses at another address.

        Faults have the form NAME[@FRAME][:PHASE][=VALUE][,KEY=VALUE][,WORD]; each can be given several times:
        \(FaultGrammar.help(for: Own.maker.name))
        """
    }

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 means any free port. Default: 127.0.0.1 and the usual port of the model. With "
                + "--ssdp, a PTP/IP body can only be found on port 15740.",
            valueName: "addr:port"
        ),
        transform: ListenAddress.init(parsing:)
    )
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp("The body's model; 'camerasim list' lists the models.", valueName: "name"),
        transform: Self.model
    )
    var model = Own.maker.models[0]

    @Option(
        help: ArgumentHelp(
            "Serial number, in letters and digits. It determines the end of the MAC address, the GUID and the UDN.",
            valueName: "text"
        )
    )
    var serial: String?

    @Flag(help: "Use maker, model, firmware, serial number and file names with terminal controls and forged log lines.")
    var hostileNames = false

    @Option(
        help: ArgumentHelp(
            "The address of the body after each SIGUSR1, in turn and repeated; ports are optional.",
            valueName: "addr[:port],..."
        ),
        transform: parseAddresses
    )
    var addresses: [NetworkPlace] = []

    @OptionGroup(title: "Discovery")
    var discovery: DiscoveryOptions

    @Option(help: ArgumentHelp("The mode dial: M, S, A or P.", valueName: "mode"), transform: parseMode)
    var mode = DialMode.manual

    @Option(
        help: ArgumentHelp(
            "The speeds that can be set: FROM..TO or a list with commas, such as 1/8000..30s or 1/60,1/30,2s.",
            valueName: "list"
        ),
        transform: SpeedListText.parse
    )
    var speeds: [ShutterSpeed]?

    @Option(parsing: .unconditional, help: ArgumentHelp("Battery, 0 to 100.", valueName: "percent"))
    var battery: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("How many pictures the card still holds.", valueName: "count"))
    var shotsLeft: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time from the end of the exposure until the picture is saved; default 1 to 2.5 s by the maker.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var saveTime: Duration?

    @Option(
        help: ArgumentHelp(
            "Where pictures go: host, card or both.",
            valueName: "target",
            visibility: Own.isPTPIP ? .default : .hidden
        ),
        transform: parseSaveTarget
    )
    var saveTarget: BodySaveTarget?

    @Option(
        help: ArgumentHelp(
            "The size of each file, such as 25MB. Small: the size of its 96 x 64 pixels, saved at once. Default: size "
                + "and time of a real body.",
            valueName: "bytes"
        ),
        transform: PictureSize.init(parsing:)
    )
    var pictureSize = PictureSize.real

    @Option(
        help: ArgumentHelp(
            "A file with the scene in front of the lens, as JSON; - is standard input. Pictures and live view show it.",
            valueName: "file"
        ),
        transform: SceneFile.read
    )
    var scene: SceneFile?

    @Flag(help: "Add the noise of a full-frame sensor to pictures of --scene.")
    var noise = false

    @Option(
        help: "Long-exposure noise reduction, off or on: from 1 s on, an equally long dark frame follows the exposure."
    )
    var lenr = Switch.off

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Delay of everything that the body sends: answers, events and closes. What it receives is not delayed.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var latency = Duration.zero

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time from a set until a reading shows the new value.", valueName: "duration"),
        transform: DurationText.parse
    )
    var readback: Duration?

    @OptionGroup
    var own: Own

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long the session stays occupied after an initiator disconnects without closing it.",
            valueName: "duration",
            visibility: Own.isPTPIP ? .default : .hidden
        ),
        transform: DurationText.parse
    )
    var slotHold: Duration?

    @Option(
        help: ArgumentHelp("A fault; 'camerasim list' lists them. Can be given several times.", valueName: "spec"),
        transform: Self.fault
    )
    var fault: [Fault] = []

    @Flag(help: "Log operations, exposures and faults to standard error, with milliseconds since the start.")
    var log = false

    @Option(
        help: ArgumentHelp(
            "Append a JSON object per exposed frame: frame, speed, exposureMilliseconds, at (ms since the start), iso, "
                + "aperture.",
            valueName: "file"
        )
    )
    var card: String?

    func validate() throws {
        if let battery, !(0...100).contains(battery) {
            throw ValidationError(OptionSentences.notAPercentage(battery))
        }
        if let shotsLeft, !(0...1_000_000).contains(shotsLeft) {
            throw ValidationError(OptionSentences.notAShotCount(shotsLeft))
        }
        if let serial, !BodyOptions.isSerial(serial) {
            throw ValidationError(OptionSentences.notASerial(serial))
        }
        if !Own.isPTPIP, saveTarget != nil { throw ValidationError(OptionSentences.needsPTPIP("--save-target")) }
        if !Own.isPTPIP, slotHold != nil { throw ValidationError(OptionSentences.needsPTPIP("--slot-hold")) }
        if scene?.hasLimits == true, !model.takesSpeedList {
            throw ValidationError(SceneSentences.noSpeeds(model: model.shortName))
        }
        try own.check(isFound: discovery.ssdp)
        guard discovery.ssdp else { return try discovery.checkThatNoneIsGiven(faults: fault) }
        guard own.isListening, !Own.announcesPort else { return }
        try discovery.check(port: port, listen: address, addresses: addresses, faults: fault)
    }

    /// The port on which clients expect the body.
    private var port: UInt16 { own.port ?? model.ports.first?.number ?? 0 }

    private var address: ListenAddress { listen ?? ListenAddress(host: "127.0.0.1", port: Int(port)) }

    func run() throws {
        installSignalHandlers()
        for place in scene?.unknownMembers ?? [] { StandardStream.errors.message(SceneSentences.unknownMember(place)) }
        let journal = SimulatorJournal(log: log ? LogWriter(.standardError) : nil, card: try card.map(openCard))
        let camera = camera
        let place = SimulatorServer.Place(
            address: address,
            others: addresses,
            isListening: own.isListening,
            announcesPort: Own.announcesPort,
            discovery: discovery.settings(of: camera, faults: fault)
        )
        SimulatorServer.run(camera, at: place, journal: journal)
    }

    private var camera: SimulatedCamera { own.applied(to: model).camera(options) }

    private var options: BodyOptions {
        var options = BodyOptions()
        options.serial = serial
        options.hasHostileNames = hostileNames
        options.mode = mode
        options.speeds = speeds ?? scene?.speeds
        options.scene = scene.map { SceneEye($0.scene(withNoise: noise)) }
        options.batteryPercent = battery
        options.shotsLeft = shotsLeft
        options.saveTime = saveTime ?? (pictureSize == .small ? nil : model.fileDelay)
        options.readbackDelay = readback
        options.slotHold = slotHold
        switch pictureSize {
        case .small: break
        case .real: options.filesHaveRealSize = true
        case .bytes(let count): options.pictureSize = count
        }
        options.saveTarget = saveTarget
        options.noiseReduction = lenr == .on
        options.latency = latency
        options.sendWindow = SimulatorServer.sendWindow
        options.faults = fault
        own.apply(to: &options)
        return options
    }

    @Sendable
    private static func model(_ name: String) throws -> BodyModel {
        guard let model = Own.maker.model(named: name) else {
            let names = Own.maker.models.map(\.shortName)
            throw ArgumentError(description: OptionSentences.notAModel(known: names))
        }
        return model
    }

    @Sendable
    private static func fault(_ text: String) throws -> Fault { try Fault(parsing: text, for: Own.maker.name) }

    private func openCard(_ path: String) throws -> Output {
        switch Output.appending(to: path) {
        case .success(let output): return output
        case .failure(let error): throw ValidationError(OptionSentences.cardNotOpened(path, error))
        }
    }
}

/// The value of `--lenr`: on or off.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case off
    case on
}

/// The value of `--picture-size`.
enum PictureSize: Equatable {
    /// The smallest size that the pixels allow.
    case small
    /// The size of pictures of a real body.
    case real
    case bytes(Int)

    init(parsing text: String) throws {
        self = text == "small" ? .small : .bytes(try ByteCountText.parse(text))
    }
}

/// An error in an option. The description names the valid values in one sentence.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String
}

@Sendable
private func parseAddresses(_ list: String) throws -> [NetworkPlace] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map { text in
        guard let place = NetworkPlace(parsing: String(text)) else {
            throw ArgumentError(description: OptionSentences.notAnAddress(String(text)))
        }
        return place
    }
}

@Sendable
private func parseMode(_ letter: String) throws -> DialMode {
    guard let mode = DialMode(rawValue: letter.uppercased()) else {
        throw ArgumentError(description: OptionSentences.notAMode)
    }
    return mode
}

@Sendable
private func parseSaveTarget(_ name: String) throws -> BodySaveTarget {
    guard let target = BodySaveTarget(rawValue: name) else {
        throw ArgumentError(description: OptionSentences.notASaveTarget)
    }
    return target
}
