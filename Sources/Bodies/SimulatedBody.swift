import Cameras
import Exposure
import NIOCore
import PTP

/// What users do to a body, and what rules read from it: the same for every maker.
package protocol BodyControls: Sendable {
    /// The driver's id of the body: see ``Cameras/CameraIdentity/id``.
    var cameraID: String { get }
    /// The body's own model name.
    var modelName: String { get }
    /// The frames exposed so far, in order.
    var card: [CardFrame] { get }
    /// The position of the dial, or the mode that the initiator has set.
    var mode: DialMode { get }
    /// The speed of the next exposure.
    var shownSpeed: BodySpeed { get }
    /// Whether the initiator presses a button of the shutter.
    var isButtonHeld: Bool { get }
    /// How it is found at this address, with its description at that port; nil: it is not found.
    func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery?

    /// The user turns the mode dial.
    mutating func turnDial(to mode: DialMode, at now: Duration)
    /// The user turns the dial of the shutter speed.
    mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration)
    /// The charge of the battery in percent; below zero: not known.
    mutating func setBattery(percent: Int, at now: Duration)
    /// The battery is removed: only the card and the settings remain.
    mutating func losePower(at now: Duration)
}

extension SimulatedBody {
    package static func otherClient(number: Int) -> (any OtherClient)? { nil }
}

extension BodyControls {
    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? { nil }
}

/// A simulated body of any maker and any protocol, with its side of the wire.
///
/// Pure: its inputs are connections, bytes and time; ``work(at:into:)`` returns its outputs. ``SimulatedCamera`` puts
/// the body behind a link with latency and faults.
package protocol SimulatedBody: BodyControls {
    /// Its ports; discovery uses the first one.
    static var ports: [BodyPort] { get }

    /// The meaning of bytes on one of its connections; nil: nothing that a rule must know. Reads them without the
    /// driver's code.
    static func meaning(of bytes: ByteBuffer) -> DriverSignal?

    /// Another client of such a body, by its number among these clients; nil: none is simulated.
    static func otherClient(number: Int) -> (any OtherClient)?

    /// A connection was accepted.
    mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration)
    /// The initiator sent bytes.
    mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration)
    /// Bytes arrived while the body is silent: it may count them, and does nothing else.
    mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer)
    /// The network has accepted so many bytes of a connection; see ``BodyOptions/sendWindow``.
    mutating func written(_ id: ConnectionID, _ count: Int)
    /// The initiator closed a connection, or it broke.
    mutating func closed(_ id: ConnectionID, at now: Duration)
    /// The link broke: closes every connection.
    mutating func disconnect(at now: Duration)
    var connectionCount: Int { get }
    /// Whether an initiator has an open session.
    var isSessionOpen: Bool { get }

    /// When ``advance(to:)`` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// Does the next due work, if any, and appends its outputs. A fault of the link is the last output of a call: the
    /// next work depends on it.
    ///
    /// - Returns: whether there was any work.
    mutating func work(at now: Duration, into outputs: inout [BodyOutput]) -> Bool

    /// Ends all faults and their effects; the dial is set to `mode`.
    ///
    /// - Returns: whether an answer would have broken off: its end never comes.
    mutating func clearFaults(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool
}

/// A protocol in front of a maker's body, which handles all actions of the user.
package protocol FrontedBody: SimulatedBody {
    associatedtype Maker: BodyControls
    var maker: Maker { get set }
}

extension FrontedBody {
    package var cameraID: String { maker.cameraID }
    package var modelName: String { maker.modelName }
    package var card: [CardFrame] { maker.card }
    package var mode: DialMode { maker.mode }
    package var shownSpeed: BodySpeed { maker.shownSpeed }
    package var isButtonHeld: Bool { maker.isButtonHeld }

    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? { maker.discovery(at: host, port: port) }

    package mutating func turnDial(to mode: DialMode, at now: Duration) { maker.turnDial(to: mode, at: now) }

    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) { maker.turnSpeed(to: speed, at: now) }

    package mutating func setBattery(percent: Int, at now: Duration) { maker.setBattery(percent: percent, at: now) }
}

package struct BodyPort: Hashable, Sendable {
    package var number: UInt16
    package var transport: Transport

    package enum Transport: Hashable, Sendable {
        case tcp, http
    }

    package init(_ number: UInt16, _ transport: Transport = .tcp) {
        self.number = number
        self.transport = transport
    }
}

/// An output of a body.
package enum BodyOutput: Equatable, Sendable {
    case send(ConnectionID, ByteBuffer)
    /// Close the connection when everything before is written.
    case close(ConnectionID)
    /// A fault of the link is due.
    case link(BodyLinkFault)
    /// The shutter has closed on a frame.
    case exposed(CardFrame)
    /// A fact that only the body knows for certain.
    case fact(BodyFact)
    /// One line for the log.
    case log(String)
}

/// A fault of the link.
package enum BodyLinkFault: Equatable, Sendable {
    /// All connections break; connects are refused for this time.
    case broken(back: Duration)
    /// All connections are closed in order; connects are refused for this time, if given.
    case closed(back: Duration?)
    /// The body leaves the network.
    case leaves(Departure)
    /// Nothing is answered for this time; nil: until the initiator has closed all connections.
    case silent(back: Duration?)
}
