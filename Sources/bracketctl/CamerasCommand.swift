import ArgumentParser
import Interface
import Varlink

struct CamerasCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "Lists the known cameras and the cameras on the network.",
        discussion: """
            A camera is connected, connecting, there, known or unfit. There: the camera announces itself. Known: the \
            camera was connected before. Unfit: the camera announces itself, but cannot be used now. With --watch the \
            daemon searches for cameras. The command then prints each camera that appears, changes or disappears, with \
            the time of day, until interrupted.
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Search for cameras, and print each camera that appears, changes or disappears.")
    var watch = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        if watch { try await watch(daemon, environment) }
        let cameras = try await daemon.call(Bracketd.GetCameras()).cameras
        if common.json {
            for camera in cameras { try environment.output.line(camera.json.description) }
        } else {
            try environment.output.line(CamerasCommand.text(cameras, commandLine: daemon.connection.commandLine))
        }
        return .allDone
    }

    static func text(_ cameras: [ListedCamera], commandLine: (String) -> String) -> String {
        guard !cameras.isEmpty else {
            let advice = CameraListSentences.noCameraAdvice(
                search: commandLine("cameras --watch"),
                connect: commandLine("connect ADDRESS")
            )
            return "\(CameraListSentences.noCamera) \(advice)"
        }
        return TextTable.lines([ListedCamera.headline] + cameras.map(\.cells)).joined(separator: "\n")
    }

    private func watch(_ daemon: Daemon, _ environment: Environment) async throws -> Never {
        var known: [ListedCamera]?
        try await daemon.watch(Bracketd.WatchCameras()) { reply in
            let cameras = reply.cameras
            let changes = known.map { CameraChange.between($0, cameras) } ?? cameras.map { CameraChange("listed", $0) }
            let isNone = known == nil && cameras.isEmpty
            known = cameras
            if common.json {
                for change in changes { try environment.output.line(change.json.description) }
            } else {
                for text in isNone ? [CameraListSentences.noCamera] : changes.map(\.text) {
                    try environment.output.line("\(environment.timeOfDay())  \(text)")
                }
            }
        }
    }
}
