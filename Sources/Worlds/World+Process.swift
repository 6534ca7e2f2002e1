import Bodies
import Cameras
import Controller

// The end and the start of the daemon's process.

extension World {
    /// Kills the daemon after this number of effects, even in the middle of its work; nil: cancels an earlier call.
    package mutating func killAfter(effects limit: Int?) {
        daemon.effectLimit = limit
    }

    /// Kills the daemon now, and the system closes its connections. See ``VirtualDaemon`` for the parameters.
    package mutating func kill(writesPending: Bool = false, isPowerCut: Bool = false) {
        network.endAll(at: now)
        forgetProcess()
        daemon.crash(newCore, writesPending: writesPending, isPowerCut: isPowerCut, at: now)
    }

    /// Kills the daemon now. At random, some first commits remain and some bytes still reach a camera.
    package mutating func kill(isPowerCut: Bool, drawing random: inout SeededGenerator) {
        network.endAll(isPowerCut: isPowerCut, drawing: &random, at: now)
        forgetProcess()
        daemon.crash(newCore, isPowerCut: isPowerCut, drawing: &random, at: now)
    }

    /// Damages the ledger's log while no daemon runs, so that the ledger loses its last commits.
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
        // The new process has not received the earlier reports.
        reportedNetwork = nil
        reportedRoute = nil
        put(.started)
        if network.station != nil { network.reportSoon(at: now) }
    }

    /// Ends the faults of the ledger and of the disk.
    package mutating func clearDiskFaults() {
        daemon.ledger.clearFaults(at: now)
        daemon.disk.clearFaults()
    }
}
