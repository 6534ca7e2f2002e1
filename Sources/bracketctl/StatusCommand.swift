import ArgumentParser
import Exposure
import Interface
import Varlink

struct StatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the status in one sentence, and the state of each chart."
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let status = try await daemon.call(Bracketd.GetStatus()).status
        let text = StatusCommand.text(status, commandLine: daemon.connection.commandLine)
        return try show(PrintedJSON.status(status.json), text, in: environment)
    }

    /// The sentence, one line for each chart, the camera, and the shoot with what it found. For a shoot with missing
    /// frames, also the cause and the advice.
    static func text(_ status: Bracketd.Status, commandLine: (String) -> String) -> String {
        var lines = [status.sentence, ""] + status.charts.map { row($0.name, $0.text) }
        if let camera = status.camera { lines.append(row("camera", camera)) }
        if let armed = status.armed { lines.append(row("armed", armed)) }
        if let progress = status.shoot {
            let shoot = ShootReportSentences.progress(
                shoot: progress.shoot,
                captured: progress.captured,
                of: progress.total,
                timeLeft: progress.timeLeft.map(TimeText.text)
            )
            lines.append(row("shoot", shoot))
            lines += progress.rangeSentences.map { row("", $0) }
            if progress.lacksFrames {
                lines.append("")
                if let cause = progress.cause { lines.append(ShootReportSentences.cause(cause)) }
                // The daemon's sentence names the same command.
                let retry = commandLine(progress.outcome == "interrupted" ? "resume" : "retry")
                let dismiss = commandLine("dismiss")
                lines.append(ShootReportSentences.missingFramesAdvice(retry: retry, dismiss: dismiss))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ value: String) -> String { "\(name)  ".padded(to: 12) + value }
}

struct CameraCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Describes the connected camera, with its settings and their choices."
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let camera = try await daemon.call(Bracketd.GetCamera()).camera
        return try show(camera.json, CameraCommand.text(camera), in: environment)
    }

    /// One line for each fact about the camera. The settings follow.
    static func text(_ camera: Bracketd.CameraDescription) -> String {
        let (properties, speeds) = (camera.properties, camera.speeds)
        // These values are left out if the list of settings includes them.
        let isListed = !properties.isEmpty
        let rows: [(String, String?)] = [
            ("camera", camera.name),
            ("id", camera.id),
            ("firmware", camera.firmware.isEmpty ? nil : camera.firmware),
            ("address", camera.address),
            ("mode", camera.mode),
            ("speed", isListed ? nil : camera.speed),
            ("speeds", range(speeds)),
            ("battery", camera.batteryPercent.map { "\($0) %" }),
            ("shots left", camera.shotsLeft.map(String.init)),
            ("noise reduction", camera.noiseReduction),
            ("focus", isListed ? nil : camera.focusMode),
            ("ISO", isListed ? nil : camera.iso),
            ("aperture", isListed ? nil : camera.aperture),
            ("saves to", isListed ? nil : camera.saveTarget),
            ("timing", camera.timing?.frame.map(timing)),
        ]
        let lines = rows.compactMap { name, value in value.map { name.padded(to: 17) + $0 } }
        return (lines + (isListed ? ["", PropertyReport.table(properties)] : [])).joined(separator: "\n")
    }

    private static func range(_ speeds: [String]) -> String {
        guard let first = speeds.first, let last = speeds.last else { return CameraListSentences.noSpeeds }
        return CameraListSentences.speeds(speeds.count, from: first, to: last)
    }

    /// The time of a frame: `0.9 s per frame plus the exposure (95 % within 1.3 s), measured in 45 frames`.
    private static func timing(_ frame: Bracketd.TimingFigure) -> String {
        CameraListSentences.timing(
            median: TimeText.text(.milliseconds(frame.medianMilliseconds)),
            p95: TimeText.text(.milliseconds(frame.p95Milliseconds)),
            frames: frame.count
        )
    }
}
