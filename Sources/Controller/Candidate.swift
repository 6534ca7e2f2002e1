import Cameras
import Statecharts

package enum CandidateEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The handshake is complete.
    case opened(OpenedCamera)
    /// The camera refused the session.
    case refused(Refusal)
    /// The address must not be probed again for this time.
    case pause(Duration)
    case report(JournalEntry)
}

/// A camera whose session is open.
package struct OpenedCamera: Equatable, Sendable {
    /// The protocol and the address of the session.
    package var offer: CameraOffer
    package var identity: CameraIdentity
    package var status: CameraStatus

    package var address: CameraAddress { offer.address }
}

/// The only camera that is wanted.
package struct WantedCamera: Equatable, Sendable {
    /// The id of the camera; see ``Cameras/CameraIdentity/id``.
    package var id: String
    package var name: String
}

/// The data behind `candidate.scxml`: one address.
package struct CandidateModel: Equatable, Sendable {
    private let offer: CameraOffer
    /// The wanted camera; nil: any camera.
    package var wanted: WantedCamera?
    /// The maximum number of attempts to connect.
    private let attemptsMax: Int
    /// The latest reported refusal from this address; nil: there is none.
    private let knownRefusal: Refusal?
    private var attemptCount = 0
    private var failure: OpenFailure?
    private var identity: CameraIdentity?
    private var status: CameraStatus?

    /// The default maximum number of attempts to connect to an address.
    package static let attemptsMax = 3
    /// The minimum time between two probes of a body that is in use or that closed the connection.
    ///
    /// This is our rule, because some bodies reportedly hang after more frequent attempts.
    package static let lossPause = Duration.seconds(5)
    package static let otherCameraPause = Duration.seconds(30)
    /// The pause after a refusal that only the camera's user can change. A request to shoot or connect ends the pause.
    package static let refusalPause = Duration.seconds(600)

    package var address: CameraAddress { offer.address }

    /// Whether this address was probed at least once.
    var wasProbed: Bool { attemptCount > 0 }

    package init(
        _ offer: CameraOffer,
        wanted: WantedCamera?,
        attemptsMax: Int = Self.attemptsMax,
        knownRefusal: Refusal? = nil
    ) {
        self.offer = offer
        self.wanted = wanted
        self.attemptsMax = attemptsMax
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

// This extension has only the functions that the chart names. A test compares it with the chart.
extension CandidateModel: CandidateBehavior {
    package typealias Effect = CandidateEffect

    // MARK: Guards

    package func mayRetryConnect(_ reason: LossReason) -> Bool {
        guard attemptCount < attemptsMax, case .cannotConnect = reason else { return false }
        return failure == .refused || failure == .timedOut
    }

    package func isWanted(_ identity: CameraIdentity) -> Bool { wanted.map { $0.id == identity.id } ?? true }

    // MARK: Actions

    package mutating func connect(_ effects: inout [CandidateEffect]) {
        attemptCount += 1
        failure = nil
        effects.append(.camera(.connect(address, by: offer.protocol, path: offer.path, maker: offer.maker)))
    }

    package mutating func noteFailure(_ failure: OpenFailure, _ effects: inout [CandidateEffect]) {
        self.failure = failure
    }

    package mutating func closeLink(_ effects: inout [CandidateEffect]) {
        effects.append(.camera(.abandon))
    }

    package mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [CandidateEffect]) {
        self.identity = identity
    }

    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [CandidateEffect]) {
        self.status = status
    }

    package mutating func reportSessionOpen(_ effects: inout [CandidateEffect]) {
        guard let identity, let status else { preconditionFailure("a session says who it is with") }
        effects.append(.opened(OpenedCamera(offer: offer, identity: identity, status: status)))
    }

    package mutating func reportOtherCamera(_ identity: CameraIdentity, _ effects: inout [CandidateEffect]) {
        guard let wanted else { return }
        effects.append(entry(.info, .note, wanted.sentence(about: identity, at: address)))
        effects.append(.pause(Self.otherCameraPause))
    }

    package mutating func reportRefusal(_ refusal: Refusal, _ effects: inout [CandidateEffect]) {
        let level = refusal == knownRefusal ? JournalEntry.Level.debug : .warning
        effects.append(entry(level, .cameraRefused, SearchSentences.notConnected(address, refusal.sentence)))
        effects.append(.refused(refusal))
        effects.append(.pause(refusal.isFinal ? Self.refusalPause : Self.lossPause))
    }

    package mutating func reportLoss(_ reason: LossReason, _ effects: inout [CandidateEffect]) {
        effects.append(entry(.info, .note, SearchSentences.notConnected(address, reason.sentence)))
        effects.append(.pause(Self.lossPause))
    }

    package mutating func closeSession(_ effects: inout [CandidateEffect]) {
        effects.append(.camera(.disconnect))
    }
}
