import Controller
import Logging
import Synchronization

/// Writes journal entries about picture files, once per problem. Keeps the manifests that could not be written.
final class PictureJournal: Sendable {
    /// The maximum number of kept manifests. Pictures of the newest two shoots may still arrive.
    private static let failedMax = 2

    private struct State {
        /// The manifests that could not be written, one per shoot, in the order of their first failure.
        var failed: [Manifest] = []
        /// Whether the metadata of the last picture was read. If not, an entry has reported it.
        var isRead = true
    }

    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter hasReader: false if an entry at the start reported that the reader is missing.
    init(logger: Logger, hasReader: Bool) {
        self.logger = logger
        state = Mutex(State(isRead: hasReader))
    }

    /// For each shoot, the newest manifest that could not be written.
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
