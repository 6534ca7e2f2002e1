import Bodies
import Cameras
import Controller

// The daemon's process: its end, and its start.

extension World {
    /// The daemon is killed after this number of effects, in the middle of its work; nil: not.
    package mutating func killAfter(effects limit: Int?) {
        daemon.effectLimit = limit
    }

    /// Kills the daemon, now; the system closes its connections. For the parameters see ``VirtualDaemon``.
    package mutating func kill(writesPending: Bool = false, isPowerCut: Bool = false) {
        network.endAll(at: now)
        forgetProcess()
        daemon.crash(newCore, writesPending: writesPending, isPowerCut: isPowerCut, at: now)
    }

    /// Ends the daemon, now, with random effects: a prefix of the commits remains, and some bytes still reach a camera.
    package mutating func kill(isPowerCut: Bool, drawing random: inout SeededGenerator) {
        network.endAll(isPowerCut: isPowerCut, drawing: &random, at: now)
        forgetProcess()
        daemon.crash(newCore, isPowerCut: isPowerCut, drawing: &random, at: now)
    }

    /// Damages the log of the ledger while no daemon runs: its last commits are lost.
    package mutating func loseCommits(_ count: Int) {
        if daemon.ledger.loseLast(count) { daemon.watcher?.lostCommits(ledger: daemon.ledger.tables, at: now) }
    }

    mutating func forgetProcess() {
        connectionLog.forgetOpen()
        exchanges.removeAll()
        reportedNetwork = nil
        reportedRoute = nil
    }

    /// Starts the daemon again after ``kill(writesPending:isPowerCut:)``.
    package mutating func restart() {
        // Reports to the ended process are lost.
        reportedNetwork = nil
        reportedRoute = nil
        put(.started)
        if network.station != nil { network.reportSoon(at: now) }
    }

    /// Ends the faults of ledger and disk.
    package mutating func clearDiskFaults() {
        daemon.ledger.clearFaults(at: now)
        daemon.disk.clearFaults()
    }
}
