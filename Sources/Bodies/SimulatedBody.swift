import Cameras
import Exposure
import NIOCore
import PTP

/// The user's actions on a body, and the values that rules read. Both are the same for every maker.
package protocol BodyControls: Sendable {
    /// The id of the body in the driver; see ``Cameras/CameraIdentity/id``.
    var cameraID: String { get }
    /// The model name that the body reports.
    var modelName: String { get }
    /// The frames exposed so far, in order.
    var card: [CardFrame] { get }
    /// The mode: the position of the dial, or a later choice of the initiator.
    var mode: DialMode { get }
    /// The speed of the next exposure.
    var shownSpeed: BodySpeed { get }
    /// Whether the initiator presses a shutter button.
    var isButtonHeld: Bool { get }
    /// How clients find the body at this address, with a description at this port; nil: clients cannot find the body.
    func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery?
    /// The same for a body whose description names the port of its service.
    func discovery(at host: IPAddress, port: UInt16, service: UInt16) -> BodyDiscovery?

    /// Turns the mode dial.
    mutating func turnDial(to mode: DialMode, at now: Duration)
    /// Turns the dial of the shutter speed.
    mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration)
    /// Changes the charge of the battery. Below zero: unknown.
    mutating func setBattery(percent: Int, at now: Duration)
    /// Removes the battery. Only the card and the settings remain.
    mutating func losePower(at now: Duration)
}

extension SimulatedBody {
    package var ports: [BodyPort] { Self.ports }

    package static func otherClient(number: Int) -> (any OtherClient)? { nil }
}

extension BodyControls {
    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? { nil }

    package func discovery(at host: IPAddress, port: UInt16, service: UInt16) -> BodyDiscovery? {
        discovery(at: host, port: port)
    }
}

/// A simulated body of any maker and any protocol, as seen by an initiator.
///
/// The body is pure. Its inputs are connections, bytes and time, and ``work(at:into:)`` returns its outputs.
/// ``SimulatedCamera`` adds a link with latency and faults.
package protocol SimulatedBody: BodyControls {
    /// The ports of all bodies of this type.
    static var ports: [BodyPort] { get }
    /// The ports of the body. Discovery uses the first port.
    var ports: [BodyPort] { get }

    /// The meaning of bytes on a connection; nil: no meaning for the rules. Reads the bytes without the driver's code.
    static func meaning(of bytes: ByteBuffer) -> DriverSignal?

    /// Makes the other client with this number. nil: other clients of this body are not simulated.
    static func otherClient(number: Int) -> (any OtherClient)?

    /// Handles a connection that the body accepted.
    mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration)
    /// Handles bytes from the initiator.
    mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration)
    /// Handles bytes that arrive while the body is silent: the body only counts the bytes.
    mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer)
    /// Notes that the network has accepted `count` bytes of a connection: see ``BodyOptions/sendWindow``.
    mutating func written(_ id: ConnectionID, _ count: Int)
    /// Handles a connection that the initiator closed or that broke.
    mutating func closed(_ id: ConnectionID, at now: Duration)
    /// Closes every connection, because the link broke.
    mutating func disconnect(at now: Duration)
    var connectionCount: Int { get }
    /// Whether an initiator has an open session.
    var isSessionOpen: Bool { get }

    /// When ``advance(to:)`` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// Does the next work if it is due, and appends the outputs. A call ends after a fault of the link, because later
    /// work depends on that fault.
    ///
    /// - Returns: whether any work was due.
    mutating func work(at now: Duration, into outputs: inout [BodyOutput]) -> Bool

    /// Ends all faults and their effects, and turns the dial to `mode`.
    ///
    /// - Returns: whether an answer ends too early because of a fault. The missing part is never sent.
    mutating func clearFaults(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool
}

/// A body whose protocol is separate from the maker's body. The maker's body handles all actions of the user.
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

    package func discovery(at host: IPAddress, port: UInt16, service: UInt16) -> BodyDiscovery? {
        maker.discovery(at: host, port: port, service: service)
    }

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
    /// Close the connection after all earlier bytes are written.
    case close(ConnectionID)
    /// A fault of the link is due.
    case link(BodyLinkFault)
    /// The shutter has closed, and a frame is exposed.
    case exposed(CardFrame)
    /// A fact that only the body knows for certain.
    case fact(BodyFact)
    /// One line for the log.
    case log(String)
}

/// A fault of the link.
package enum BodyLinkFault: Equatable, Sendable {
    /// All connections break. The body refuses connections for this time.
    case broken(back: Duration)
    /// The body closes all connections in order. With a time, it refuses connections for that time.
    case closed(back: Duration?)
    /// The body leaves the network.
    case leaves(Departure)
    /// The body answers nothing for this time; nil: until the initiator has closed all connections.
    case silent(back: Duration?)
}
