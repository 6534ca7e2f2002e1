/// One result of preflight or `doctor`: what was found, and what the user can do.
package struct Check: Codable, Hashable, Sendable {
    package enum Result: String, Codable, CaseIterable, Hashable, Sendable {
        case pass
        /// The user can continue, but can get an unexpected result.
        case warn
        case fail
        /// The check does not apply, could not be done, or is skipped by the configuration.
        case skipped
    }

    /// The check's name in the configuration, such as `iso-auto`.
    package var name: String
    package var result: Result
    /// The result as a text for the user.
    package var sentence: String
    /// What the user can do; nil: there is nothing to do.
    package var advice: String?

    package init(_ name: String, _ result: Result, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.advice = advice
    }

    /// The sentence and the advice.
    package var text: String { [sentence, advice].compactMap(\.self).joined(separator: " ") }
}

/// The host's checks of the machine; see ``Effect/inspect``.
package struct HostFindings: Codable, Equatable, Sendable {
    /// The checks of journal, service manager, clock and disks, in the order in which a user would fix them.
    package var machine: [Check]
    /// The checks of the network that the connection to the camera needs.
    package var network: [Check]

    package init(machine: [Check] = [], network: [Check] = []) {
        self.machine = machine
        self.network = network
    }
}
