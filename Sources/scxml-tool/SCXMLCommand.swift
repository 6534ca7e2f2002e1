import ArgumentParser
import Foundation
import ProgramCommands
import ProgramOutput
import SCXML

@main
struct SCXMLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scxml",
        abstract: "Checks SCXML statecharts, generates Swift from them, runs them and draws them.",
        version: ProgramVersion.current,
        subcommands: [
            CheckCommand.self, EmitCommand.self, DrawCommand.self, RunCommand.self, ReplayCommand.self,
        ]
    )

    static func main() { runProgram(openFiles: 16) }
}

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks charts against the dialect that can be compiled to Swift.",
        discussion: "Exit status: 0 if every chart is accepted, 1 if one is rejected or cannot be read."
    )

    @Argument(help: "The charts.")
    var files: [String]

    @Flag(help: "Print one JSON object per diagnostic to standard output.")
    var json = false

    @Flag(help: "Reject charts with warnings too, like the compiler.")
    var strict = false

    func run() throws {
        var isRefused = false
        for file in files {
            guard let chart = ChartFile.read(file) else {
                isRefused = true
                continue
            }
            for diagnostic in chart.diagnostics {
                if json {
                    try StandardStream.output.line(diagnostic.json(file: file))
                } else {
                    ChartFile.report(diagnostic.line(file: file))
                }
            }
            if chart.hasErrors || (strict && !chart.diagnostics.isEmpty) { isRefused = true }
        }
        if isRefused { throw ExitCode(1) }
    }
}

struct EmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emit",
        abstract: "Prints the generated Swift of a chart.",
        discussion: "Exit status: 0, or 1 if the chart is rejected or cannot be read."
    )

    @Argument(help: "The chart.")
    var file: String

    @Option(help: "The access level of the generated code: public, package or internal.")
    var access = SwiftEmitter.Access.package

    func run() throws {
        guard let chart = ChartFile.read(file) else { throw ExitCode(1) }
        for diagnostic in chart.diagnostics { ChartFile.report(diagnostic.line(file: file)) }
        guard let lowered = chart.lowered else { throw ExitCode(1) }
        let source = ChartFile.source(file)
        let text = SwiftEmitter.emit(lowered, source: source, digest: chart.digest, access: access)
        try StandardStream.output.write(text)
    }
}

extension SwiftEmitter.Access: ExpressibleByArgument {}

enum ChartFile {
    /// The chart in a file. If the file cannot be read, prints a sentence to standard error and returns nil.
    static func read(_ file: String, as profile: Chart.Profile = .dialect) -> Chart? {
        do {
            return Chart(reading: try bytes(file, sizeMax: Chart.sizeMax), as: profile)
        } catch {
            report("scxml: \(error.message)")
            return nil
        }
    }

    /// The reason why a file cannot be read, as a sentence.
    struct Unreadable: Error {
        var message: String
    }

    /// The content of a file, or of standard input for `-`. Reads at most one byte more than `sizeMax`, so that the
    /// reader of the content can refuse a longer file.
    static func bytes(_ file: String, sizeMax: Int) throws(Unreadable) -> Data {
        let source = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let source else { throw Unreadable(message: "\(file): \(String(cString: strerror(errno)))") }
        do {
            return try source.read(upToCount: sizeMax + 1) ?? Data()
        } catch {
            throw Unreadable(message: "\(file): not a readable file")
        }
    }

    /// Prints the errors and the ignored parts of a chart. Throws if the chart has errors: exit status 3 if unsupported
    /// elements are the only errors, otherwise 1.
    static func refuse(_ chart: Chart, _ file: String) throws {
        for note in chart.document?.notes ?? [] { report(note.line(file: file)) }
        let errors = chart.diagnostics.filter { $0.severity == .error }
        for error in errors { report(error.line(file: file)) }
        if !errors.isEmpty { throw ExitCode(chart.isMerelyUnsupported ? 3 : 1) }
    }

    /// The path of a file for generated code: the folder and the file name, which are the same on every machine.
    static func source(_ file: String) -> String {
        URL(filePath: file).pathComponents.suffix(2).joined(separator: "/")
    }

    static func report(_ line: String) {
        StandardStream.errors.message(line)
    }
}
