import Cameras
import Controller
import Exposure

/// The daemon's configuration; every field has a default.
package struct Configuration: Equatable, Sendable {
    package static let defaultSocketPath = "/run/bracketd/io.bracketd"
    package static let defaultStoragePath = "/var/lib/bracketd"

    /// The path of the socket. It is absolute unless it comes from the command line.
    package var socketPath: String
    /// The absolute path of the storage directory.
    package var storagePath: String
    /// The configured address of the camera; nil: the daemon searches for cameras.
    package var cameraAddress: CameraAddress?
    /// The configured search methods; nil: all methods if no camera address is configured, otherwise none.
    package var ownSearchWays: Set<SearchMethod>?
    /// The only interface on which the daemon searches for cameras.
    package var searchInterface: String?
    /// The maximum number of addresses that one wave of the search probes.
    package var scanMax = SearchRules.scanMaxDefault
    package var transfer = TransferConfiguration()
    /// The absolute path for pictures; nil: a directory in the storage directory.
    package var ownPicturesPath: String?
    package var ledger = LedgerMode.required
    package var skippedChecks: Set<String> = []
    /// Whether the daemon continues a shoot of an earlier run without a request.
    package var resumesByItself = false
    package var flight = FlightLimits()
    package var board = BoardConfiguration()
    package var buttonRules = ButtonRules()
    package var pressWhileShooting = PressWhileShooting.pause
    /// The plan that a press of the button fires while no other plan is armed.
    package var plan = PlanRequest.usual
    /// Whether the daemon refuses `plan` when the camera would change it.
    package var planIsStrict = false

    package var search: SearchRules {
        SearchRules(
            ways: ownSearchWays ?? usualSearchWays,
            interface: searchInterface,
            scanMax: scanMax == SearchRules.scanMaxDefault ? nil : scanMax
        )
    }

    var usualSearchWays: Set<SearchMethod> { cameraAddress == nil ? Set(SearchMethod.allCases) : [] }

    package var picturesPath: String { ownPicturesPath ?? Self.picturesPath(below: storagePath) }

    package var flightPath: String { "\(storagePath)/flight" }

    /// The values of `[transfer] suspects`: what happens to a frame whose picture does not match the plan.
    enum SuspectPolicy: String, CaseIterable {
        case keep
        case fireAgain = "fire-again"
    }

    enum Resume: String, CaseIterable {
        case byCommand = "by-command"
        case byItself = "by-itself"
    }

    enum Share: String, CaseIterable {
        case twice, once
    }

    static func picturesPath(below storagePath: String) -> String { "\(storagePath)/pictures" }

    /// Creates the default configuration. `stateDirectory` is the environment variable `STATE_DIRECTORY`, which the
    /// service manager sets (systemd.exec(5), "StateDirectory="). The first of several directories is used.
    package init(stateDirectory: String? = nil) {
        socketPath = Self.defaultSocketPath
        let first = stateDirectory?.split(separator: ":").first.map(String.init)
        storagePath = first.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.defaultStoragePath
    }

    /// The names, as in the file, of the changed keys that take effect only after a restart.
    func keysForRestart(since earlier: Configuration) -> [String] {
        [
            ("[socket] path", socketPath != earlier.socketPath),
            ("[storage] directory", storagePath != earlier.storagePath),
            ("[transfer] policy", transfer.policy != earlier.transfer.policy),
            ("[transfer] directory", picturesPath != earlier.picturesPath),
            ("[ledger] mode", ledger != earlier.ledger),
            ("[flight] files, size", flight != earlier.flight),
        ].filter(\.1).map(\.0)
    }

    private var absentAddressComment: String { ConfigurationSentences.noAddress(isSearching: !searchNames.isEmpty) }

    package var text: String {
        """
        [socket]
        path = \(Self.quoted(socketPath))

        [storage]
        directory = \(Self.quoted(storagePath))

        [camera]
        \(cameraAddress.map { "address = \(Self.quoted($0.description))" } ?? absentAddressComment)
        search = [\(searchNames.map(Self.quoted).joined(separator: ", "))]
        \(searchInterface.map { "interface = \(Self.quoted($0))" } ?? ConfigurationSentences.everyInterface)
        scan-max = \(scanMax)

        [transfer]
        policy = \(Self.quoted(transfer.policy.rawValue))
        directory = \(Self.quoted(picturesPath))
        suspects = \(Self.quoted(suspects.rawValue))

        [ledger]
        mode = \(Self.quoted(ledger.rawValue))

        [preflight]
        skip = [\(skippedChecks.sorted().map(Self.quoted).joined(separator: ", "))]

        [recovery]
        resume = \(Self.quoted(resume.rawValue))

        [flight]
        files = \(flight.fileCountMax)
        size = \(Self.quoted(ByteCount.text(flight.fileSize)))

        [button]
        \(lineText(board.button))
        bias = \(Self.quoted(board.bias.rawValue))
        debounce = \(Self.quoted(TimeText.text(board.debounce)))
        min-press = \(Self.quoted(TimeText.text(buttonRules.pressMin)))
        hold = \(Self.quoted(TimeText.text(buttonRules.hold)))
        settle = \(Self.quoted(TimeText.text(buttonRules.settle)))
        lockout = \(Self.quoted(TimeText.text(buttonRules.lockout)))
        while-shooting = \(Self.quoted(pressWhileShooting.rawValue))

        [lamp]
        \(lineText(board.lamp))
        exposing = \(board.lampShowsExposing)

        [buzzer]
        \(lineText(board.buzzer))

        [plan]
        shadow = \(Self.quoted(plan.shadow.label))
        highlight = \(Self.quoted(plan.highlight.label))
        frames = \(plan.framesPerSet)
        spacing = \(plan.spacing.label)
        bias = \(Self.quoted(plan.biasThirds == 0 ? "0" : "\(plan.biasThirds)/3"))
        share = \(Self.quoted((plan.sharing == .once ? Share.once : .twice).rawValue))
        strict = \(planIsStrict)

        """
    }

    private func lineText(_ line: BoardConfiguration.Line) -> String {
        let chip = line.place?.chip.map { "chip = \(Self.quoted($0))" }
        let number =
            switch line.place?.line {
            case .number(let number): "line = \(number)"
            case .name(let name): "line = \(Self.quoted(name))"
            case nil: ConfigurationSentences.noLine
            }
        return [chip, number, "active-low = \(line.isActiveLow)"].compactMap(\.self).joined(separator: "\n")
    }

    private var searchNames: [String] { SearchMethod.allCases.filter(search.ways.contains).map(\.rawValue) }

    private var resume: Resume { resumesByItself ? .byItself : .byCommand }

    private var suspects: SuspectPolicy { transfer.firesSuspectsAgain ? .fireAgain : .keep }

    /// A text as a basic string of TOML (TOML 1.0, "String").
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// All faults of a configuration file, in the order of its lines.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package struct Fault: Hashable, Sendable {
        /// The line of the fault, counted from 1; nil when the fault concerns the whole file.
        package var line: Int?
        /// The column in characters, counted from 1; nil when the fault concerns a key, which the message names.
        package var column: Int?
        package var message: String
    }

    package var file: String
    package var faults: [Fault]

    /// The faults, one per line: `FILE:LINE: KEY: message`, or `FILE:LINE:COLUMN: message` for a TOML syntax error.
    package var description: String {
        faults.map { fault in
            let place = [fault.line, fault.column].compactMap { $0.map { ":\($0)" } }.joined()
            return "\(file)\(place): \(fault.message)"
        }.joined(separator: "\n")
    }
}
