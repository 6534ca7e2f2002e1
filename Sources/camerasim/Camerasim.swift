import ArgumentParser
import Bodies
import ProgramCommands
import ProgramOutput

/// The commands `camerasim sony`, `canon`, `nikon`, `sony-http` and `list`.
@main
struct Camerasim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camerasim",
        abstract: "Simulated cameras on real sockets.",
        version: ProgramVersion.current,
        subcommands: makers + [ListCommand.self]
    )

    /// A command for each row of ``Bodies/BodyMaker/all``.
    static let makers: [any ParsableCommand.Type] = [
        BodyCommand<SonyOptions>.self, BodyCommand<CanonOptions>.self, BodyCommand<NikonOptions>.self,
        BodyCommand<SonyHTTPOptions>.self,
    ]

    static func main() { runProgram(openFiles: 64) }
}

/// `camerasim list`: the makers and models.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the models and the faults.")

    @Flag(help: "As one JSON object with the members models and faults.")
    var json = false

    func run() throws(OutputFailure) {
        let output = StandardStream.output
        if json { return try output.write(Self.object) }
        for maker in BodyMaker.all {
            let models = maker.models.map { model in
                "  \(model.shortName)  (\(Self.name(of: model, by: maker)))\n      \(model.summary)\n"
                    + model.quirks.map { "      - \($0)\n" }.joined()
            }
            try output.write("Models for 'camerasim \(maker.name) --model':\n\(models.joined())\n")
        }
        try output.write("Faults for '--fault':\n\(FaultGrammar.help)\n")
    }

    /// The name of a model, with the version of its protocol. Sony's HTTP has a version for each method instead.
    private static func name(of model: BodyModel, by maker: BodyMaker) -> String {
        maker.name == BodyMaker.sonyHTTP.name ? model.name : "\(model.name), version \(model.version)"
    }

    private static var object: String {
        let models = BodyMaker.all.flatMap(\.models).map { model in
            let quirks = model.quirks.map(text).joined(separator: ",")
            return "{\"model\":\(text(model.shortName)),\"name\":\(text(model.name)),"
                + "\"version\":\(model.version),\"summary\":\(text(model.summary)),\"quirks\":[\(quirks)]}"
        }
        let faults = FaultGrammar.list.map { entry in
            "{\"fault\":\(text(entry.name)),\"form\":\(text(entry.form)),\"meaning\":\(text(entry.meaning)),"
                + "\"example\":\(text(entry.example))}"
        }
        return "{\"models\":[\(models.joined(separator: ","))],\"faults\":[\(faults.joined(separator: ","))]}\n"
    }

    /// A JSON string. The text must have no control characters.
    private static func text(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
