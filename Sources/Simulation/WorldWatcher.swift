import Cameras
import Controller

/// Who looks on while the world goes its way, and changes nothing. Told of everything at once and in order.
package protocol WorldWatcher: Sendable {
    /// The daemon took an input to its end, and these effects of it were performed: all, unless it was killed there.
    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration)
    /// A camera did something.
    mutating func did(_ action: BodyAction, camera: Int, at now: Duration)
    /// The process ended at this instant, and these are the rows that its disk is left with.
    mutating func died(ledger: VirtualLedger.Tables, at now: Duration)
}
