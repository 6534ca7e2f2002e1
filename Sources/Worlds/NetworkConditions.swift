/// The faults of the network, and how often each one happens. A seed draws the faults from these values.
///
/// A fault is drawn when something is sent or a connection is opened, so an idle connection has no faults. The order of
/// bytes within a connection is kept, as in TCP. The order between connections is not kept.
import Bodies

package struct NetworkConditions: Hashable, Sendable {
    /// The delay in one direction, which is drawn once for each connection.
    package var latency: ClosedRange<Duration>
    /// The additional delay of a segment, which is drawn for each segment.
    package var jitter: Duration
    /// One in this number of sends arrives in pieces; zero: none.
    package var cutsOneIn = 0
    /// The size of a piece in bytes. After ``cutsMax`` pieces the rest arrives in one piece.
    package var pieces = 1...64
    /// A segment and all later bytes of its connection arrive late, as after a lost packet.
    package var stalls = FaultRate.never
    /// A connection is reset after the drawn duration. Bytes that are under way then are lost in both directions.
    package var resets = FaultRate.never
    /// Nothing arrives on a connection for the drawn duration. Bytes that were sent in this time arrive afterwards,
    /// unless the sender has ended the connection.
    package var holes = FaultRate.never
    /// One in this number of holes never ends; zero: all holes end.
    package var endlessOneIn = 0
    /// A hole in all connections at once, including new ones: see ``holes``.
    package var outages = FaultRate.never
    /// Opening a connection takes longer by the drawn duration, as after a lost SYN.
    package var lateOpens = FaultRate.never
    /// One in this number of connections is refused, although the camera would accept it; zero: none.
    package var refusesOneIn = 0
    /// The network does not answer one in this number of attempts to connect; zero: it answers all.
    package var swallowsOneIn = 0

    /// The frequency and the duration of a fault.
    package struct FaultRate: Hashable, Sendable {
        /// The fault happens once in this number of times; zero: never.
        package var oneIn: Int
        package var lasts: ClosedRange<Duration>

        package init(oneIn: Int, lasts: ClosedRange<Duration>) {
            precondition(oneIn >= 0 && lasts.lowerBound >= .zero)
            self.oneIn = oneIn
            self.lasts = lasts
        }

        package static let never = FaultRate(oneIn: 0, lasts: .zero ... .zero)

        /// Draws the duration of the fault; nil: the fault does not happen this time.
        func draw(from generator: inout SeededGenerator) -> Duration? {
            generator.chance(oneIn: oneIn) ? generator.duration(in: lasts) : nil
        }
    }

    /// The maximum number of pieces into which one send is cut.
    package static let cutsMax = 16
    /// The longest stall. It is shorter than the timeout of the system, so that a stall closes no connection.
    package static let stallMax = Duration.seconds(15)

    package init(latency: ClosedRange<Duration>, jitter: Duration = .zero) {
        precondition(latency.lowerBound >= .zero && jitter >= .zero)
        self.latency = latency
        self.jitter = jitter
    }

    /// Conditions without random values: all bytes have the delay and the pieces of the world's ``World/Network``.
    package static let normal = NetworkConditions(latency: .zero ... .zero)

    package var isNormal: Bool { self == .normal }
}
