import Cameras
import Exposure
import Interface
import PictureReader
import Varlink

/// A picture of the live view. It is a first guess of a scene's light, and never a proof: bodies show slow speeds by a
/// higher gain, and dark scenes brighter than they are.
struct LiveFrame {
    /// The word that stands for the live view in `--from`.
    static let word = "live"
    /// The daemon gives the camera 30 s.
    private static let answerTimeMax = Duration.seconds(40)

    let picture: MeteredPicture
    /// Whether the camera reports that live view shows the exposure.
    let isShown: Bool

    init(from daemon: Daemon, _ points: [PicturePoint], _ reader: MetadataReader) async throws {
        let reply = try await daemon.call(Bracketd.Snapshot(), within: Self.answerTimeMax).picture
        let exposure = reply.shownExposure
        guard exposure != .notShown else {
            throw Failure("LiveViewIsNotExposure", MeterSentences.liveViewIsNotExposure)
        }
        guard let speed = reply.speed.flatMap({ try? ShutterSpeed(parsing: $0) }) else {
            throw Failure("InvalidPicture", MeterSentences.liveViewWithoutSpeed)
        }
        switch MeteredPicture.light(of: try reply.bytes(), at: points, reader) {
        case .success(let report): picture = MeteredPicture(path: Self.word, report: report, speed: speed)
        case .failure(let refusal):
            throw Failure("InvalidPicture", MeterSentences.notUsed(Self.word, refusal.reason))
        }
        isShown = exposure == .shown
    }
}
