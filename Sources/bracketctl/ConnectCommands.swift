import ArgumentParser
import Interface
import Varlink

struct ConnectCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connects to a camera, and reports when it is connected.",
        discussion: """
            Name the camera by its id or name in bracketctl cameras, or by its address, HOST or HOST:PORT. The command \
            reports at once if an address cannot be reached. If the daemon searches for cameras, it searches for the \
            named camera for up to one minute. If the camera is not found, the daemon forgets it. At the first \
            connection the camera may ask for permission on its screen. The daemon disconnects from another camera \
            first.
            """
    )

    @OptionGroup var common: CommonOptions

    // A name can have several words: Sony ILCE-7M4.
    @Argument(
        help: ArgumentHelp("The camera's name, id or address.", valueName: "name or address"),
        completion: ValueCompletion.cameras
    )
    var camera: [String] = []

    @Flag(help: "Connect to the last connected camera.")
    var last = false

    /// The time limit for the daemon's answer. The daemon's own limit is 60 s, and 10 s are for delays.
    static let answerTimeMax = Duration.seconds(70) + Daemon.settingsTimeMax

    /// The time after which the user gets a notice that the command waits.
    private static let quietTime = Duration.seconds(2)

    func execute(in environment: Environment) async throws -> ProcessExit {
        let connect = try call()
        let daemon = try await Daemon(common.connection(in: environment))
        let notice = Task {
            try await Task.sleep(for: ConnectCommand.quietTime)
            try environment.errors.line(OrderSentences.waitingForCamera)
        }
        defer { notice.cancel() }
        let camera: Bracketd.CameraDescription
        do throws(Failure) {
            camera = try await daemon.call(connect, within: ConnectCommand.answerTimeMax).camera
        } catch {
            throw ConnectCommand.explained(error, for: connect.camera)
        }
        return try show(camera.json, ConnectCommand.text(camera), in: environment)
    }

    private func call() throws(Failure) -> Bracketd.Connect {
        let text = camera.joined(separator: " ")
        guard last != !camera.isEmpty else {
            throw Failure.usage(last ? UsageSentences.lastAndCamera(text) : UsageSentences.noCamera)
        }
        guard last || text.contains(where: { $0 != " " }) else {
            throw Failure.usage(UsageSentences.emptyCamera)
        }
        return Bracketd.Connect(camera: last ? nil : text)
    }

    /// The sentence `Connected to Sony ILCE-7M4 at 192.168.122.1:15740, mode M, battery 80 %.`
    static func text(_ camera: Bracketd.CameraDescription) -> String {
        OrderSentences.connected(
            camera.name,
            at: camera.address,
            mode: camera.mode,
            batteryPercent: camera.batteryPercent
        )
    }

    /// Extends a failure's sentence by the known cameras, or by the remark that no camera is connected.
    ///
    /// - Parameter camera: the camera as the user named it; nil: the last one.
    private static func explained(_ failure: Failure, for camera: String?) -> Failure {
        switch failure.name {
        case Bracketd.NoSuchCamera.name:
            let known = (try? Bracketd.NoSuchCamera(failure.parameters))?.known ?? []
            guard known.contains(where: { !failure.sentence.contains($0) }) else { return failure }
            return failure.saying(OrderSentences.unknownCamera(failure.sentence, known: known))
        case Bracketd.NotConnected.name:
            let sentence = OrderSentences.notConnected(failure.sentence)
            let hint = camera.flatMap(hostWithoutPort).map(OrderSentences.portAdvice)
            return failure.saying([sentence, hint].compactMap(\.self).joined(separator: " "))
        default: return failure
        }
    }

    /// The text if it is an IPv4 address or a host without a port; nil: it is another name of a camera.
    private static func hostWithoutPort(_ text: String) -> String? {
        text.contains(".") && !text.contains { ": ".contains($0) } ? text : nil
    }
}

struct DisconnectCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Disconnects from the camera. The daemon does not search until bracketctl connect names a camera.",
        discussion: """
            Another program or a phone can then use the camera. The daemon refuses the command during a shoot. After a \
            shoot the command waits until the camera's settings are put back.
            """
    )
    static let answerTimeMax = Daemon.answerTimeMax + Daemon.settingsTimeMax
    var sentence: String { OrderSentences.disconnects }
    var method: Bracketd.Disconnect { Bracketd.Disconnect() }

    func remark(_ reply: Bracketd.Disconnect.Reply) -> String? { reply.settings }

    @OptionGroup var common: CommonOptions
}
