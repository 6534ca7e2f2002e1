import Cameras
import NIOCore

/// What the core wants done. The host does it and, where it has a result, puts that on the queue as an ``Input``.
package enum Effect: Equatable, Sendable {
    /// Open a connection (TCP: no delay, keep-alive) to the camera; answered by `LinkEvent.opened` or `.openFailed`.
    case openLink(LinkGeneration, LinkID, LinkTarget, timeout: Duration)
    case send(LinkGeneration, LinkID, ByteBuffer)
    /// Close a connection, or give up opening it. Not answered.
    case closeLink(LinkGeneration, LinkID)
    /// Perform a request of HTTP, or give it up; answered by ``Input/http(_:_:_:)``.
    case http(LinkGeneration, HTTPRequestID, HTTPAction)
    /// From now on tell by ``Input/network(_:)`` how packets to this address would go; nil: to none. A name is known
    /// only once a connection to it was opened.
    case watchRoute(CameraAddress?)
    case discovery(DiscoveryEffect)
    /// Put this at the end of the queue.
    case enqueue(Message)
    /// Answer a request; `continues`: more answers follow to the same request.
    case reply(RequestID, Reply, continues: Bool)
    case fail(RequestID, RequestError)
    case journal(JournalEntry)
    /// These parts of the bytes that a link received with this input hold nothing of a picture: a recorder may keep
    /// them. Without it none of them may be kept.
    case record([Range<Int>])
    /// Do something with a picture; away from the loop.
    case picture(PictureID, PictureEffect)
    /// Write the manifest of a shoot's folder; away from the loop. Not answered: what goes wrong is journaled.
    case manifest(Manifest)
    /// See whether the pictures' disk has room for a picture again; answered by ``Input/room(isThere:)``.
    case checkRoom
    /// Do something with the ledger; away from the loop.
    case ledger(LedgerEffect)
    /// Look at the machine, away from the loop; answered once and soon, by ``Input/inspected(_:)``.
    case inspect
    /// Keep the plan that is armed, over the end of the process; nil: none is. Away from the loop; answered by
    /// ``Input/planKept(_:trouble:)``.
    case keepPlan(PlanInput?, for: RequestID)
    /// Show this on the lamp.
    case lamp(LampSign)
    /// The one sentence for the service manager.
    case status(String)
    /// The daemon stops. `waiting`: it waits first, for a frame or until a setting is put back, at the most so long;
    /// nil: it leaves now.
    case stopping(waiting: Duration?)
    /// The ordered stop is over: end the process.
    case finished
}

/// The buffer that the core fills and its driver empties and uses again.
package struct Effects: Sendable {
    package private(set) var list: [Effect] = []

    package init() {}

    package mutating func append(_ effect: Effect) {
        list.append(effect)
    }

    /// Forgets the effects and keeps the memory.
    package mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
    }
}

/// One entry of the journal: a sentence for people, fields for programs.
package struct JournalEntry: Equatable, Sendable {
    package var level: Level
    package var kind: Kind
    package var message: String
    /// In the order in which they are to be shown. Names without the `BRACKETD_` that the journal puts before them:
    /// CHART, FROM, TO, EVENT, SHOOT, SET, FRAME, SPEED …
    package var fields: [Field] = []

    package enum Level: UInt8, Sendable {
        case debug, info, notice, warning, error
    }

    /// Which catalog text explains the entry: each kind has one MESSAGE_ID.
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
