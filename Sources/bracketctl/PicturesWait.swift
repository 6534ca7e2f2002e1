import ArgumentParser
import Interface
import Varlink

/// The option `--no-wait` for commands that wait for pictures.
struct WaitOption: ParsableArguments {
    @Flag(name: .customLong("no-wait"), help: "Do not wait for pictures that are still being transferred.")
    var noWait = false
}

/// Decides how long a command waits for the pictures of a shoot.
struct PicturesWait {
    /// A picture that the daemon is receiving.
    struct Picture: Equatable {
        var id: Int
        /// The size of the picture; nil: the camera does not report it.
        var byteCount: Int?
    }

    enum Step: Equatable {
        case askAgain
        /// The wait continues, and the user gets a notice with this number of pictures.
        case notify(Int)
        /// The wait has ended with this number of pictures still in transfer.
        case end(Int)
    }

    /// A slow link transfers half a megabyte per second.
    private static let bytesPerMillisecond = 500
    /// The size of a picture whose length the camera does not report.
    private static let byteCountAssumed = 30_000_000
    /// The longest wait for any number of pictures.
    private static let timeMax = Duration.seconds(600)
    private static let quietTime = Duration.seconds(1)
    /// The wait ends only after this number of empty answers, because the list can be empty for a moment between two
    /// pictures.
    private static let emptyAnswersMin = 2

    /// The sizes of all pictures of this wait, by id.
    private var byteCounts: [Int: Int] = [:]
    private var emptyAnswers = 0
    private var hasNotified = false

    /// - Parameters:
    ///   - pictures: The pictures in transfer; nil: the daemon does not answer.
    ///   - time: The time since the wait began.
    mutating func step(_ pictures: [Picture]?, after time: Duration) -> Step {
        guard let pictures else { return .end(0) }
        for picture in pictures { byteCounts[picture.id] = picture.byteCount ?? Self.byteCountAssumed }
        guard !pictures.isEmpty else {
            emptyAnswers += 1
            return emptyAnswers < Self.emptyAnswersMin ? .askAgain : .end(0)
        }
        emptyAnswers = 0
        guard time < min(Self.timeMax, Self.timeNeeded(for: Array(byteCounts.values))) else {
            return .end(pictures.count)
        }
        guard !hasNotified, time >= Self.quietTime else { return .askAgain }
        hasNotified = true
        return .notify(pictures.count)
    }

    /// The pictures that are in transfer.
    static func inTransfer(_ photos: [Bracketd.Photo]) -> [Picture] {
        photos.filter { $0.state == "receiving" }.map { Picture(id: $0.id, byteCount: $0.byteCount) }
    }

    /// The time in which a slow link transfers pictures of these sizes, and the daemon stores and verifies them.
    static func timeNeeded(for byteCounts: [Int]) -> Duration {
        byteCounts.reduce(.seconds(5)) { $0 + .seconds(2) + .milliseconds($1 / bytesPerMillisecond) }
    }
}

/// The pictures of a shoot that are not on the disk when the wait for them ends.
struct MissingPictures: Equatable {
    /// The number of pictures that are still in transfer.
    var inTransfer: Int
    /// The number of frames without a stored picture, although the camera offered one.
    var frames: Int

    /// The number of frames of which each picture was skipped or failed.
    static func frames(in photos: [Bracketd.Photo]) -> Int {
        let frames = Dictionary(grouping: photos) { [$0.set, $0.frame] }
        return frames.values.count { $0.allSatisfy { ["skipped", "failed"].contains($0.state) } }
    }
}

extension Daemon {
    /// The pause between two queries of the pictures.
    private static let picturesPause = Duration.milliseconds(200)

    /// Waits until no picture of a shoot is in transfer. The time limit is the time that a slow link needs, at most 10
    /// minutes.
    ///
    /// - Parameter errors: The output for a notice if the wait takes longer than one second.
    /// - Returns: the pictures that are not on the disk; none if the daemon does not answer.
    func awaitPictures(of shoot: Int, saying errors: Output) async throws(OutputClosed) -> MissingPictures {
        let clock = ContinuousClock()
        let start = clock.now
        var wait = PicturesWait()
        while true {
            let photos = await photos(of: shoot)
            let pictures = photos.map(PicturesWait.inTransfer)
            let frames = MissingPictures.frames(in: photos ?? [])
            switch wait.step(pictures, after: clock.now - start) {
            case .end(let count): return MissingPictures(inTransfer: count, frames: frames)
            case .notify(let count): try errors.line(ShootReportSentences.waitingForPictures(count))
            case .askAgain: break
            }
            do {
                try await Task.sleep(for: Self.picturesPause)
            } catch {
                return MissingPictures(inTransfer: pictures?.count ?? 0, frames: frames)
            }
        }
    }

    /// The pictures of a shoot; nil: the daemon does not answer.
    private func photos(of shoot: Int) async -> [Bracketd.Photo]? {
        guard let photos = try? await call(Bracketd.GetPhotos()).photos else { return nil }
        return photos.list.filter { $0.shoot == shoot }
    }

    func picturesSentence(_ count: Int) -> String {
        ShootReportSentences.picturesInTransfer(count, follow: connection.commandLine("photos --follow"))
    }
}
