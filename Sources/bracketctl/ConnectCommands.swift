import ArgumentParser
import Interface
import Varlink

struct ConnectCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connects to a camera, and says when it is connected.",
        discussion: """
            A camera is named by its id or name as bracketctl cameras has it, or by its address, HOST or HOST:PORT. An \
            address that cannot be reached is told at once; where cameras are looked for, this one is, up to a minute. \
            One that was not found is forgotten again. The first time, the camera may ask on its screen whether to \
            allow it. Another camera is let go first.
            """
    )

    @OptionGroup var common: CommonOptions

    // Names may have several words: Sony ILCE-7M4.
    @Argument(
        help: ArgumentHelp("The camera's name, id or address.", valueName: "name or address"),
        completion: ValueCompletion.cameras
    )
    var camera: [String] = []

    @Flag(help: "The camera that was connected last.")
    var last = false

    /// The daemon's limit is a minute; the rest allows for delays.
    static let answerTimeMax = Duration.seconds(70) + Daemon.settingsTimeMax

    func execute(in environment: Environment) async throws -> ProcessExit {
        let connect = try call()
        let daemon = try await Daemon(common.connection(in: environment))
        let camera: Bracketd.CameraDescription
        do throws(Failure) {
            camera = try await daemon.call(connect, within: ConnectCommand.answerTimeMax).camera
        } catch {
            throw ConnectCommand.explained(error)
        }
        try environment.output.line(common.json ? camera.json.description : ConnectCommand.text(camera))
        return .allDone
    }

    private func call() throws(Failure) -> Bracketd.Connect {
        let text = camera.joined(separator: " ")
        guard last != !camera.isEmpty else {
            let sentence =
                last
                ? "--last is the camera that was connected last: leave out \(text), or --last."
                : "Name the camera that bracketctl cameras lists, or its address, or say --last."
            throw Failure(.usage, name: "Usage", sentence)
        }
        guard last || text.contains(where: { $0 != " " }) else {
            throw Failure(.usage, name: "Usage", "The name is empty: bracketctl cameras lists those there are.")
        }
        return Bracketd.Connect(camera: last ? nil : text)
    }

    /// `Connected to Sony ILCE-7M4 at 192.168.122.1:15740, mode M, battery 80 %.`
    static func text(_ camera: Bracketd.CameraDescription) -> String {
        let battery = camera.batteryPercent.map { ", battery \($0) %" } ?? ""
        return "Connected to \(camera.maker) \(camera.model) at \(camera.address), mode \(camera.mode)\(battery)."
    }

    /// Adds which cameras are known, or that the camera was not found.
    private static func explained(_ failure: Failure) -> Failure {
        switch failure.name {
        case Bracketd.NoSuchCamera.name:
            let known = (try? Bracketd.NoSuchCamera(failure.parameters))?.known ?? []
            guard known.contains(where: { !failure.sentence.contains($0) }) else { return failure }
            return failure.adding("Known: \(PlainList.text(known)).")
        case Bracketd.NotConnected.name:
            return Failure(
                failure.status,
                name: failure.name,
                "Not connected. \(failure.sentence)",
                parameters: failure.parameters
            )
        default: return failure
        }
    }
}

struct DisconnectCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Lets go of the camera in order; none is looked for until bracketctl connect names one.",
        discussion: """
            The camera can then be taken by another program or a phone. Refused while a shoot is being fired. After a \
            shoot it waits until the camera is set as it was before.
            """
    )
    static let answerTimeMax = Daemon.answerTimeMax + Daemon.settingsTimeMax
    var sentence: String { "The camera was let go. bracketctl connect --last connects to it again." }
    var method: Bracketd.Disconnect { Bracketd.Disconnect() }

    func remark(_ reply: Bracketd.Disconnect.Reply) -> String? { reply.settings }

    @OptionGroup var common: CommonOptions
}
