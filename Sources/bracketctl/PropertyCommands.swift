import ArgumentParser
import Interface
import Varlink

struct GetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a setting of the camera: its shutter speed, ISO, aperture …",
        discussion: """
            Without a name all settings are listed. bracketctl get iso prints the value alone, bracketctl get iso \
            --choices what it can be set to now, one per line.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "A setting as the list names it, such as shutter-speed.",
        completion: ValueCompletion.properties
    )
    var property: String?

    @Flag(help: "Print what the setting can be set to now.")
    var choices = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        if choices, property == nil {
            throw Failure(.usage, name: "Usage", "--choices needs a setting: bracketctl get shutter-speed --choices.")
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
        guard !properties.isEmpty else { throw unavailable("The camera has told no settings.") }
        for line in common.json ? properties.map(\.json.description) : [PropertyReport.table(properties)] {
            try environment.output.line(line)
        }
    }

    private func value(_ property: PropertyReport) throws(Failure) -> String {
        guard let value = property.value else {
            throw unavailable("The camera does not say its \(property.name) now.")
        }
        return value
    }

    private func choices(_ property: PropertyReport) throws(Failure) -> [String] {
        guard property.isWritable else {
            throw unavailable("The camera does not let its \(property.name) be set now.")
        }
        guard !property.choices.isEmpty else {
            throw unavailable("The camera does not tell what its \(property.name) can be set to.")
        }
        return property.choices
    }

    private func unknown(_ name: String, _ properties: [PropertyReport]) -> Failure {
        guard !properties.isEmpty else { return unavailable("The camera has told no settings.") }
        let names = properties.map(\.name).joined(separator: ", ")
        return Failure(.error, name: "UnknownProperty", "The camera has no setting '\(name)': it has \(names).")
    }

    private func unavailable(_ sentence: String) -> Failure { Failure(.error, name: "PropertyUnavailable", sentence) }
}

struct SetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a setting of the camera, and prints the value that the camera shows then.",
        discussion: """
            The camera's own word is waited for. While a shoot is being fired its settings stay as they are, and \
            setting one is refused. bracketctl get lists the settings and what they can be set to.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "A setting as bracketctl get names it, such as iso.", completion: ValueCompletion.properties)
    var property: String

    // Values may begin with a minus and have several words: -0.3, host and card.
    @Argument(
        parsing: .allUnrecognized,
        help: "The value, such as 100.",
        completion: ValueCompletion.propertyValues
    )
    var value: [String]

    /// How long the daemon may take: a camera that steps through speeds needs minutes for the longest way.
    static let answerTimeMax = Duration.seconds(200) + Daemon.settingsTimeMax

    func execute(in environment: Environment) async throws -> ProcessExit {
        if let option = value.first(where: isOption) {
            throw Failure(.usage, name: "Usage", "Unknown option '\(option)'. See bracketctl set --help.")
        }
        let daemon = try await Daemon(common.connection(in: environment))
        let set = Bracketd.SetProperty(name: property, value: value.joined(separator: " "))
        let report: PropertyReport
        do throws(Failure) {
            report = try await daemon.call(set, within: SetCommand.answerTimeMax).property
        } catch {
            guard error.name == Bracketd.PropertyRefused.name else { throw error }
            throw error.adding("See \(daemon.connection.commandLine("get")).")
        }
        let text = report.value ?? "The camera does not say its \(report.name) now."
        try environment.output.line(common.json ? report.json.description : text)
        return .allDone
    }

    /// Whether an argument is an option: it begins with a hyphen and is not a negative number.
    private func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word.dropFirst().first?.isNumber != true
    }
}
