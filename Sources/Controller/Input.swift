import Cameras

/// Everything that can happen to the core. The caller of the core stamps each input. The core handles each to
/// completion, one after the other.
package enum Input: Codable, Equatable, Sendable {
    /// The daemon runs. This is the first input, and comes once.
    case started
    /// The time of ``Core/nextDeadline``.
    case deadline
    /// An event on a connection of the given generation. An ended generation is ignored.
    case link(LinkGeneration, LinkEvent)
    /// An event of an HTTP request; see ``Effect/http(_:_:_:)``. An ended generation is ignored.
    case http(LinkGeneration, HTTPRequestID, HTTPEvent)
    /// A client's request. Every request is answered exactly once, and every stream is ended exactly once.
    case request(RequestID, Request)
    /// The client of a request disconnected; nothing more may be sent to it.
    case requestCancelled(RequestID)
    /// The known facts about the network changed.
    case network(NetworkSnapshot)
    /// A datagram that announces a camera, perhaps falsely; see ``DiscoveryEffect/listen(on:rejoins:)``.
    case ssdp(SSDPDatagram)
    /// The result of storing a picture.
    case picture(PictureID, PictureOutcome)
    /// The answer to ``Effect/checkRoom``: whether the disk for pictures accepts files again.
    case room(isThere: Bool)
    /// A report of the ledger; see ``LedgerEffect``.
    case ledger(LedgerEvent)
    /// An event of the board's button.
    case button(ButtonLineEvent)
    /// The answer to ``Effect/keepPlan(_:for:)``; `trouble`: why the plan is not on disk.
    case planKept(RequestID, failure: String?)
    /// The configuration was read again. Only what can change while the daemon runs takes effect.
    case configured(CoreConfiguration)
    /// The answer to ``Effect/inspect``.
    case inspected(HostFindings)
    /// An effect of one chart, or of the camera, for another chart. Made by the core itself, see
    /// ``Effect/enqueue(_:)``.
    case message(Message)
    /// The daemon must stop, in order and in limited time.
    case stop

    /// Whether it is handled before timers that are due: an edge of the button has its own time. Otherwise a late loop
    /// could take a short press for a hold.
    package var isOlderThanWhatIsDue: Bool { if case .button(.edge) = self { true } else { false } }
}

/// The number of an attempt to connect. It separates the bytes of an old connection from those of the new one.
package struct LinkGeneration: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The requests that find cameras; they belong to no session.
    package static let discovery = LinkGeneration(rawValue: 0)

    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The name of a client's request until it is answered. Unique while the daemon runs.
package struct RequestID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// A message between parts of the core, or from the camera's driver. It passes the queue like every other input.
package enum Message: Equatable, Sendable {
    /// A report of the camera's driver; `ticket` is the command that it answers. A report of an ended session, or of
    /// another driver, is dropped.
    case camera(CameraEvent, ticket: Ticket?, LinkGeneration)
    /// From the connection chart: the camera is connected, and its mode is right.
    case cameraReady(CameraStatus)
    /// From the connection chart: the camera is gone.
    case cameraGone(Absence)
    /// From the connection chart: its mode check holds the camera, which answers. The sentence says what to change on
    /// it.
    case cameraNotReady(sentence: String)
    /// From the network chart: this computer left the network on which the camera was found.
    case networkLeft(NetworkDeparture)
    /// From the network chart: this computer is back on the camera's network.
    case networkBack
    /// A camera is to be tried here first.
    case cameraFound(CameraOffer)
    /// A report of a driver that calls an address.
    case candidate(LinkGeneration, CameraEvent)
    /// The search opened this session.
    case candidateOpened(LinkGeneration, OpenedCamera)
    /// A camera that was found refuses the connection.
    case candidateRefused(Refusal)
    /// Every address of the wave was called.
    case waveOver
    /// Whether cameras are to be searched for.
    case searchWanted(Bool)
    /// A user wants a camera; no user wants one any more.
    case cameraChosen
    case cameraReleased
    /// The camera that was named refused the connection, and its choice is dropped: there are others.
    case othersAvailable
    /// A client wants to shoot, and no camera is connected.
    case cameraNeeded
    /// A report on a frame's picture.
    case picture(PictureUpdate)
    /// The result of the shooting chart's orders to the ledger.
    case record(RecordUpdate)
    /// A client waits for the ledger's disk.
    case recordWanted
    /// The button was pressed and released, with the meaning at its press; the button was held.
    case buttonPressed(PressMeaning)
    case buttonHeld
    /// From the service chart: no exposure runs any more.
    case frameOver
    /// The end of a client's request to set a property.
    case clientSetting(ClientSetting)
}

/// Why there is no camera that could shoot.
package enum Absence: Hashable, Sendable {
    case lost(LossReason)
    /// A user disconnected it.
    case released
}

/// How the camera's network was left.
package enum NetworkDeparture: Hashable, Sendable {
    case elsewhere(from: String?, to: String?)
    case down(from: String?)
    case noRoute
    /// It was not left, but this computer lost its address in that network.
    case moved
}

/// Without content: a replay makes the core's messages again, so a recording has only their place.
extension Message: Codable {
    package init(from decoder: any Decoder) throws {
        let context = DecodingError.Context(codingPath: [], debugDescription: "the core makes its messages itself")
        throw DecodingError.dataCorrupted(context)
    }

    package func encode(to encoder: any Encoder) throws {}
}
