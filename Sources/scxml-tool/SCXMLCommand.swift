import ArgumentParser
import Foundation
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
    /// The chart in a file. Nil if the file cannot be read; then a sentence is on standard error.
    static func read(_ file: String, as profile: Chart.Profile = .dialect) -> Chart? {
        do {
            return Chart(reading: try bytes(file, sizeMax: Chart.sizeMax), as: profile)
        } catch {
            report("scxml: \(error.message)")
            return nil
        }
    }

    /// Why a file cannot be read, as a sentence.
    struct Unreadable: Error {
        var message: String
    }

    /// The content of a file, or of standard input for `-`. Of a file that is too long it has one byte more than
    /// allowed, which the file's reader refuses.
    static func bytes(_ file: String, sizeMax: Int) throws(Unreadable) -> Data {
        let source = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let source else { throw Unreadable(message: "\(file): \(String(cString: strerror(errno)))") }
        do {
            return try source.read(upToCount: sizeMax + 1) ?? Data()
        } catch {
            throw Unreadable(message: "\(file): not a readable file")
        }
    }

    /// Prints the errors and the ignored parts of a chart to be run. Throws if it cannot be run: status 3 if
    /// unsupported elements are the only errors, else 1.
    static func refuse(_ chart: Chart, _ file: String) throws {
        for note in chart.document?.notes ?? [] { report(note.line(file: file)) }
        let errors = chart.diagnostics.filter { $0.severity == .error }
        for error in errors { report(error.line(file: file)) }
        if !errors.isEmpty { throw ExitCode(chart.isMerelyUnsupported ? 3 : 1) }
    }

    /// The name of a file in generated code: its folder and its file name, the same on every machine.
    static func source(_ file: String) -> String {
        URL(filePath: file).pathComponents.suffix(2).joined(separator: "/")
    }

    static func report(_ line: String) {
        StandardStream.errors.message(line)
    }
}
