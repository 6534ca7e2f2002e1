import Bodies
import Cameras
import Controller
import Exposure

/// An action of a user, a client or chance. It affects the daemon, its camera or its computer.
package enum ScenarioAction: Equatable, Sendable {
    case ask(Request)
    /// The client of the last request disconnects without waiting.
    case hangUp
    /// A client sends an invalid call.
    case invalidCalls(UInt64)
    case turnMode(DialMode)
    case turnSpeed(ShutterSpeed)
    /// A user removes the camera's battery and returns it after this time.
    case pullBattery(back: Duration)
    case putBattery
    /// The computer leaves the camera's network or returns to it.
    case move(Station.Change)
    /// The disk of the ledger (or of the pictures) is in this state for this time.
    case ledger(DiskCondition, for: Duration)
    case disk(DiskCondition, for: Duration)
    /// The next operation of this kind on the disk of the ledger (or of the pictures) fails. Later ones do not.
    case failLedger(DiskOperation)
    case failDisk(DiskOperation)
    /// The ledger's log is damaged at the next kill of the process, and its last `commits` commits are lost.
    case damageLog(commits: Int)
    /// Another client requests the camera's only session, up to `tries` times, and holds the session for this time.
    case occupy(for: Duration, tries: Int, isOrderly: Bool)
    /// The other client checks whether it has the session. It then holds the session or tries again.
    case keepOccupied(for: Duration, tries: Int, isOrderly: Bool)
    /// The other client disconnects, with or without CloseSession.
    case vacate(isOrderly: Bool)
    /// The daemon is killed after this number of effects that are visible outside the process.
    case kill(after: Int, isPowerCut: Bool, writesPending: Bool, back: Duration)
    /// The daemon is stopped in order and is started again after this time.
    case stop(back: Duration)
    /// The user requests a second stop before the first stop has ended.
    case stopAgain
    case start
    /// The user presses the button and releases it after this time.
    case press(for: Duration, EdgeReception)
    /// The user releases the button. `since` is the time of the press.
    case releaseButton(EdgeReception, since: Duration, of: Int)
    /// The daemon's loop, which was late, now receives both edges of a press.
    case receiveLate(since: Duration, until: Duration, of: Int)
    /// The chip of the button's line disappears and returns after this time.
    case pullButton(back: Duration)
    case putButton
    /// The user changes the configuration, and the daemon reads it again.
    case configure(ButtonConfiguration, resumesByItself: Bool)
}

/// How the daemon receives a press.
package enum EdgeReception: Equatable, Sendable {
    /// The daemon receives each edge when it happens.
    case atOnce
    /// The daemon receives both edges together, this long after the second edge.
    case late(Duration)
    /// The daemon does not receive the first edge (or the second) and reads the state of the line instead.
    case pressLost
    case releaseLost
}

/// The state of a disk.
package enum DiskCondition: Equatable, Sendable {
    /// Each write takes up to this time, until the disk gets another state.
    case slow(Duration)
    /// Every write fails.
    case full
    /// The disk answers no operation.
    case silent
}

/// A disk operation that can fail although the disk works otherwise.
package enum DiskOperation: CaseIterable, Hashable, Sendable {
    /// Ledger: a commit. Picture: writing a piece of its bytes.
    case write
    /// Ledger: the sync of a commit, whose rows can still be in the file. Picture: the sync of its file.
    case sync
    /// Ledger: an opening, or a read for a client. Picture: reading its exposure data.
    case read
}

/// The kinds of faults of the camera, the surroundings and the users. Each seed draws some of them.
package enum FaultKind: String, CaseIterable, Sendable {
    /// The body is busy, shows no speed or a wrong one, does not fire, or is never idle. The body breaks the link,
    /// leaves the network or changes its mode. Its connections are difficult, or its events are absent or too many. Its
    /// buffer reports a wrong state, it breaks transfers, or it disconnects idle clients.
    case busy, speeds, shutter, saving, link, leaving, mode, session, events, buffer, transfers, idling
    /// The network delays bytes, cuts them into pieces, stalls, resets connections or swallows them. The computer
    /// leaves the network.
    case jitter, pieces, stalls, resets, blackholes, roaming
    /// The computer has a fault of the ledger or of the disk for pictures. The daemon is killed, loses power or is
    /// restarted.
    case ledger, disk, kills, powerCuts, restarts
    /// The users pause and resume, cancel and retry shoots, redo frames, turn dials and remove the battery. Clients
    /// choose cameras, watch, and send invalid calls.
    case pausing, cancelling, redoing, dials, battery, choosing, watching, invalidCalls
    /// Single disk operations fail, or other clients hold the camera's only session. Both kinds share another random
    /// stream.
    case ioErrors, otherClients
    /// The ledger's log is damaged when the daemon is killed. This kind has a random stream for itself.
    case damagedLogs

    /// The kinds of a seed's main random stream. Newer kinds are not among them, so that each seed keeps its world.
    static let ofSeed = allCases.filter { !ofSurroundings.contains($0) && $0 != .damagedLogs }
    /// The kinds in the random stream of ``Scenario/addSurroundings()``.
    static let ofSurroundings: [Self] = [.ioErrors, .otherClients]

    static let conditions: Set<Self> = [.jitter, .pieces, .stalls, .resets, .blackholes]
}
