import ArgumentParser
import Varlink

/// `--no-wait`, for commands that wait for pictures.
struct WaitOption: ParsableArguments {
    @Flag(name: .customLong("no-wait"), help: "Do not wait for pictures that are still on their way.")
    var noWait = false
}

extension Daemon {
    /// Between two questions how it stands with the pictures.
    private static let picturesPause = Duration.milliseconds(200)
    /// A slow link carries half a megabyte a second.
    private static let bytesPerMillisecond = 500
    /// The size of a picture whose length the camera does not tell.
    private static let byteCountAssumed = 30_000_000
    /// The longest time that any number of pictures is waited for.
    private static let picturesTimeMax = Duration.seconds(600)

    /// Waits until no picture of a shoot is on its way any more: as long as a slow link needs for those that are, 10
    /// minutes at the most.
    ///
    /// - Returns: how many are on their way even so. A daemon that does not answer has none.
    func awaitPictures(of shoot: Int) async -> Int {
        let clock = ContinuousClock()
        let start = clock.now
        var limit: Duration?
        while true {
            let sizes = await picturesUnderWay(of: shoot)
            let needed = limit ?? min(Self.picturesTimeMax, Self.timeNeeded(for: sizes))
            limit = needed
            guard !sizes.isEmpty, clock.now - start < needed else { return sizes.count }
            do { try await Task.sleep(for: Self.picturesPause) } catch { return sizes.count }
        }
    }

    /// How long pictures of these sizes take over a slow link; each is also synced and read.
    static func timeNeeded(for byteCounts: [Int]) -> Duration {
        byteCounts.reduce(.seconds(5)) { $0 + .seconds(2) + .milliseconds($1 / bytesPerMillisecond) }
    }

    /// The sizes in bytes of a shoot's pictures that are on their way.
    private func picturesUnderWay(of shoot: Int) async -> [Int] {
        guard let reply = try? await call(.getPhotos), let list = reply["photos"]?["list"]?.arrayValue else {
            return []
        }
        let underWay = list.filter {
            $0["shoot"]?.intValue == shoot && $0["state"]?.stringValue == "receiving"
        }
        return underWay.map { $0["byteCount"]?.intValue ?? Self.byteCountAssumed }
    }

    /// What is said of pictures that were waited for in vain.
    static func picturesSentence(_ count: Int) -> String {
        let subject = count == 1 ? "1 picture is" : "\(count) pictures are"
        return "\(subject) still on the way from the camera. To see them arrive: bracketctl photos --follow"
    }
}
