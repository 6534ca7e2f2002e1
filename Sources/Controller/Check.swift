/// One thing that was looked at, for a person who wants to know what is wrong and what to do.
package struct Check: Codable, Hashable, Sendable {
    package enum Result: String, Codable, CaseIterable, Hashable, Sendable {
        case pass
        /// It works, and may surprise.
        case warn
        case fail
        /// It does not apply, could not be looked at, or the configuration leaves it out.
        case skipped
    }

    /// As people write it: `iso-auto`.
    package var name: String
    package var result: Result
    /// What was found.
    package var sentence: String
    /// What to do; nil: nothing.
    package var advice: String?

    package init(_ name: String, _ result: Result, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.advice = advice
    }

    /// What was found and what to do about it.
    package var text: String { [sentence, advice].compactMap(\.self).joined(separator: " ") }
}

/// What the host found when it looked at itself; see ``Effect/inspect``.
package struct HostFindings: Codable, Equatable, Sendable {
    /// What the ledger stands on: journal, service manager, clock, disks. In the order of repair.
    package var machine: [Check]
    /// What the camera is reached by.
    package var network: [Check]

    package init(machine: [Check] = [], network: [Check] = []) {
        self.machine = machine
        self.network = network
    }
}
