/// What the network does to connections while it carries them, and how often: a value, from which a seed draws what
/// really happens.
///
/// What is drawn is drawn when something is sent or opened: on a quiet connection nothing happens. Order within a
/// connection is kept, as TCP keeps it; between connections it is not.
import Bodies

package struct NetworkWeather: Hashable, Sendable {
    /// How long the way is, drawn once for each connection.
    package var latency: ClosedRange<Duration>
    /// By how much a segment may be later than that, drawn for each.
    package var jitter: Duration
    /// How often what was sent arrives in pieces: once in so many times; zero: never.
    package var cutsOneIn = 0
    /// How many bytes a piece has. What is left after ``cutsMax`` of them arrives as one.
    package var pieces = 1...64
    /// A segment and everything behind it on its connection is late, as behind a lost packet.
    package var stalls = Spell.never
    /// The connection is reset so long after something was sent: what is on its way then is lost in both directions.
    package var resets = Spell.never
    /// Nothing of a connection arrives any more for so long. What is sent meanwhile arrives then, unless its sender
    /// gave up.
    package var holes = Spell.never
    /// Of the holes every so-manieth is never over; zero: none.
    package var endlessOneIn = 0
    /// The same as ``holes`` for every connection at once, for what is opened too.
    package var outages = Spell.never
    /// An opening takes so much longer, as with a lost SYN.
    package var lateOpens = Spell.never
    /// How often an opening is refused, though somebody would take it.
    package var refusesOneIn = 0
    /// How often an opening is not answered at all.
    package var swallowsOneIn = 0

    /// How often something happens, and for how long.
    package struct Spell: Hashable, Sendable {
        /// Once in so many times; zero: never.
        package var oneIn: Int
        package var lasts: ClosedRange<Duration>

        package init(oneIn: Int, lasts: ClosedRange<Duration>) {
            precondition(oneIn >= 0 && lasts.lowerBound >= .zero)
            self.oneIn = oneIn
            self.lasts = lasts
        }

        package static let never = Spell(oneIn: 0, lasts: .zero ... .zero)

        /// How long it lasts this time; nil: it does not happen.
        func draw(from generator: inout SeededGenerator) -> Duration? {
            generator.chance(oneIn: oneIn) ? generator.duration(in: lasts) : nil
        }
    }

    /// So many pieces are cut off at the most of what was sent at once.
    package static let cutsMax = 16
    /// A lost packet is sent again before the system gives the connection up.
    package static let stallMax = Duration.seconds(15)

    package init(latency: ClosedRange<Duration>, jitter: Duration = .zero) {
        precondition(latency.lowerBound >= .zero && jitter >= .zero)
        self.latency = latency
        self.jitter = jitter
    }

    /// Nothing is drawn: everything takes the time, and comes in the pieces, of the world's ``World/Network``.
    package static let calm = NetworkWeather(latency: .zero ... .zero)

    package var isCalm: Bool { self == .calm }
}
