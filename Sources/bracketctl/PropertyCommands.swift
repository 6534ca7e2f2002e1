import ArgumentParser
import Interface
import Varlink

struct GetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a setting of the camera: its shutter speed, ISO, aperture …",
        discussion: """
            Without a name it lists all settings. bracketctl get iso prints only the value. bracketctl get iso \
            --choices prints the present choices, one per line.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "A setting from the list, such as shutter-speed.",
        completion: ValueCompletion.properties
    )
    var property: String?

    @Flag(help: "Print the present choices of the setting, one per line.")
    var choices = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        if choices, property == nil {
            throw Failure.usage(UsageSentences.choicesWithoutSetting)
        }
        let daemon = try await Daemon(common.connection(in: environment))
        let properties = try await daemon.call(Bracketd.GetCamera()).camera.properties
        guard let property else {
            try list(properties, environment)
            return .allDone
        }
        guard let found = properties.first(where: { $0.name == property.lowercased() }) else {
            throw unknown(property, properties)
        }
        let lines = try choices ? self.choices(found) : [value(found)]
        for line in common.json ? [found.json.description] : lines { try environment.output.line(line) }
        return .allDone
    }

    private func list(_ properties: [PropertyReport], _ environment: Environment) throws {
        guard !properties.isEmpty else { throw unavailable(PropertySentences.noSettings) }
        for line in common.json ? properties.map(\.json.description) : [PropertyReport.table(properties)] {
            try environment.output.line(line)
        }
    }

    private func value(_ property: PropertyReport) throws(Failure) -> String {
        guard let value = property.value else {
            throw unavailable(PropertySentences.noValue(property.name))
        }
        return value
    }

    private func choices(_ property: PropertyReport) throws(Failure) -> [String] {
        guard property.isWritable else {
            throw unavailable(PropertySentences.notWritable(property.name))
        }
        guard !property.choices.isEmpty else {
            throw unavailable(PropertySentences.noChoices(property.name))
        }
        return property.choices
    }

    private func unknown(_ name: String, _ properties: [PropertyReport]) -> Failure {
        guard !properties.isEmpty else { return unavailable(PropertySentences.noSettings) }
        return Failure("UnknownProperty", PropertySentences.unknown(name, settings: properties.map(\.name)))
    }

    private func unavailable(_ sentence: String) -> Failure { Failure("PropertyUnavailable", sentence) }
}

struct SetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes a setting of the camera, and prints the value that the camera then reports.",
        discussion: """
            The command waits until the camera reports the value. The daemon refuses the command during a shoot. \
            bracketctl get lists the settings and their choices.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "A setting from bracketctl get, such as iso.", completion: ValueCompletion.properties)
    var property: String

    // A value can begin with a minus sign (`-0.3`) and can have several words (`host and card`).
    @Argument(
        parsing: .allUnrecognized,
        help: "The value, such as 100.",
        completion: ValueCompletion.propertyValues
    )
    var value: [String]

    /// The time limit for the daemon's answer. A camera that changes the speed step by step can need minutes.
    static let answerTimeMax = Duration.seconds(200) + Daemon.settingsTimeMax

    func execute(in environment: Environment) async throws -> ProcessExit {
        if let option = value.first(where: isOption) {
            throw Failure.usage(UsageSentences.unknownSetOption(option))
        }
        let daemon = try await Daemon(common.connection(in: environment))
        let set = Bracketd.SetProperty(name: property, value: value.joined(separator: " "))
        let report: PropertyReport
        do throws(Failure) {
            report = try await daemon.call(set, within: SetCommand.answerTimeMax).property
        } catch {
            guard error.name == Bracketd.PropertyRefused.name else { throw error }
            throw error.saying(FailureSentences.referring(error.sentence, to: daemon.connection.commandLine("get")))
        }
        let text = report.value ?? PropertySentences.noValue(report.name)
        return try show(report.json, text, in: environment)
    }

    /// Whether an argument is an option: it begins with a hyphen but is not a negative number.
    private func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word.dropFirst().first?.isNumber != true
    }
}
