/// One result of preflight or `doctor`: what is wrong, and what to do.
package struct Check: Codable, Hashable, Sendable {
    package enum Result: String, Codable, CaseIterable, Hashable, Sendable {
        case pass
        /// It works, but may cause surprises.
        case warn
        case fail
        /// It does not apply, could not be checked, or the configuration skips it.
        case skipped
    }

    /// Its name in the configuration: `iso-auto`.
    package var name: String
    package var result: Result
    /// The result.
    package var sentence: String
    /// What to do; nil: nothing.
    package var advice: String?

    package init(_ name: String, _ result: Result, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.advice = advice
    }

    /// The result and what to do.
    package var text: String { [sentence, advice].compactMap(\.self).joined(separator: " ") }
}

/// The host's checks of the machine; see ``Effect/inspect``.
package struct HostFindings: Codable, Equatable, Sendable {
    /// What the ledger depends on: journal, service manager, clock, disks. In the order of repair.
    package var machine: [Check]
    /// What the connection to the camera depends on.
    package var network: [Check]

    package init(machine: [Check] = [], network: [Check] = []) {
        self.machine = machine
        self.network = network
    }
}
