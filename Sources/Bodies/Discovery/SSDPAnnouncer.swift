import Cameras

/// Decides how a body with its faults answers searches.
package struct SSDPAnnouncer: Sendable {
    /// The reaction to a datagram.
    package enum Reaction: Equatable, Sendable {
        /// No answer: the datagram is not a search for this body.
        case ignored
        /// No answer, because of a fault. The text names the fault.
        case withheld(String)
        /// These answers go to the sender after this time.
        case answers([String], after: Duration)
    }

    /// The announcement without faults. It changes when the body returns at another address.
    private var truth: SSDPAnnouncement
    private var faults: ActiveFaults
    private let delay: Duration

    /// - Parameter delay: The delay of answers. The limit in a search can shorten the delay.
    package init(_ announcement: SSDPAnnouncement, delay: Duration, faults: [Fault]) {
        precondition(delay >= .zero)
        truth = announcement
        self.delay = delay
        self.faults = ActiveFaults(faults)
    }

    /// The announcement with the effect of faults, as the body sends it in answers and by NOTIFY.
    package var announcement: SSDPAnnouncement {
        var announcement = truth
        if let host = faults.first({ if case .ssdpWrongLocation(let host) = $0 { host } else { nil } }) {
            announcement.location.host = host
        }
        return announcement
    }

    /// Changes the address of the body. Keeps the remaining faults.
    package mutating func move(to location: DescriptionURL) { truth.location = location }

    /// Handles a received datagram.
    package mutating func receive(_ datagram: some Collection<UInt8>) -> Reaction {
        guard let search = SSDPSearch(parsing: datagram) else { return .ignored }
        let answers = announcement.answers(to: search)
        guard !answers.isEmpty else { return .ignored }
        if faults.first({ if case .ssdpSilent = $0 { true } else { nil } }) != nil {
            return .withheld("fault: the search for \(search.target) is not answered")
        }
        if faults.take({ if case .ssdpFirst = $0 { true } else { nil } }) != nil {
            return .withheld("fault: the search for \(search.target) came too early")
        }
        return .answers(answers, after: min(delay, search.answerTime))
    }
}
