import ArgumentParser
import Exposure
import Interface
import Varlink

/// Shell completions for options and arguments. Values that depend on the camera or the ledger come from the daemon.
/// Without a daemon, these completions are empty.
enum ValueCompletion {
    /// The speeds with `s` in place of the quotation mark for seconds, which shells interpret.
    static let speeds = CompletionKind.list(ShutterSpeed.all.map { $0.label.replacing("\"", with: "s") })
    static let framesPerSet = CompletionKind.list(PlanRequest.framesPerSetChoices.map(String.init))
    static let spacings = CompletionKind.list(Spacing.allCases.map(\.label))
    static let sharing = CompletionKind.list(["once", "twice"])
    static let biases = CompletionKind.list(
        [-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6].map { thirds in
            let sign = thirds < 0 ? "-" : "+"
            return thirds.isMultiple(of: 3) ? "\(sign)\(abs(thirds) / 3)" : "\(sign)\(abs(thirds))/3"
        }
    )
    static let charts = CompletionKind.list(ChartLibrary.names)
    static let properties = CompletionKind.list(propertyNames)

    /// The settings of all bodies. A test compares them with the drivers' settings.
    static let propertyNames = [
        "shutter-speed", "iso", "aperture", "exposure-compensation", "white-balance", "drive", "focus-mode", "quality",
        "save-target", "exposure-mode", "flash", "self-timer", "postview-size", "zoom-setting",
    ]

    /// The possible values of the setting whose name is the previous argument.
    static let propertyValues = CompletionKind.custom { words, _, _ in
        let properties = await ask(Bracketd.GetCamera(), words)?.camera.properties ?? []
        return properties.first { words.contains($0.name) && $0.isWritable }?.choices ?? []
    }

    /// The numbers of the newest shoots.
    static let shoots = CompletionKind.custom { words, _, _ in
        (await ask(Bracketd.GetHistory(), words)?.shoots ?? []).map { String($0.id) }
    }

    /// The ids and addresses of the listed cameras.
    static let cameras = CompletionKind.custom { words, _, _ in
        (await ask(Bracketd.GetCameras(), words)?.cameras ?? []).compactMap { $0.id ?? $0.address }
    }

    /// The time limit for the daemon while the user types.
    private static let answerTimeMax = Duration.seconds(1)

    /// - Parameter words: The command line before the cursor. It can contain the option `--socket`.
    private static func ask<Method: VarlinkMethod>(_ method: Method, _ words: [String]) async -> Method.Reply? {
        // Bash passes the equals sign as a separate argument.
        var after = words.drop { $0 != "--socket" }.dropFirst()
        if after.first == "=" { after = after.dropFirst() }
        let common = try? CommonOptions.parse(after.first.map { ["--socket", $0] } ?? [])
        guard let connection = try? common?.connection(in: .process), let daemon = try? await Daemon(connection)
        else { return nil }
        return try? await daemon.call(method, within: answerTimeMax)
    }
}
