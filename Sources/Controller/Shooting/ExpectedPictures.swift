import Cameras
import Exposure

/// The pictures of a shoot: which are on their way, and what became of the files of each frame.
struct ExpectedPictures: Equatable, Sendable {
    /// On their way, with what they weigh.
    private var coming: [PictureID: Picture] = [:]
    /// By the frame's index.
    private var files: [Int: FrameFiles] = [:]

    /// A picture on its way.
    private struct Picture: Equatable {
        var frame: Int
        /// Nil: the camera does not say.
        var byteCount: UInt64?
    }

    /// A slow link carries half a megabyte a second.
    private static let bytesPerMillisecond: Int64 = 500
    /// A picture whose length the body does not tell.
    private static let byteCountAssumed: UInt64 = 30_000_000
    /// Longer ones are not waited for any longer, whatever the body says.
    private static let byteCountMax: UInt64 = 150_000_000

    /// How many pictures are on their way.
    var count: Int { coming.count }

    /// The frames whose pictures are on their way.
    var frames: some Sequence<Int> { coming.values.lazy.map(\.frame) }

    /// By what is on its way, at the rate of poor Wi-Fi; each picture also is synced and read.
    var deadline: Duration {
        coming.values.reduce(Duration.seconds(5)) { sum, picture in
            let byteCount = min(picture.byteCount ?? Self.byteCountAssumed, Self.byteCountMax)
            return sum + .seconds(2) + .milliseconds(Int64(byteCount) / Self.bytesPerMillisecond)
        }
    }

    /// How the picture of a frame stands.
    ///
    /// - Parameter kinds: what the body hands over of each picture; nil: not known.
    func standing(of frame: Int?, kinds: Set<PictureInfo.Kind>?) -> FrameFiles.Standing {
        var frameFiles = frame.flatMap { files[$0] } ?? FrameFiles(kinds: nil)
        frameFiles.kinds = frameFiles.kinds ?? kinds
        return frameFiles.standing
    }

    mutating func note(_ news: PictureNews, frames: Range<Int>, kinds: Set<PictureInfo.Kind>?) {
        if case .coming(let byteCount) = news.content {
            coming[news.picture] = Picture(frame: news.frame, byteCount: byteCount)
        } else {
            coming[news.picture] = nil
        }
        guard frames.contains(news.frame) else { return }
        var frameFiles = files[news.frame] ?? FrameFiles(kinds: nil)
        // A body with a wrong mode hands over what is left in its buffer before its status is adopted.
        frameFiles.kinds = frameFiles.kinds ?? kinds
        frameFiles.note(news)
        files[news.frame] = frameFiles
    }

    /// What is on its way is not waited for any more.
    mutating func forgetComing() { coming.removeAll() }

    mutating func forgetAll() {
        coming.removeAll()
        files.removeAll()
    }

    /// The shutter is released for a frame: what comes now is of this firing.
    mutating func expect(_ frame: Int, kinds: Set<PictureInfo.Kind>?) {
        files[frame] = FrameFiles(kinds: kinds, after: files[frame]?.floor)
    }

    /// What came for a frame does not count: it may be of an earlier shot.
    mutating func discard(_ frame: Int) {
        files[frame] = FrameFiles(kinds: nil, after: files[frame].flatMap { $0.shot ?? $0.floor })
    }
}
