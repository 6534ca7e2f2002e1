import ArgumentParser
import Exposure
import Varlink

/// `bracketctl status`
struct StatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says in one sentence how things stand, and in which state each chart is."
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let reply = try await daemon.call(.getStatus)
        let text = try StatusCommand.text(reply, commandLine: daemon.connection.commandLine)
        let object = PrintedJSON.status(reply["status"] ?? .emptyObject)
        try environment.output.line(common.json ? object.description : text)
        return .allDone
    }

    /// The sentence, then a line per chart, the camera, and the shoot; of one that lacks frames also why, and what to
    /// do.
    static func text(_ reply: JSONValue, commandLine: (String) -> String) throws(Failure) -> String {
        let fields = try ReplyFields("status", of: reply)
        var lines = [try fields.string("sentence"), ""]
        for chart in try fields.objects("charts") {
            let state = try chart.string("state")
            let configuration = try chart.strings("configuration")
            let others = configuration.filter { $0 != state }
            lines.append(
                row(try chart.string("name"), state + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"))
            )
        }
        if let camera = try fields.optionalString("camera") { lines.append(row("camera", camera)) }
        if let armed = try fields.optionalString("armed") { lines.append(row("armed", armed)) }
        if let status = reply["status"], let shoot = status["shoot"], !shoot.isNull {
            let progress = try ShootProgress(["progress": shoot])
            let left = progress.timeLeft.map { ", about \(TimeText.text($0)) left" } ?? ""
            lines.append(
                row("shoot", "\(progress.number), \(progress.captured) of \(progress.total) captured\(left)")
            )
            if progress.lacksFrames {
                lines.append("")
                if let cause = progress.cause { lines.append("Why: \(cause)") }
                lines.append(
                    "\(commandLine("retry")) fires what is missing, \(commandLine("dismiss")) forgets it."
                )
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(2, 12 - name.count)) + value
    }
}

/// `bracketctl camera`
struct CameraCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Describes the connected camera, with its settings and what they can be set to."
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let reply = try await daemon.call(.getCamera)
        let text = try CameraCommand.text(reply)
        try environment.output.line(common.json ? (reply["camera"] ?? .emptyObject).description : text)
        return .allDone
    }

    /// A line for each thing that the camera reports, then its settings.
    static func text(_ reply: JSONValue) throws(Failure) -> String {
        let fields = try ReplyFields("camera", of: reply)
        let properties = try PropertyReport.list(reply)
        // These are not told twice.
        let isListed = !properties.isEmpty
        let speeds = try fields.strings("speeds")
        let range = [speeds.first, speeds.last].compactMap(\.self).joined(separator: " to ")
        let rows: [(String, String?)] = [
            ("camera", "\(try fields.string("maker")) \(try fields.string("model"))"),
            ("id", try fields.string("id")),
            ("firmware", try fields.string("firmware")),
            ("address", try fields.string("address")),
            ("mode", try fields.string("mode")),
            ("speed", isListed ? nil : try fields.optionalString("speed")),
            ("speeds", speeds.isEmpty ? "none reported" : "\(speeds.count), \(range)"),
            ("battery", try fields.optionalInt("batteryPercent").map { "\($0) %" }),
            ("shots left", try fields.optionalInt("shotsLeft").map(String.init)),
            ("noise reduction", try fields.string("noiseReduction")),
            ("focus", isListed ? nil : try fields.optionalString("focusMode")),
            ("ISO", isListed ? nil : try fields.optionalString("iso")),
            ("aperture", isListed ? nil : try fields.optionalString("aperture")),
            ("saves to", isListed ? nil : try fields.optionalString("saveTarget")),
            ("timing", reply["camera"]?["timing"].flatMap(timing)),
        ]
        let lines = rows.compactMap { name, value in
            value.map { name + String(repeating: " ", count: 17 - name.count) + $0 }
        }
        return (lines + (isListed ? ["", PropertyReport.table(properties)] : [])).joined(separator: "\n")
    }

    /// `0.9 s per frame besides the exposure (95 % within 1.3 s), learned from 45 frames`; nil: nothing was learned.
    private static func timing(_ value: JSONValue) -> String? {
        guard let frame = value["frame"], let median = frame["medianMilliseconds"]?.intValue,
            let most = frame["p95Milliseconds"]?.intValue, let count = frame["count"]?.intValue
        else { return nil }
        let frames = count == 1 ? "1 frame" : "\(count) frames"
        return "\(TimeText.text(.milliseconds(median))) per frame besides the exposure "
            + "(95 % within \(TimeText.text(.milliseconds(most)))), learned from \(frames)"
    }
}
