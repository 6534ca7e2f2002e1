import Cameras

/// Decides what a body answers to searches, faults included.
package struct SSDPAnnouncer: Sendable {
    /// What becomes of a datagram.
    package enum Reaction: Equatable, Sendable {
        /// Nothing, for it is no search for this body.
        case ignored
        /// Nothing, though it should be answered; says why in a line.
        case withheld(String)
        /// Each of these goes to who asked, after so long.
        case answers([String], after: Duration)
    }

    /// What is announced; another one when the body has come back elsewhere.
    private var truth: SSDPAnnouncement
    private var faults: ActiveFaults
    private let delay: Duration

    /// - Parameter delay: how long answers take, as far as the search is that patient.
    package init(_ announcement: SSDPAnnouncement, delay: Duration, faults: [Fault]) {
        precondition(delay >= .zero)
        truth = announcement
        self.delay = delay
        self.faults = ActiveFaults(faults)
    }

    /// What is said, by NOTIFY too.
    package var announcement: SSDPAnnouncement {
        var announcement = truth
        if let host = faults.first({ if case .ssdpWrongLocation(let host) = $0 { host } else { nil } }) {
            announcement.location.host = host
        }
        return announcement
    }

    /// The body is somewhere else now. What is left of its faults stays.
    package mutating func move(to location: DescriptionURL) { truth.location = location }

    /// A datagram came.
    package mutating func heard(_ datagram: some Collection<UInt8>) -> Reaction {
        guard let search = SSDPSearch(parsing: datagram) else { return .ignored }
        let answers = announcement.answers(to: search)
        guard !answers.isEmpty else { return .ignored }
        if faults.first({ if case .ssdpSilent = $0 { true } else { nil } }) != nil {
            return .withheld("fault: the search for \(search.target) is not answered")
        }
        if faults.take({ if case .ssdpFirst = $0 { true } else { nil } }) != nil {
            return .withheld("fault: the search for \(search.target) came too early")
        }
        return .answers(answers, after: min(delay, search.patience))
    }
}
