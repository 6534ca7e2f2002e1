import Cameras
import Exposure

/// The pictures that a shoot waits for, and the files of each frame.
struct ExpectedPictures: Equatable, Sendable {
    private var coming: [PictureID: Picture] = [:]
    /// The files of each frame, by the frame's index.
    private var files: [Int: FrameFiles] = [:]

    /// A picture in transfer.
    private struct Picture: Equatable {
        var frame: Int
        /// The size of the picture; nil: the camera does not report it.
        var byteCount: UInt64?
    }

    /// The rate of a slow link: half a megabyte per second.
    private static let bytesPerMillisecond: Int64 = 500
    /// The assumed size of a picture if the body does not report it.
    private static let byteCountAssumed: UInt64 = 30_000_000
    /// The limit of a picture's size in the calculation of the wait. A body may report a larger size.
    private static let byteCountMax: UInt64 = 150_000_000

    /// The number of pictures in transfer.
    var count: Int { coming.count }

    /// The frames whose pictures are in transfer.
    var frames: some Sequence<Int> { coming.values.lazy.map(\.frame) }

    /// The time that the pictures in transfer need over poor WiFi, with the time to sync and read each one.
    var deadline: Duration {
        coming.values.reduce(Duration.seconds(5)) { sum, picture in
            let byteCount = min(picture.byteCount ?? Self.byteCountAssumed, Self.byteCountMax)
            return sum + .seconds(2) + .milliseconds(Int64(byteCount) / Self.bytesPerMillisecond)
        }
    }

    /// The state of a frame's picture.
    ///
    /// - Parameter kinds: the kinds of file that the body transfers for each picture; nil: not known.
    func state(of frame: Int?, kinds: Set<PictureInfo.Kind>?) -> FrameFiles.State {
        var frameFiles = frame.flatMap { files[$0] } ?? FrameFiles(kinds: nil)
        frameFiles.kinds = frameFiles.kinds ?? kinds
        return frameFiles.state
    }

    mutating func note(_ news: PictureUpdate, frames: Range<Int>, kinds: Set<PictureInfo.Kind>?) {
        if case .coming(let byteCount) = news.content {
            coming[news.picture] = Picture(frame: news.frame, byteCount: byteCount)
        } else {
            coming[news.picture] = nil
        }
        guard frames.contains(news.frame) else { return }
        var frameFiles = files[news.frame] ?? FrameFiles(kinds: nil)
        // A body with a wrong mode transfers the files in its buffer before the core adopts its status.
        frameFiles.kinds = frameFiles.kinds ?? kinds
        frameFiles.note(news)
        files[news.frame] = frameFiles
    }

    /// Stops waiting for the pictures in transfer.
    mutating func forgetExpected() { coming.removeAll() }

    mutating func forgetAll() {
        coming.removeAll()
        files.removeAll()
    }

    /// Notes that the shutter is released for a frame: files that arrive from now on belong to this firing.
    mutating func expect(_ frame: Int, kinds: Set<PictureInfo.Kind>?) {
        files[frame] = FrameFiles(kinds: kinds, after: files[frame]?.floor)
    }

    /// Discards the files of a frame, because they may belong to an earlier shot.
    mutating func discard(_ frame: Int) {
        files[frame] = FrameFiles(kinds: nil, after: files[frame].flatMap { $0.shot ?? $0.floor })
    }
}
