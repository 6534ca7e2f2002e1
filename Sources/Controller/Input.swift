import Cameras

/// Everything that can happen to the core. Each is stamped by whoever drives the core and handled to completion, one
/// after the other.
package enum Input: Codable, Equatable, Sendable {
    /// The daemon runs. Comes once, before everything else.
    case started
    /// The time that ``Core/nextDeadline`` named has come.
    case deadline
    /// Something happened on a connection of the given generation. A generation that is over is ignored.
    case link(LinkGeneration, LinkEvent)
    /// Something became of a request of HTTP; see ``Effect/http(_:_:_:)``. A generation that is over is ignored.
    case http(LinkGeneration, HTTPRequestID, HTTPEvent)
    /// A client asks for something; every request is answered exactly once, streams are ended exactly once.
    case request(RequestID, Request)
    /// The client of a request went away; nothing more is to be sent to it.
    case requestCancelled(RequestID)
    /// What is known of the network changed.
    case network(NetworkSnapshot)
    /// Somebody told of a camera, or pretends to; see ``DiscoveryEffect/listen(on:rejoins:)``.
    case ssdp(SSDPDatagram)
    /// What became of a picture that was to be stored.
    case picture(PictureID, PictureOutcome)
    /// The answer to ``Effect/checkRoom``: whether the pictures' disk takes files again.
    case room(isThere: Bool)
    /// What the ledger has to say; see ``LedgerEffect``.
    case ledger(LedgerNews)
    /// What the board's button does.
    case button(ButtonNews)
    /// The answer to ``Effect/keepPlan(_:for:)``; `trouble`: why it is not on disk.
    case planKept(RequestID, trouble: String?)
    /// The configuration was read again. What cannot change while the daemon runs is not looked at.
    case configured(CoreConfiguration)
    /// The answer to ``Effect/inspect``.
    case inspected(HostFindings)
    /// An effect of one chart or of the camera that another chart is to hear of. Made by the core itself, see
    /// ``Effect/enqueue(_:)``.
    case message(Message)
    /// The daemon is to stop: in order, and bounded in time.
    case stop

    /// Whether it is handled before what fell due: an edge of the button, which has its own time. A loop that is late
    /// must not make a hold of a short press.
    package var isOlderThanWhatIsDue: Bool { if case .button(.edge) = self { true } else { false } }
}

/// Numbers the attempts to connect, so that bytes of an old connection are never taken for the new one's.
package struct LinkGeneration: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// That of no session: the requests by which cameras are found.
    package static let discovery = LinkGeneration(rawValue: 0)

    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Names a client's request for as long as it is being answered. Unique while the daemon runs.
package struct RequestID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// A message between parts of the core, or from the camera's driver. It passes the queue like every other input.
package enum Message: Equatable, Sendable {
    /// The camera's driver reports; `ticket` names the command that it answers. A report of a session that is over, or
    /// of a driver that is not the camera's any more, is dropped.
    case camera(CameraEvent, ticket: Ticket?, LinkGeneration)
    /// The connection chart reached the camera and its mode is right.
    case cameraReady(CameraStatus)
    /// The connection chart lost the camera.
    case cameraGone(Absence)
    /// The connection chart's mode check holds the camera, which answers; the sentence says what to change on it.
    case cameraUnfit(sentence: String)
    /// The network chart: this computer left the network on which the camera was found.
    case networkLeft(NetworkDeparture)
    /// The network chart: back on the camera's network.
    case networkBack
    /// A camera is to be tried here first.
    case cameraFound(CameraOffer)
    /// The driver that calls an address reports.
    case candidate(LinkGeneration, CameraEvent)
    /// The search opened this session.
    case candidateMet(LinkGeneration, Meeting)
    /// A camera that was found refuses the connection.
    case candidateRefused(Refusal)
    /// Every address of the wave was called.
    case waveOver
    /// Whether cameras are to be searched for.
    case searchWanted(Bool)
    /// The user wants a camera; and: none any more.
    case cameraCalled
    case cameraReleased
    /// The camera that was named refused the connection and is forgotten: there are others.
    case othersLeft
    /// A client wants to shoot, and no camera is connected.
    case cameraWanted
    /// A frame's picture is on its way, or what came of it.
    case picture(PictureNews)
    /// What the shooting chart wanted kept is on disk, or is not.
    case record(RecordNews)
    /// A client waits for the ledger's disk.
    case recordWanted
    /// The button was pressed and let go, with what that meant when it went down; and: it was held.
    case buttonPressed(PressMeaning)
    case buttonHeld
    /// The service chart: no frame is being taken any more.
    case frameOver
    /// A client's order to set a property is over.
    case personalSetting(PersonalSetting)
}

/// Why there is no camera that could shoot.
package enum Absence: Hashable, Sendable {
    case lost(LossReason)
    /// A person let go of it.
    case released
}

/// How the camera's network was left.
package enum NetworkDeparture: Hashable, Sendable {
    case elsewhere(from: String?, to: String?)
    case down(from: String?)
    case noRoute
    /// It was not; but this computer has lost the address that it was connected from.
    case moved
}

/// Nothing of it: the core makes its messages to itself anew, so a recording has only their place.
extension Message: Codable {
    package init(from decoder: any Decoder) throws {
        let context = DecodingError.Context(codingPath: [], debugDescription: "the core makes its messages itself")
        throw DecodingError.dataCorrupted(context)
    }

    package func encode(to encoder: any Encoder) throws {}
}
