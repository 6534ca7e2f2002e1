import Cameras

/// Decides how a body answers searches, faults included.
package struct SSDPAnnouncer: Sendable {
    /// The reaction to a datagram.
    package enum Reaction: Equatable, Sendable {
        /// Nothing: it is not a search for this body.
        case ignored
        /// Nothing, because of a fault; the text says why.
        case withheld(String)
        /// These answers to the sender, after this time.
        case answers([String], after: Duration)
    }

    /// The correct announcement; replaced when the body returns at another address.
    private var truth: SSDPAnnouncement
    private var faults: ActiveFaults
    private let delay: Duration

    /// - Parameter delay: The delay of answers, up to the limit of the search.
    package init(_ announcement: SSDPAnnouncement, delay: Duration, faults: [Fault]) {
        precondition(delay >= .zero)
        truth = announcement
        self.delay = delay
        self.faults = ActiveFaults(faults)
    }

    /// The announcement that is sent, also by NOTIFY.
    package var announcement: SSDPAnnouncement {
        var announcement = truth
        if let host = faults.first({ if case .ssdpWrongLocation(let host) = $0 { host } else { nil } }) {
            announcement.location.host = host
        }
        return announcement
    }

    /// The body is at another address. The remaining faults stay.
    package mutating func move(to location: DescriptionURL) { truth.location = location }

    /// A datagram arrived.
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
        return .answers(answers, after: min(delay, search.patience))
    }
}
