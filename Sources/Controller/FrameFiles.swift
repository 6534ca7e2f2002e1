import Cameras

/// The required and the received files of one shot of a frame.
///
/// If the camera keeps no copy, only this type decides whether a picture is in transfer, stored or lost.
struct FrameFiles: Equatable, Sendable {
    /// The state of a picture.
    enum State: Equatable {
        /// At least one file is in transfer to the disk.
        case coming
        case stored
        /// A required file is neither on disk nor in transfer; the sentence says why.
        case missing(String)
    }

    private enum Stage: Equatable {
        case coming
        case stored
        /// The transfer stopped, and it may start again. The sentence says why it stopped.
        case broken(String)
    }

    private struct File: Equatable {
        var kind: PictureInfo.Kind
        var stage: Stage
    }

    /// The kinds of files that the body transfers for each picture; nil: not known.
    var kinds: Set<PictureInfo.Kind>?
    /// The last shot whose files do not count; nil: files of all shots count.
    ///
    /// If the frame is fired a second time, the files of the first picture do not count.
    let floor: Ticket?
    /// The newest shot with a report on a file.
    private(set) var shot: Ticket?
    /// The files by the name that the camera gave them.
    private var files: [String: File] = [:]

    /// The maximum number of stored files. A body transfers at most two files for a frame.
    private static let filesMax = 16

    init(kinds: Set<PictureInfo.Kind>?, after floor: Ticket? = nil) {
        self.kinds = kinds
        self.floor = floor
    }

    /// Stores a report on a file. Only the newest shot of the frame counts.
    mutating func note(_ news: PictureUpdate) {
        if let floor, news.shot.rawValue <= floor.rawValue { return }
        if let shot, news.shot.rawValue < shot.rawValue { return }
        if shot != news.shot { files.removeAll() }
        shot = news.shot
        guard files[news.name] != nil || files.count < Self.filesMax else { return }
        let stage: Stage =
            switch news.content {
            case .coming: .coming
            case .gone(let reason): .broken(reason)
            case .checked: .stored
            }
        files[news.name] = File(kind: news.kind, stage: stage)
    }

    var state: State {
        if files.values.contains(where: { $0.stage == .coming }) { return .coming }
        let reasons = files.sorted { $0.key < $1.key }.compactMap {
            if case .broken(let reason) = $0.value.stage { reason } else { nil }
        }
        if let reason = reasons.first { return .missing(reason) }
        if files.isEmpty { return .missing(PictureSentences.noFileTransferred) }
        // If the number of files for a picture is not known, one file is enough.
        guard let kinds else { return .stored }
        let missing = kinds.subtracting(files.values.map(\.kind))
        // A file without a known kind has one of the required kinds.
        let undescribed = files.values.count { $0.kind == .other }
        if missing.count <= undescribed { return .stored }
        return .missing(PictureSentences.fileNotTransferred(missing))
    }
}
