import Cameras
import NIOCore

/// An action for the host. The host puts the result, if there is one, on the queue as an ``Input``.
package enum Effect: Equatable, Sendable {
    /// Open a connection (TCP: no delay, keep-alive) to the camera; answered by `LinkEvent.opened` or `.openFailed`.
    case openLink(LinkGeneration, LinkID, LinkTarget, timeout: Duration)
    case send(LinkGeneration, LinkID, ByteBuffer)
    /// Close a connection, or stop opening it. Not answered.
    case closeLink(LinkGeneration, LinkID)
    /// Perform or cancel an HTTP request; answered by ``Input/http(_:_:_:)``.
    case http(LinkGeneration, HTTPRequestID, HTTPAction)
    /// From now on report the route to this address by ``Input/network(_:)``; nil: no route. The host resolves a name
    /// only when it opens a connection to it.
    case watchRoute(CameraAddress?)
    case discovery(DiscoveryEffect)
    /// Put this at the end of the queue.
    case enqueue(Message)
    /// Answer a request; `continues`: more answers to the same request follow.
    case reply(RequestID, Reply, continues: Bool)
    case fail(RequestID, RequestError)
    case journal(JournalEntry)
    /// These parts of the bytes that a link received with this input contain nothing of a picture, so a recorder may
    /// store them. Without this effect it may store none of them.
    case record([Range<Int>])
    /// Do something with a picture; away from the loop.
    case picture(PictureID, PictureEffect)
    /// Write the manifest of a shoot's folder; away from the loop. Not answered: the host logs errors.
    case manifest(Manifest)
    /// Check whether the disk for pictures has free space again; answered by ``Input/room(isThere:)``.
    case checkRoom
    /// Do something with the ledger; away from the loop.
    case ledger(LedgerEffect)
    /// Check the machine, away from the loop; answered once and soon, by ``Input/inspected(_:)``.
    case inspect
    /// Store the armed plan, or that there is none, for the next process. Away from the loop; answered by
    /// ``Input/planKept(_:trouble:)``.
    case keepPlan(PlanInput?, for: RequestID)
    case lamp(LampSignal)
    /// The one sentence for the service manager.
    case status(String)
    /// The daemon stops. `waiting`: the longest time that it first waits, for a frame or until a setting is restored;
    /// nil: it does not wait.
    case stopping(waiting: Duration?)
    /// The ordered stop has ended: end the process.
    case finished
}

/// The buffer that the core fills. The caller empties it and uses it again.
package struct Effects: Sendable {
    package private(set) var list: [Effect] = []

    package init() {}

    package mutating func append(_ effect: Effect) {
        list.append(effect)
    }

    /// Removes the effects and keeps the memory.
    package mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
    }
}

/// One entry of the journal: a sentence for users, fields for programs.
package struct JournalEntry: Equatable, Sendable {
    package var level: Level
    package var kind: Kind
    package var message: String
    /// In the order of display. The journal puts `BRACKETD_` before the names: CHART, FROM, TO, EVENT, SHOOT, SET,
    /// FRAME, SPEED …
    package var fields: [Field] = []

    package enum Level: UInt8, Sendable {
        case debug, info, notice, warning, error
    }

    /// The catalog text that explains the entry: each kind has one MESSAGE_ID.
    package enum Kind: String, CaseIterable, Sendable {
        case transition
        case note
        case cameraConnected
        case cameraRefused
        case cameraLost
        case modeWrong
        case shootStarted
        case shootPaused
        case shootCompleted
        case shootPartial
        case shootCancelled
        case shutterInDoubt
        case shootInterrupted
        case ledger
        case settings
        case button
        case stopping
    }

    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
