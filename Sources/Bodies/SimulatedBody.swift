import Cameras
import Exposure
import NIOCore
import PTP

/// What people do to a body, and what a judge asks it: the same for every maker.
package protocol BodyControls: Sendable {
    /// As the driver names it: see ``Cameras/CameraIdentity/id``.
    var cameraID: String { get }
    /// As it calls itself.
    var modelName: String { get }
    /// The frames exposed so far, in order.
    var card: [CardFrame] { get }
    /// Where the dial stands, or where the initiator has put the mode.
    var mode: DialMode { get }
    /// The speed that the shutter would have now.
    var shownSpeed: BodySpeed { get }
    /// Whether the initiator holds a button of the shutter down.
    var isButtonHeld: Bool { get }
    /// How it lets itself be found at this address, with its description at that port; nil: it does not.
    func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery?

    /// A person turns the mode dial.
    mutating func turnDial(to mode: DialMode, at now: Duration)
    /// A person turns the dial of the shutter speed.
    mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration)
    /// What is left of the battery, in per cent; below zero: not known.
    mutating func setBattery(percent: Int, at now: Duration)
    /// The battery is pulled: nothing is left but the card and the settings.
    mutating func losePower(at now: Duration)
}

extension SimulatedBody {
    package static func foreignClient(number: Int) -> (any ForeignClient)? { nil }
}

extension BodyControls {
    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? { nil }
}

/// A simulated body of any maker and any protocol, with the side of the wire that it speaks.
///
/// Pure: connections, bytes and time go in; ``work(at:into:)`` gives what comes of it. ``SimulatedCamera`` puts the
/// body behind a link that has a latency and may fail.
package protocol SimulatedBody: BodyControls {
    /// Where it listens; the first port is the one that its discovery stands for.
    static var ports: [BodyPort] { get }

    /// What bytes on one of its connections ask of it; nil: nothing that a judge has to know. Read by hand, not by the
    /// driver's means.
    static func meaning(of bytes: ByteBuffer) -> DriverSignal?

    /// Another client of such a body, by its number among all such clients; nil: none is simulated.
    static func foreignClient(number: Int) -> (any ForeignClient)?

    /// A connection was accepted.
    mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration)
    /// Bytes came from the initiator.
    mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration)
    /// Bytes came while the body is silent: it may count them, and does nothing else.
    mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer)
    /// The network has taken so many bytes of a connection; see ``BodyOptions/sendWindow``.
    mutating func written(_ id: ConnectionID, _ count: Int)
    /// The initiator closed a connection, or it broke.
    mutating func closed(_ id: ConnectionID, at now: Duration)
    /// The link broke: closes every connection.
    mutating func disconnect(at now: Duration)
    /// How many connections stand.
    var connectionCount: Int { get }
    /// Whether an initiator has a session open.
    var isSessionOpen: Bool { get }

    /// When ``advance(to:)`` wants to be called next; nil: not before something happens.
    var nextDeadline: Duration? { get }
    /// Time has passed.
    mutating func advance(to now: Duration)
    /// Does the next thing that is to be done, if any, and appends what comes of it. A fault of the link is the last
    /// output of a call: what is done next depends on it.
    ///
    /// - Returns: whether there was anything to do.
    mutating func work(at now: Duration, into outputs: inout [BodyOutput]) -> Bool

    /// No fault happens any more, and what they have begun is over; the dial stands on `mode`.
    ///
    /// - Returns: whether an answer was going to break off: its end never comes.
    mutating func heal(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool
}

/// A protocol in front of a maker's body, which knows all that people do to it.
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

/// Where a body listens.
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

/// What a body does.
package enum BodyOutput: Equatable, Sendable {
    /// Write these bytes.
    case send(ConnectionID, ByteBuffer)
    /// Close once everything before is written.
    case close(ConnectionID)
    /// A fault of the link has come due.
    case link(BodyLinkFault)
    /// The shutter has closed on a frame.
    case exposed(CardFrame)
    /// What only the body knows for certain.
    case fact(BodyFact)
    /// One line that says what happened.
    case log(String)
}

/// What can happen to the link.
package enum BodyLinkFault: Equatable, Sendable {
    /// Everything breaks; connects are refused for so long.
    case broken(back: Duration)
    /// All connections are closed in order; connects are refused for so long, if at all.
    case closed(back: Duration?)
    /// The body leaves the network.
    case leaves(Departure)
    /// Nothing is answered, for so long; nil: until the initiator has closed everything.
    case silent(back: Duration?)
}
