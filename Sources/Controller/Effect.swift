import Cameras
import NIOCore

/// An action for the host. If the action has a result, the host puts it on the queue as an ``Input``.
package enum Effect: Equatable, Sendable {
    /// Open a TCP connection to the camera with no delay and keep-alive.
    ///
    /// The host answers with `LinkEvent.opened` or `.openFailed`.
    case openLink(LinkGeneration, LinkID, LinkTarget, timeout: Duration)
    case send(LinkGeneration, LinkID, ByteBuffer)
    /// Close a connection, or stop opening it. The host does not answer.
    case closeLink(LinkGeneration, LinkID)
    /// Perform or cancel an HTTP request. The host answers with ``Input/http(_:_:_:)``.
    case http(LinkGeneration, HTTPRequestID, HTTPAction)
    /// Report the route to this address with ``Input/network(_:)`` from now on; nil: report no route.
    ///
    /// The host resolves a host name only when it opens a connection to that name.
    case watchRoute(CameraAddress?)
    case discovery(DiscoveryEffect)
    /// Put this message at the end of the queue.
    case enqueue(Message)
    /// Answer a request. `continues`: whether more answers to the same request follow.
    case reply(RequestID, Reply, continues: Bool)
    case fail(RequestID, RequestError)
    case journal(JournalEntry)
    /// Allow the recorder to store these ranges of the bytes in this input, because they contain no part of a picture.
    ///
    /// Without this effect the recorder stores no bytes of the input.
    case record([Range<Int>])
    /// Store bytes of a picture, outside of the loop.
    case picture(PictureID, PictureEffect)
    /// Write the manifest of a shoot's folder, outside of the loop. The host does not answer, and logs errors.
    case manifest(Manifest)
    /// Decode a stored JPEG and read its light, outside of the loop. The host answers once with ``Input/light(_:)``.
    case readLight(path: String)
    /// Decode the stored pictures of a shoot that is over, outside of the loop. The host answers once with
    /// ``Input/coverage(_:)``.
    case readCoverage(CoverageOrder)
    /// Check whether the disk for pictures has free space again. The host answers with ``Input/room(isThere:)``.
    case checkRoom
    /// Open, write or read the ledger, outside of the loop.
    case ledger(LedgerEffect)
    /// Check the machine, outside of the loop. The host answers once with ``Input/inspected(_:)``.
    case inspect
    /// Store the armed plan for the next process, outside of the loop; nil: delete the stored plan.
    ///
    /// The host answers with ``Input/planKept(_:failure:)``.
    case keepPlan(PlanInput?, for: RequestID)
    case lamp(LampSignal)
    /// Send this sentence to the service manager.
    case status(String)
    /// Announce that the daemon stops.
    ///
    /// `waiting`: the longest time that the daemon first waits for a frame or a setting; nil: it does not wait.
    case stopping(waiting: Duration?)
    /// End the process, because the core has finished its stop.
    case finished
}

/// The buffer that the core fills with effects. The caller empties the buffer and uses it again.
package struct Effects: Sendable {
    package private(set) var list: [Effect] = []

    package init() {}

    package mutating func append(_ effect: Effect) {
        list.append(effect)
    }

    /// Removes the effects, and keeps the memory of the list for the next input.
    package mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
    }
}

/// One entry of the journal: a sentence for users, fields for programs.
package struct JournalEntry: Equatable, Sendable {
    package var level: Level
    package var kind: Kind
    package var message: String
    /// The fields in the order of display. The journal puts `BRACKETD_` before each name: CHART, FROM, TO, EVENT,
    /// SHOOT, SET, FRAME, SPEED …
    package var fields: [Field] = []

    package enum Level: UInt8, Sendable {
        case debug, info, notice, warning, error
    }

    /// The kind of an entry. The journal's catalog explains each kind under its own MESSAGE_ID.
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
