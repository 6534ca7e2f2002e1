import Bodies
import Cameras
import Controller

/// Watches a world and changes nothing. Gets everything at once and in order.
package protocol WorldWatcher: Sendable {
    /// The daemon took an input to its end, and these effects of it were performed: all, unless it was killed there.
    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration)
    /// A camera did something.
    mutating func did(_ action: BodyAction, camera: Int, at now: Duration)
    /// Another camera is in the world.
    mutating func added(_ camera: SimulatedCamera, number: Int)
    /// A camera accepted one of the daemon's connections.
    mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration)
    /// The process ended at this instant, and these are the rows that its disk is left with.
    ///
    /// - Parameter isPowerCut: whether what was not synced is gone.
    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration)
    /// The log of the ledger was damaged while no process ran, and these are the rows that are left.
    mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration)
    /// Something else was done.
    mutating func heard(_ words: @autoclosure () -> String, at now: Duration)
    /// Whether it has seen enough.
    var isAlarmed: Bool { get }
}

extension WorldWatcher {
    package mutating func added(_ camera: SimulatedCamera, number: Int) {}
    package mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {}

    package mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration) {}

    package mutating func heard(_ words: @autoclosure () -> String, at now: Duration) {}

    package var isAlarmed: Bool { false }
}
