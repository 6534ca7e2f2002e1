import Bodies

/// The reasons why an option is invalid.
enum OptionSentences {
    static func notAPercentage(_ battery: Int) -> String { "--battery \(battery) is not a percentage from 0 to 100." }

    static func notAShotCount(_ count: Int) -> String { "--shots-left \(count) is not a number from 0 to 1000000." }

    static func notASelection(_ count: Int, max: Int) -> String {
        "--selected-pictures \(count) is not a number from 1 to \(max)."
    }

    static func notASerial(_ text: String) -> String {
        "--serial '\(text)' is not a serial number: write 1 to \(BodyOptions.serialLengthMax) letters and "
            + "digits, not all zeros."
    }

    static func cardNotOpened(_ path: String, _ error: SystemError) -> String {
        "--card \(path) cannot be opened: \(error)."
    }

    static func notAModel(known: [String]) -> String {
        "there is no such model; the models are \(known.joined(separator: ", "))"
    }

    static let notAListenAddress = "write ADDR:PORT, such as 127.0.0.1:15740 or [::1]:15740; 0 means any port"
    static let addressIsMissing = "the address is missing: write ADDR:PORT, such as 127.0.0.1:15740"

    static func notAnAddress(_ text: String) -> String {
        "'\(text)' is not an address: write a list such as 127.0.0.2,127.0.0.3:15740"
    }

    static let notAMode = "a mode is M, S, A or P"
    static let notASaveTarget = "a save target is host, card or both"
    static let notAnAccuracy = "an accuracy is exact, short:N or cap:N, with N from 1 to 127"

    static func notAKind(_ name: String, known kinds: [String]) -> String {
        "'\(name)' is not a kind of description; the kinds are \(kinds.joined(separator: ", "))"
    }

    // MARK: Options that need discovery, or exclude it

    /// - Parameter option: The option as the user wrote it.
    static func needsDiscovery(_ option: String) -> String { "\(option) needs --ssdp." }

    /// - Parameter option: The option as the user wrote it.
    static func needsPTPIP(_ option: String) -> String {
        "\(option) cannot be used: a body with HTTP stores on its card and has no session slot. Omit the option."
    }

    static let notDiscoverable =
        "--ssdp cannot be used: Nikon bodies do not announce themselves. Connect with the address of --listen."

    static let faultNeedsDiscovery = "A fault of SSDP or of the description needs --ssdp."

    /// - Parameter option: The option as the user wrote it.
    static func portIsNotAnnounced(_ option: String, called: UInt16) -> String {
        "\(option) cannot be used with --ssdp: SSDP announces no port, so clients connect to port \(called). Use "
            + "that port, or omit --ssdp."
    }

    /// The warning that SSDP does not announce the port on which the body already listens.
    static func portIsNotAnnounced(_ address: ListenAddress, called: UInt16) -> String {
        "the body listens on port \(address.port), but SSDP announces no port, so clients connect to port \(called); "
            + "for discovery use --listen \(ListenAddress(host: address.host, port: Int(called)))"
    }
}

/// A step of the start that can fail, with the option that the user can change.
enum StartStep {
    case listen(ListenAddress)
    case announce(interface: String)
    case describe(ListenAddress)

    fileprivate var words: String {
        switch self {
        case .listen(let address): "listen on \(address)"
        case .announce(let interface): "use SSDP on \(interface)"
        case .describe(let address): "serve the description on \(address)"
        }
    }

    fileprivate var option: String {
        switch self {
        case .listen: "--listen"
        case .announce: "--ssdp-interface"
        case .describe: "--description-port"
        }
    }
}

/// The reasons why the simulator does not start.
enum StartSentences {
    static func unknownHost(_ step: StartStep) -> String {
        "cannot \(step.words): this machine cannot resolve that host name; use an address of this machine with "
            + "\(step.option), such as 127.0.0.1:15740 or [::1]:15740"
    }

    static func addressInUse(_ step: StartStep) -> String {
        "cannot \(step.words): the address is in use; choose another with \(step.option)"
    }

    static func otherMachine(_ step: StartStep) -> String {
        "cannot \(step.words): this machine does not have the address; choose another with \(step.option)"
    }

    static func notAllowed(_ step: StartStep) -> String {
        "cannot \(step.words): this user cannot listen there; choose a port from 1024 up with \(step.option)"
    }

    static func failed(_ step: StartStep, _ error: any Error) -> String { "cannot \(step.words): \(error)" }

    static func noSignal(_ error: any Error) -> String { "cannot listen for SIGUSR1: \(error)" }

    static let noSocketOptions = "this system supports no socket options"
    static let noDiscovery = "this body does not support discovery: omit --ssdp"

    // MARK: The interface of SSDP

    static func notIPv4(_ host: String) -> String {
        "cannot announce \(host): use an IPv4 address in --listen, or omit --ssdp"
    }

    static func interfacesUnreadable(_ host: String) -> String {
        "cannot announce \(host): the interfaces of this system cannot be read"
    }

    static func noInterface(_ host: String, named interface: String) -> String {
        "cannot announce \(host): there is no interface \(interface) with an IPv4 address"
    }

    static func otherInterface(_ host: String, on interface: String, owner: String) -> String {
        "cannot announce \(host) on \(interface): \(owner) has that address; use --ssdp-interface "
            + "\(owner), omit this option, or use an address of \(interface) in --listen"
    }

    static func everyAddress(_ host: String) -> String {
        "cannot announce \(host): it means every address of this machine; use one address in --listen, or "
            + "give its interface with --ssdp-interface"
    }

    static func noOwner(_ host: String) -> String {
        "cannot announce \(host): no interface has that address; use an address of this machine in "
            + "--listen, or give the interface with --ssdp-interface"
    }
}

/// The log lines of the simulator itself. The body has log lines of its own.
enum LogSentences {
    static let connectionRefused = "fault: connection refused"
    static let foundAgain = "the camera can be found again"

    static func listeningAgain(_ address: ListenAddress) -> String { "listening again on \(address)" }

    static func tryingAgain(_ error: any Error) -> String { "\(error); trying again" }

    static let searchNotAnswered = "one search was not answered: too many searches at once"

    static func notSent(to address: some CustomStringConvertible, _ error: any Error) -> String {
        "cannot send SSDP to \(address): \(error)"
    }

    /// - Parameter host: The sender; nil: unknown.
    static func answered(_ host: String?, after delay: Duration) -> String {
        "SSDP: \(host ?? "a host") searches; the answer follows in \(DurationText.milliseconds(delay)) ms"
    }

    /// - Parameter host: The sender; nil: unknown.
    static func requested(_ path: Substring, by host: String?) -> String {
        "description: \(host ?? "a host") requests \(path)"
    }

    static func linesOmitted(_ count: Int) -> String { "(\(count) lines omitted)" }
}
