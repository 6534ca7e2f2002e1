import Bodies
import Cameras
import Controller
import Exposure

/// What a person, a client or chance does to the daemon, its camera or its computer.
package enum ScenarioAction: Equatable, Sendable {
    /// A client asks.
    case ask(Request)
    /// The client of the request before goes away without waiting.
    case hangUp
    /// A client sends something that is no call, or fits no interface.
    case babble(UInt64)
    case turnMode(DialMode)
    case turnSpeed(ShutterSpeed)
    /// The camera's battery is taken out, and put in again after so long.
    case pullBattery(back: Duration)
    case putBattery
    /// The computer leaves the camera's network, or comes back to it.
    case move(Station.Way)
    /// The ledger's disk, or the pictures', is in this mood for so long.
    case ledger(DiskMood, for: Duration)
    case disk(DiskMood, for: Duration)
    /// The next operation of this kind on the ledger's disk, or the pictures', fails; those after it do not.
    case failLedger(DiskOperation)
    case failDisk(DiskOperation)
    /// When the process is killed next, the ledger's log is damaged: so many commits at its end are gone.
    case damageLog(commits: Int)
    /// Another client asks for the camera's only session, up to so many times, and holds it for so long.
    case occupy(for: Duration, tries: Int, isOrderly: Bool)
    /// Whether it got the session is known by now.
    case keepOccupied(for: Duration, tries: Int, isOrderly: Bool)
    /// It leaves, in order or not.
    case vacate(isOrderly: Bool)
    /// The daemon is killed after it has done so many more things that can be noticed outside of it.
    case kill(after: Int, isPowerCut: Bool, writesPending: Bool, back: Duration)
    /// The daemon is stopped in order and started again after so long.
    case stop(back: Duration)
    /// A second order to stop, if it has not ended yet.
    case stopAgain
    case start
    /// A person presses the button and lets it go after so long.
    case press(for: Duration, ButtonHearing)
    /// The button is released; how the press was received, and since when it lasted.
    case letGo(ButtonHearing, since: Duration, of: Int)
    /// A loop that was late receives a whole press.
    case hearLate(since: Duration, until: Duration, of: Int)
    /// The chip of the button's line goes away, and comes back after so long.
    case pullButton(back: Duration)
    case putButton
    /// The configuration is changed and read again.
    case configure(ButtonConfiguration, resumesByItself: Bool)
}

/// How the daemon receives a press.
package enum ButtonHearing: Equatable, Sendable {
    /// Of each edge when it comes.
    case atOnce
    /// Of both edges together, so long after the second.
    case late(Duration)
    /// An edge is lost, the first or the second: the line is read instead.
    case pressLost
    case releaseLost
}

/// How a disk takes what is to be written.
package enum DiskMood: Equatable, Sendable {
    /// Each write takes up to so long; until another mood comes.
    case slow(Duration)
    /// Nothing is taken.
    case full
    /// Nothing is answered.
    case silent
}

/// An operation on a disk that can fail alone.
package enum DiskOperation: CaseIterable, Hashable, Sendable {
    /// Of the ledger: a commit. Of a picture: a piece of its bytes.
    case write
    /// Of the ledger: the sync of a commit, which may be in the file all the same. Of a picture: the sync of the file.
    case sync
    /// Of the ledger: an opening, or an answer to a client. Of a picture: what it says of its exposure.
    case read
}

/// What of the surroundings, the camera and the people is in a scenario: each seed draws which.
package enum FaultKind: String, CaseIterable, Sendable {
    /// The body: is busy; takes no speed or another one; does not fire; does not get idle; breaks the link; is carried
    /// off; stands on another mode; makes connecting hard; is silent or loud about its changes; muddles its buffer;
    /// muddles transfers; bears no idle client.
    case busy, speeds, shutter, saving, link, leaving, mode, session, events, buffer, transfers, idling
    /// The network: late, in pieces, stalling, resetting, swallowing; left by the computer.
    case jitter, pieces, stalls, resets, blackholes, roaming
    /// The computer: its ledger, the pictures' disk, its daemon killed, its power cut, its daemon restarted.
    case ledger, disk, kills, powerCuts, restarts
    /// The people: who pause and go on, stop shoots and fire what is missing, want frames again, turn dials, pull the
    /// battery, choose cameras, look on, talk nonsense.
    case pausing, cancelling, redoing, dials, battery, choosing, looking, babbling
    /// Drawn from a stream of their own: single operations of the disks that fail; other clients that hold the camera's
    /// only session.
    case ioErrors, otherClients
    /// Drawn from another one: a log of the ledger that is damaged when the daemon is killed.
    case damagedLogs

    /// Those of a seed's own stream. A newer kind is not among them, so that each seed keeps its world.
    static let ofSeed = allCases.filter { !ofSurroundings.contains($0) && $0 != .damagedLogs }
    /// Those of the stream of ``Scenario/addSurroundings()``.
    static let ofSurroundings: [Self] = [.ioErrors, .otherClients]

    static let weather: Set<Self> = [.jitter, .pieces, .stalls, .resets, .blackholes]
}
