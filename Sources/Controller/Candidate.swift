import Cameras
import Statecharts

package enum CandidateEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The handshake is complete.
    case met(Meeting)
    /// The camera refused the session.
    case refused(Refusal)
    /// The address is not to be called again for this time.
    case rest(Duration)
    case report(JournalEntry)
}

/// A camera whose session is open.
package struct Meeting: Equatable, Sendable {
    /// How its driver called it.
    package var offer: CameraOffer
    package var identity: CameraIdentity
    package var status: CameraStatus

    package var address: CameraAddress { offer.address }
}

/// The one camera that is wanted.
package struct WantedCamera: Equatable, Sendable {
    /// See ``Cameras/CameraIdentity/id``.
    package var id: String
    package var name: String
}

/// The data behind `candidate.scxml`: one address.
package struct CandidateModel: Equatable, Sendable {
    private let offer: CameraOffer
    /// nil: any camera.
    package var wanted: WantedCamera?
    /// The limit of calls.
    private let callsMax: Int
    /// The last refusal of the address that was reported; nil: none.
    private let knownRefusal: Refusal?
    private var callCount = 0
    private var failure: OpenFailure?
    private var identity: CameraIdentity?
    private var status: CameraStatus?

    /// The default limit of calls to an address.
    package static let callsMax = 3
    /// A body that is in use, or that broke the connection, is called no more often than this: our rule, because
    /// reports say that some bodies hang.
    package static let lossRest = Duration.seconds(5)
    package static let strangerRest = Duration.seconds(30)
    /// The camera waits for its user. A later request to shoot or to connect ends this wait.
    package static let refusalRest = Duration.seconds(600)

    package var address: CameraAddress { offer.address }

    /// Whether a call failed, and the next one waits for its time.
    var wasCalled: Bool { callCount > 0 }

    package init(
        _ offer: CameraOffer,
        wanted: WantedCamera?,
        callsMax: Int = Self.callsMax,
        knownRefusal: Refusal? = nil
    ) {
        self.offer = offer
        self.wanted = wanted
        self.callsMax = callsMax
        self.knownRefusal = knownRefusal
    }

    private func entry(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind, _ message: String) -> CandidateEffect {
        .report(
            JournalEntry(
                level: level,
                kind: kind,
                message: message,
                fields: [.init("CAMERA_ADDRESS", address.description)]
            )
        )
    }
}

// Only the functions that the chart names; a test compares both lists.
extension CandidateModel: CandidateBehavior {
    package typealias Effect = CandidateEffect

    // MARK: Guards

    package func mayCallAgain(_ reason: LossReason) -> Bool {
        guard callCount < callsMax, case .cannotConnect = reason else { return false }
        return failure == .refused || failure == .timedOut
    }

    package func isWanted(_ identity: CameraIdentity) -> Bool { wanted.map { $0.id == identity.id } ?? true }

    // MARK: Actions

    package mutating func call(_ effects: inout [CandidateEffect]) {
        callCount += 1
        failure = nil
        effects.append(.camera(.connect(address, by: offer.protocol, path: offer.path)))
    }

    package mutating func noteFailure(_ failure: OpenFailure, _ effects: inout [CandidateEffect]) {
        self.failure = failure
    }

    package mutating func hangUp(_ effects: inout [CandidateEffect]) {
        effects.append(.camera(.abandon))
    }

    package mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [CandidateEffect]) {
        self.identity = identity
    }

    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [CandidateEffect]) {
        self.status = status
    }

    package mutating func reportMet(_ effects: inout [CandidateEffect]) {
        guard let identity, let status else { preconditionFailure("a session says who it is with") }
        effects.append(.met(Meeting(offer: offer, identity: identity, status: status)))
    }

    package mutating func reportStranger(_ identity: CameraIdentity, _ effects: inout [CandidateEffect]) {
        guard let wanted else { return }
        effects.append(entry(.info, .note, wanted.sentence(about: identity, at: address)))
        effects.append(.rest(Self.strangerRest))
    }

    package mutating func reportRefusal(_ refusal: Refusal, _ effects: inout [CandidateEffect]) {
        let level = refusal == knownRefusal ? JournalEntry.Level.debug : .warning
        effects.append(entry(level, .cameraRefused, "\(address): \(refusal.sentence)"))
        effects.append(.refused(refusal))
        effects.append(.rest(refusal.isFinal ? Self.refusalRest : Self.lossRest))
    }

    package mutating func reportLoss(_ reason: LossReason, _ effects: inout [CandidateEffect]) {
        effects.append(entry(.info, .note, "\(address): \(reason.sentence)"))
        effects.append(.rest(Self.lossRest))
    }

    package mutating func takeDown(_ effects: inout [CandidateEffect]) {
        effects.append(.camera(.disconnect))
    }
}

extension WantedCamera {
    /// Why a camera that answered is not accepted.
    func sentence(about other: CameraIdentity, at address: CameraAddress) -> String {
        let own = other.name == name ? "another \(name)" : "a \(other.name)"
        return "The camera at \(address) is \(own) (\(other.id)). The daemon waits for \(name) (\(id))."
    }
}
