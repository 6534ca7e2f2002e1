import Cameras

/// The files of one shot of a frame: those that it needs, and those that it has. The one rule that decides whether a
/// picture for this computer only is in transfer, stored or lost.
struct FrameFiles: Equatable, Sendable {
    /// The state of the picture.
    enum State: Equatable {
        /// Its files are in transfer to the disk.
        case coming
        case stored
        /// A file that it needs is neither here nor in transfer; the sentence says why.
        case missing(String)
    }

    private enum Stage: Equatable {
        case coming
        case stored
        /// The transfer stopped, and may start again; the sentence says why.
        case broken(String)
    }

    private struct File: Equatable {
        var kind: PictureInfo.Kind
        var stage: Stage
    }

    /// The kinds of file that the body transfers for each picture; nil: not known.
    var kinds: Set<PictureInfo.Kind>?
    /// Files of this shot and of earlier ones do not count: they belong to the first picture, and a second one is
    /// wanted.
    let floor: Ticket?
    /// The newest shot of which a file arrived.
    private(set) var shot: Ticket?
    /// By the camera's name.
    private var files: [String: File] = [:]

    /// A body transfers two files for a frame.
    private static let filesMax = 16

    init(kinds: Set<PictureInfo.Kind>?, after floor: Ticket? = nil) {
        self.kinds = kinds
        self.floor = floor
    }

    /// Notes a report on a file. Of two shots of the frame the newer one counts.
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
        // If the body does not report how many files a picture becomes, it may be one or two: each file counts.
        guard let kinds else { return .stored }
        let missing = kinds.subtracting(files.values.map(\.kind))
        // A file that the body does not describe is of one of the kinds.
        let undescribed = files.values.count { $0.kind == .other }
        if missing.count <= undescribed { return .stored }
        return .missing(PictureSentences.fileNotTransferred(missing))
    }
}
