import Exposure
import Interface
import Varlink

/// A frame that is fired only to meter its picture. It is a shoot with one frame: recorded, and with the camera's
/// settings put back.
struct TestFrame {
    /// The word that stands for a test frame in `--from`.
    static let word = "test-frame"

    let daemon: Daemon
    let errors: Output

    /// Fires the frame, waits until the camera's settings are put back, and returns the path of its JPEG.
    ///
    /// - Parameter speed: nil: the camera's present speed.
    func fire(at speed: ShutterSpeed?) async throws -> String {
        let goal = Bracketd.BracketGoal(framesMax: 1)
        let shoot = Bracketd.Shoot(plan: Bracketd.PlanInput(highlight: speed?.label, goal: goal))
        let end = try await daemon.follow(shoot) { reply -> ShootProgress? in
            reply.progress.outcome == nil ? nil : reply.progress
        }
        guard let end else {
            let status = daemon.connection.commandLine("status")
            throw Failure("NoOutcome", ShootReportSentences.noOutcome(status: status))
        }
        if let settings = end.settings { try errors.line(settings) }
        guard end.exitStatus == .allDone else {
            throw Failure("NoTestFrame", end.cause ?? end.sentence)
        }
        let photos = try await daemon.call(Bracketd.GetPhotos()).photos
        let path = photos.list.lazy.filter { $0.shoot == end.shoot }.compactMap(\.path).last(where: TestFrame.isJPEG)
        guard let directory = photos.directory, let path else {
            throw Failure("NoTestFrame", MeterSentences.noTestPicture)
        }
        return "\(directory)/\(path)"
    }

    private static func isJPEG(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
    }
}
