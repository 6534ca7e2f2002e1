import Bodies
import Cameras
import Controller

/// Watches a world and changes nothing. Receives all events at once and in order.
package protocol WorldWatcher: Sendable {
    /// The daemon handled an input, and these effects were performed: all, unless it was killed in between.
    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration)
    mutating func did(_ action: BodyAction, camera: Int, at now: Duration)
    /// Another camera is in the world.
    mutating func added(_ camera: SimulatedCamera, number: Int)
    /// A camera accepted one of the daemon's connections.
    mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration)
    /// The process ended at this instant, and its disk has these rows.
    ///
    /// - Parameter isPowerCut: Whether unsynced rows are lost.
    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration)
    /// The log of the ledger was damaged while no process ran, and these rows remain.
    mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration)
    /// Another event.
    mutating func note(_ words: @autoclosure () -> String, at now: Duration)
    /// Whether it needs no further events.
    var hasSeenViolation: Bool { get }
}

extension WorldWatcher {
    package mutating func added(_ camera: SimulatedCamera, number: Int) {}
    package mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {}

    package mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration) {}

    package mutating func note(_ words: @autoclosure () -> String, at now: Duration) {}

    package var hasSeenViolation: Bool { false }
}
