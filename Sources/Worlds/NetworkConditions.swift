/// The effects of the network on connections, and how often: a seed draws the events from these values.
///
/// Events are drawn when something is sent or opened: on a quiet connection nothing happens. The order within a
/// connection is kept, as in TCP; the order between connections is not.
import Bodies

package struct NetworkConditions: Hashable, Sendable {
    /// The delay in one direction, drawn once for each connection.
    package var latency: ClosedRange<Duration>
    /// The additional delay of a segment, drawn for each.
    package var jitter: Duration
    /// How often sent bytes arrive in pieces: once in so many times; zero: never.
    package var cutsOneIn = 0
    /// The size of a piece in bytes. The rest after ``cutsMax`` pieces arrives as one.
    package var pieces = 1...64
    /// A segment and all later bytes of its connection are late, as after a lost packet.
    package var stalls = FaultRate.never
    /// The connection is reset this long after a send: bytes that are under way then are lost in both directions.
    package var resets = FaultRate.never
    /// Nothing on a connection arrives for this time. Bytes that are sent in it arrive afterwards, unless the sender
    /// gave up.
    package var holes = FaultRate.never
    /// One in so many holes never ends; zero: none.
    package var endlessOneIn = 0
    /// The same as ``holes`` for all connections at once, including new ones.
    package var outages = FaultRate.never
    /// An opening takes this much longer, as with a lost SYN.
    package var lateOpens = FaultRate.never
    /// How often an opening is refused although the camera would accept it.
    package var refusesOneIn = 0
    /// How often an opening is not answered at all.
    package var swallowsOneIn = 0

    /// How often an event happens, and for how long.
    package struct FaultRate: Hashable, Sendable {
        /// Once in so many times; zero: never.
        package var oneIn: Int
        package var lasts: ClosedRange<Duration>

        package init(oneIn: Int, lasts: ClosedRange<Duration>) {
            precondition(oneIn >= 0 && lasts.lowerBound >= .zero)
            self.oneIn = oneIn
            self.lasts = lasts
        }

        package static let never = FaultRate(oneIn: 0, lasts: .zero ... .zero)

        /// The duration of this event; nil: it does not happen.
        func draw(from generator: inout SeededGenerator) -> Duration? {
            generator.chance(oneIn: oneIn) ? generator.duration(in: lasts) : nil
        }
    }

    /// The most pieces of one send.
    package static let cutsMax = 16
    /// A lost packet is sent again before the system closes the connection.
    package static let stallMax = Duration.seconds(15)

    package init(latency: ClosedRange<Duration>, jitter: Duration = .zero) {
        precondition(latency.lowerBound >= .zero && jitter >= .zero)
        self.latency = latency
        self.jitter = jitter
    }

    /// Draws nothing: all bytes have the delay and the pieces of the world's ``World/Network``.
    package static let normal = NetworkConditions(latency: .zero ... .zero)

    package var isNormal: Bool { self == .normal }
}
