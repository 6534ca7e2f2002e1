import Bodies
import Cameras
import Controller
import Exposure

/// An action of a user, a client or chance on the daemon, its camera or its computer.
package enum ScenarioAction: Equatable, Sendable {
    case ask(Request)
    /// The client of the previous request disconnects without waiting.
    case hangUp
    /// A client sends an invalid call.
    case invalidCalls(UInt64)
    case turnMode(DialMode)
    case turnSpeed(ShutterSpeed)
    /// The camera's battery is removed, and returned after this time.
    case pullBattery(back: Duration)
    case putBattery
    /// The computer leaves the camera's network, or returns to it.
    case move(Station.Change)
    /// The ledger's disk, or the pictures', has this state for this time.
    case ledger(DiskCondition, for: Duration)
    case disk(DiskCondition, for: Duration)
    /// The next operation of this kind on the ledger's disk, or the pictures', fails; later ones do not.
    case failLedger(DiskOperation)
    case failDisk(DiskOperation)
    /// At the next kill of the process, the ledger's log is damaged: its last `commits` commits are lost.
    case damageLog(commits: Int)
    /// Another client requests the camera's only session, at most so many times, and holds it for this time.
    case occupy(for: Duration, tries: Int, isOrderly: Bool)
    /// Now it is known whether it got the session.
    case keepOccupied(for: Duration, tries: Int, isOrderly: Bool)
    /// It disconnects, in order or not.
    case vacate(isOrderly: Bool)
    /// The daemon is killed after this number of effects that are visible from outside.
    case kill(after: Int, isPowerCut: Bool, writesPending: Bool, back: Duration)
    /// The daemon is stopped in order and started again after this time.
    case stop(back: Duration)
    /// A second stop request, if the first stop has not ended yet.
    case stopAgain
    case start
    /// The user presses the button and releases it after this time.
    case press(for: Duration, EdgeReception)
    /// The button is released; how the press was received, and when it began.
    case releaseButton(EdgeReception, since: Duration, of: Int)
    /// A late loop receives a whole press.
    case receiveLate(since: Duration, until: Duration, of: Int)
    /// The chip of the button's line disappears, and returns after this time.
    case pullButton(back: Duration)
    case putButton
    /// The configuration is changed and read again.
    case configure(ButtonConfiguration, resumesByItself: Bool)
}

/// How the daemon receives a press.
package enum EdgeReception: Equatable, Sendable {
    /// Each edge when it happens.
    case atOnce
    /// Both edges together, this long after the second.
    case late(Duration)
    /// An edge is lost, the first or the second: the line is read instead.
    case pressLost
    case releaseLost
}

/// The state of a disk.
package enum DiskCondition: Equatable, Sendable {
    /// Each write takes up to this time, until the next state.
    case slow(Duration)
    /// Every write fails.
    case full
    /// Nothing is answered.
    case silent
}

/// A disk operation that can fail by itself.
package enum DiskOperation: CaseIterable, Hashable, Sendable {
    /// Of the ledger: a commit. Of a picture: a piece of its bytes.
    case write
    /// Of the ledger: the sync of a commit, which may still be in the file. Of a picture: the sync of the file.
    case sync
    /// Of the ledger: an opening, or an answer to a client. Of a picture: its exposure data.
    case read
}

/// The kinds of faults of the surroundings, the camera and the users: each seed draws some.
package enum FaultKind: String, CaseIterable, Sendable {
    /// The body: busy; no speed or another one; does not fire; never idle; breaks the link; leaves the network; another
    /// mode; difficult connections; no or too many events; a confused buffer; broken transfers; no tolerance for idle
    /// clients.
    case busy, speeds, shutter, saving, link, leaving, mode, session, events, buffer, transfers, idling
    /// The network: late, in pieces, stalls, resets, swallowed connections; the computer leaves it.
    case jitter, pieces, stalls, resets, blackholes, roaming
    /// The computer: its ledger, the pictures' disk, a killed daemon, a power cut, a restarted daemon.
    case ledger, disk, kills, powerCuts, restarts
    /// The users: they pause and resume, cancel and retry shoots, redo frames, turn dials, remove the battery, choose
    /// cameras, watch, send invalid calls.
    case pausing, cancelling, redoing, dials, battery, choosing, watching, invalidCalls
    /// Drawn from their own stream: single operations of the disks that fail; other clients that hold the camera's only
    /// session.
    case ioErrors, otherClients
    /// Drawn from another stream: a ledger log that is damaged when the daemon is killed.
    case damagedLogs

    /// The kinds of a seed's own stream. A newer kind is not among them, so that each seed keeps its world.
    static let ofSeed = allCases.filter { !ofSurroundings.contains($0) && $0 != .damagedLogs }
    /// The kinds in the stream of ``Scenario/addSurroundings()``.
    static let ofSurroundings: [Self] = [.ioErrors, .otherClients]

    static let conditions: Set<Self> = [.jitter, .pieces, .stalls, .resets, .blackholes]
}
