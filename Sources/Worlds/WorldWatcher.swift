import Bodies
import Cameras
import Controller

/// Watches a world without changing it. It receives every event at once and in order.
package protocol WorldWatcher: Sendable {
    /// The daemon handled an input and performed these effects. After a kill, the later effects are absent.
    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration)
    mutating func did(_ action: BodyAction, camera: Int, at now: Duration)
    /// A camera was added to the world.
    mutating func added(_ camera: SimulatedCamera, number: Int)
    /// A camera accepted a connection of the daemon.
    mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration)
    /// The process ended at this instant. `ledger`: the rows on the ledger's disk at that time.
    ///
    /// - Parameter isPowerCut: Whether unsynced rows are lost.
    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration)
    /// The log of the ledger was damaged while no process ran. `ledger`: the rows that remain.
    mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration)
    /// An event of another kind happened.
    mutating func note(_ words: @autoclosure () -> String, at now: Duration)
    /// Whether the watcher needs no further events.
    var hasSeenViolation: Bool { get }
}

extension WorldWatcher {
    package mutating func added(_ camera: SimulatedCamera, number: Int) {}
    package mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {}

    package mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration) {}

    package mutating func note(_ words: @autoclosure () -> String, at now: Duration) {}

    package var hasSeenViolation: Bool { false }
}
