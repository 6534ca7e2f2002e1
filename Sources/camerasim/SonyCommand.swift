import ArgumentParser
import Bodies
import Cameras

/// `camerasim sony`: a Sony body on a TCP port.
struct SonyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sony",
        abstract: "Simulate a Sony body that speaks PTP/IP.",
        discussion: """
            Durations are numbers with us, ms, s or min; a bare number counts seconds. Frames count from 1 over the \
            life of the body; a frame is current until it is saved and fetched and the buttons are up. 'listening on \
            ADDR:PORT' on standard output says that it can be connected to, 'description at URL' with --ssdp that it \
            can be found. SIGTERM and SIGINT end it at once; at SIGUSR1 it leaves the network without a word and comes \
            back after 1 s, with --addresses elsewhere.

            Faults, written NAME[@FRAME][:PHASE][=VALUE][,KEY=VALUE][,WORD]; all may be given several times:
            \(FaultGrammar.help)
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 takes any free one. With --ssdp only port 15740 can be found.",
            valueName: "addr:port"
        ),
        transform: ListenAddress.init(parsing:)
    )
    var listen = ListenAddress(host: "127.0.0.1", port: 15740)

    @Option(help: ArgumentHelp("Which body; 'camerasim list' names them.", valueName: "name"), transform: parseModel)
    var model = SonyModel.ilce7M4

    @Option(
        help: ArgumentHelp(
            "Serial number, in letters and digits; the end of the MAC address, and with it GUID and UDN, follow "
                + "from it.",
            valueName: "text"
        )
    )
    var serial: String?

    @Flag(help: "Give maker, model, firmware, serial number and files names that steer terminals and forge log lines.")
    var hostileNames = false

    @Option(
        help: ArgumentHelp(
            "Where the body is after each SIGUSR1, one after the other and over again; ports may be left out.",
            valueName: "addr[:port],..."
        ),
        transform: parseAddresses
    )
    var addresses: [NetworkPlace] = []

    @OptionGroup(title: "Being found")
    var discovery: DiscoveryOptions

    @Option(help: ArgumentHelp("Where the mode dial stands: M, S, A or P.", valueName: "mode"), transform: parseMode)
    var mode = DialMode.manual

    @Option(
        help: ArgumentHelp(
            "The speeds that can be set: FROM..TO or a list with commas, such as 1/8000..30s or 1/60,1/30,2s.",
            valueName: "list"
        ),
        transform: SpeedListText.parse
    )
    var speeds: [SonyShutterSpeed]?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Battery, 0 to 100.", valueName: "percent")
    )
    var battery: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many pictures the card still holds.", valueName: "count")
    )
    var shotsLeft: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "From the end of the exposure until the picture is saved; left out, 2.5 s as on a real body.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var saveTime: Duration?

    @Option(
        help: ArgumentHelp("Where pictures go: host, card or both.", valueName: "target"),
        transform: parseSaveTarget
    )
    var saveTarget: SonySaveTarget?

    @Option(
        help: ArgumentHelp(
            "The size of each file, such as 25MB. Small: as small as its 96 x 64 pixels are, and saved at once. "
                + "Left out: as large and as late as a real body's.",
            valueName: "bytes"
        ),
        transform: PictureSize.init(parsing:)
    )
    var pictureSize = PictureSize.real

    @Option(help: "Long-exposure noise reduction, off or on: from 1 s on a dark frame as long as the exposure follows.")
    var lenr = Switch.off

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Added before everything the body sends: answers, events and closes. Nothing is added to what it receives.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var latency = Duration.zero

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From a set until a reading shows the new value.", valueName: "duration"),
        transform: DurationText.parse
    )
    var readback: Duration?

    @Option(
        help: ArgumentHelp(
            "Where jumps of several notches end on bodies of version 2: exact, short:N (N notches short) or cap:N (at "
                + "most N notches).",
            valueName: "accuracy"
        ),
        transform: parseStepAccuracy
    )
    var stepAccuracy: SonyStepping.Accuracy?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long a move by notches takes on bodies of version 2.", valueName: "duration"),
        transform: DurationText.parse
    )
    var stepTime: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long the only place stays taken when the initiator leaves without closing its session.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var slotHold: Duration?

    @Option(
        help: ArgumentHelp("A fault; 'camerasim list' names them. May be given several times.", valueName: "spec"),
        transform: Fault.init(parsing:)
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
            throw ValidationError("--battery \(battery) is not a percentage from 0 to 100.")
        }
        if let shotsLeft, !(0...1_000_000).contains(shotsLeft) {
            throw ValidationError("--shots-left \(shotsLeft) is not a number from 0 to 1000000.")
        }
        if let serial, model.identified(as: serial) == nil {
            throw ValidationError(
                "--serial '\(serial)' is no serial number: write 1 to \(SonyModel.serialLengthMax) letters and "
                    + "digits, not all zeros."
            )
        }
        try discovery.check(listen: listen, addresses: addresses, faults: fault)
    }

    func run() throws {
        installSignalHandlers()
        let identified = serial.flatMap(model.identified) ?? model
        let model = hostileNames ? identified.withHostileNames : identified
        let camera = SimulatedCamera(
            model: model,
            options: options,
            latency: latency,
            sendWindow: SimulatorServer.sendWindow
        )
        let journal = SimulatorJournal(log: log ? LogWriter(.standardError) : nil, card: try card.map(openCard))
        let place = SimulatorServer.Place(
            address: listen,
            others: addresses,
            isListening: discovery.ssdpKind == .ptp,
            discovery: discovery.settings(of: model, faults: fault)
        )
        SimulatorServer.run(camera, at: place, journal: journal)
    }

    private var options: SonyBodyOptions {
        var options = SonyBodyOptions()
        options.mode = mode
        options.speeds = speeds
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
        options.stepAccuracy = stepAccuracy
        options.stepTime = stepTime
        options.saveTarget = saveTarget
        options.noiseReduction = lenr == .on
        options.faults = fault
        return options
    }

    private func openCard(_ path: String) throws -> Output {
        switch Output.appending(to: path) {
        case .success(let output): return output
        case .failure(let error): throw ValidationError("--card \(path) cannot be opened: \(error).")
        }
    }
}

/// On or off, as `--lenr` has it.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case off
    case on
}

/// How large pictures are, as `--picture-size` has it.
enum PictureSize: Equatable {
    /// As small as their pixels are.
    case small
    /// As a real body's.
    case real
    case bytes(Int)

    init(parsing text: String) throws {
        self = text == "small" ? .small : .bytes(try ByteCountText.parse(text))
    }
}

/// What an option may say, in one sentence.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String
}

@Sendable
private func parseModel(_ name: String) throws -> SonyModel {
    guard let model = SonyModel.named(name) else {
        let names = SonyModel.all.map(\.shortName).joined(separator: ", ")
        throw ArgumentError(description: "there is no such model; there are \(names)")
    }
    return model
}

@Sendable
private func parseAddresses(_ list: String) throws -> [NetworkPlace] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map { text in
        guard let place = NetworkPlace(parsing: String(text)) else {
            throw ArgumentError(
                description: "'\(text)' is not an address: write a list such as 127.0.0.2,127.0.0.3:15740"
            )
        }
        return place
    }
}

@Sendable
private func parseMode(_ letter: String) throws -> DialMode {
    guard let mode = DialMode(rawValue: letter.uppercased()) else {
        throw ArgumentError(description: "a mode is M, S, A or P")
    }
    return mode
}

@Sendable
private func parseStepAccuracy(_ text: String) throws -> SonyStepping.Accuracy {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if text == "exact" { return .exact }
    guard parts.count == 2, let notches = Int(parts[1]), (1...127).contains(notches) else {
        throw ArgumentError(description: "an accuracy is exact, short:N or cap:N, with N from 1 to 127")
    }
    switch parts[0] {
    case "short": return .short(by: notches)
    case "cap": return .capped(at: notches)
    default: throw ArgumentError(description: "an accuracy is exact, short:N or cap:N, with N from 1 to 127")
    }
}

@Sendable
private func parseSaveTarget(_ name: String) throws -> SonySaveTarget {
    switch name {
    case "host": return .host
    case "card": return .card
    case "both": return .both
    default: throw ArgumentError(description: "a save target is host, card or both")
    }
}
