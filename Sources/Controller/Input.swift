import Cameras

/// Everything that can happen to the core. The caller gives each input its time. The core handles the inputs one after
/// the other, each to completion.
package enum Input: Codable, Equatable, Sendable {
    /// The daemon runs. This is the first input, and the caller sends it only once.
    case started
    /// The clock reached ``Core/nextDeadline``.
    case deadline
    /// An event on a connection of this generation. The core ignores events of an ended generation.
    case link(LinkGeneration, LinkEvent)
    /// An event of an HTTP request; see ``Effect/http(_:_:_:)``. The core ignores events of an ended generation.
    case http(LinkGeneration, HTTPRequestID, HTTPEvent)
    /// A client's request. The core answers every request exactly once, and ends every stream exactly once.
    case request(RequestID, Request)
    /// The client of a request disconnected. The core sends it no more answers.
    case requestCancelled(RequestID)
    /// A fact about the network changed.
    case network(NetworkSnapshot)
    /// A datagram that announces a camera; see ``DiscoveryEffect/listen(on:rejoins:)``. The announcement may be false.
    case ssdp(SSDPDatagram)
    /// The result of storing a picture.
    case picture(PictureID, PictureOutcome)
    /// The answer to ``Effect/readLight(path:)``.
    case light(LightReading)
    /// The answer to ``Effect/readCoverage(_:)``.
    case coverage(ShootCoverage)
    /// The answer to ``Effect/checkRoom``. `isThere`: whether the disk for pictures has free space again.
    case room(isThere: Bool)
    /// A report of the ledger; see ``LedgerEffect``.
    case ledger(LedgerEvent)
    /// An event of the board's button.
    case button(ButtonLineEvent)
    /// The answer to ``Effect/keepPlan(_:for:)``. `failure`: why the plan is not on disk; nil: it is on disk.
    case planKept(RequestID, failure: String?)
    /// The host read the configuration again. The core adopts only what can change while the daemon runs.
    case configured(CoreConfiguration)
    /// The answer to ``Effect/inspect``.
    case inspected(HostFindings)
    /// A message from the core to itself; see ``Effect/enqueue(_:)``.
    case message(Message)
    /// The daemon must stop: finish the frame, restore the settings and disconnect, in limited time.
    case stop

    /// Whether the core handles this input before the timers that are due.
    ///
    /// This is true for an edge of the button, which has its own time. Otherwise a delayed loop could treat a short
    /// press as a hold.
    package var isOlderThanWhatIsDue: Bool { if case .button(.edge) = self { true } else { false } }
}

/// The number of an attempt to connect. It distinguishes the bytes of an old connection from those of a new one.
package struct LinkGeneration: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The generation of the HTTP requests that find cameras. These requests belong to no session.
    package static let discovery = LinkGeneration(rawValue: 0)

    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The number of a client's request. It is unique while the daemon runs.
package struct RequestID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// A message between parts of the core, or from the camera's driver. It passes through the queue like every input.
package enum Message: Equatable, Sendable {
    /// A report of the camera's driver. `ticket` names the command that the report answers. The core ignores reports of
    /// an ended session or of another driver.
    case camera(CameraEvent, ticket: Ticket?, LinkGeneration)
    /// From the connection chart: the camera is connected, and its mode is right.
    case cameraReady(CameraStatus)
    /// From the connection chart: the camera is no longer connected.
    case cameraGone(Absence)
    /// From the connection chart: the camera answers, and it fails the mode check. The sentence says what to change on
    /// the camera.
    case cameraNotReady(sentence: String)
    /// From the network chart: this computer left the network on which the camera was found.
    case networkLeft(NetworkDeparture)
    /// From the network chart: this computer is back on the camera's network.
    case networkBack
    /// The connection must try this address next.
    case cameraFound(CameraOffer)
    /// A report of the driver that probes an address.
    case candidate(LinkGeneration, CameraEvent)
    /// A probe of the search opened this session.
    case candidateOpened(LinkGeneration, OpenedCamera)
    /// A camera that a probe found refuses the session.
    case candidateRefused(Refusal)
    /// The scan has probed every address of the wave, or of the present part of the wave.
    case waveOver
    /// The search for cameras must start or end.
    case searchWanted(Bool)
    /// A user requested a camera.
    case cameraChosen
    case cameraReleased
    /// The named camera refused the connection, and other cameras can be tried instead.
    case othersAvailable
    /// A client requested a shoot, and no camera is connected.
    case cameraNeeded
    /// A report on a frame's picture.
    case picture(PictureUpdate)
    /// From the metering chart: the next frame of a bracket, or the range that it covers.
    case range(RangeUpdate)
    /// The ledger's result for rows of the active shoot.
    case record(RecordUpdate)
    /// A shoot waits for the ledger's disk, so the ledger must try to write again.
    case recordWanted
    /// The button was pressed and released. The press got its meaning when the button went down.
    case buttonPressed(PressMeaning)
    case buttonHeld
    /// The current frame has ended, so a stop that waits for it can continue.
    case frameOver
    /// The result of a client's request to set a property.
    case clientSetting(ClientSetting)
}

/// Why no camera is connected.
package enum Absence: Hashable, Sendable {
    case lost(LossReason)
    /// A user disconnected the camera.
    case released
}

/// How this computer left the camera's network.
package enum NetworkDeparture: Hashable, Sendable {
    case elsewhere(from: String?, to: String?)
    case down(from: String?)
    case noRoute
    /// This computer is still on the network, but it lost its address there.
    case moved
}

/// A recording stores no content of a message, because the replayed core makes the same messages again.
extension Message: Codable {
    package init(from decoder: any Decoder) throws {
        let context = DecodingError.Context(codingPath: [], debugDescription: "the core makes its messages itself")
        throw DecodingError.dataCorrupted(context)
    }

    package func encode(to encoder: any Encoder) throws {}
}
