import PTP

// The two connections of a PTP/IP session among the driver's links.

extension LinkID {
    /// Operations, data and responses.
    package static let command = LinkID(0)
    /// Events of the camera, and probes.
    package static let event = LinkID(1)

    var ofSession: InitiatorSession.Channel? {
        switch self {
        case .command: .command
        case .event: .event
        default: nil
        }
    }
}

extension InitiatorSession.Channel {
    var ofLink: LinkID {
        switch self {
        case .command: .command
        case .event: .event
        }
    }
}
