import Controller
import Logging
import Synchronization

/// The journal's notes about picture files, each problem once, and the manifests that are still to be written.
final class PictureJournal: Sendable {
    /// A manifest belongs to the newest shoot, but pictures of the one before may still arrive.
    private static let failedMax = 2

    private struct State {
        /// In the order of their first failure, one per shoot.
        var failed: [Manifest] = []
        /// Whether the last picture was readable, or a note said that it was not.
        var isRead = true
    }

    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter hasReader: false if a note at the start said that the reader is missing.
    init(logger: Logger, hasReader: Bool) {
        self.logger = logger
        state = Mutex(State(isRead: hasReader))
    }

    /// The newest unwritten manifest of each shoot.
    var failedManifests: [Manifest] { state.withLock { $0.failed } }

    func written(_ manifest: Manifest) {
        state.withLock { $0.failed.removeAll { $0.shoot == manifest.shoot } }
    }

    func failed(_ manifest: Manifest, _ failure: PictureFailure) {
        let isNew = state.withLock { state in
            if let index = state.failed.firstIndex(where: { $0.shoot == manifest.shoot }) {
                state.failed[index] = manifest
                return false
            }
            state.failed.append(manifest)
            if state.failed.count > Self.failedMax { state.failed.removeFirst() }
            return true
        }
        if isNew { logger.error("\(failure.sentence)") }
    }

    func stored(_ picture: StoredPicture) {
        guard case .notRead(let reason) = picture.metadata else { return state.withLock { $0.isRead = true } }
        let isNew = state.withLock { state in
            defer { state.isRead = false }
            return state.isRead
        }
        if isNew { logger.warning("\(PictureDiskSentences.unchecked(picture.path, reason: reason))") }
    }

    func cleared(_ leftovers: PictureFiles.Leftovers) {
        if leftovers.removed > 0 { logger.notice("\(PictureDiskSentences.removed(incomplete: leftovers.removed))") }
        if leftovers.kept > 0 { logger.notice("\(PictureDiskSentences.kept(complete: leftovers.kept))") }
    }

    func unusable(_ error: SystemError) {
        logger.error("\(PictureDiskSentences.folderUnusable(error))")
    }
}
