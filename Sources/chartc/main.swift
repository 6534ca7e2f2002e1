import Foundation
import SCXML

// The build tool: chartc INPUT.scxml OUTPUT.swift [--configuration FILE.json] [--sources FILE.swift…]
//                 chartc --picture INPUT.scxml OUTPUT.swift
//
// Writes the Swift code of a chart. Functions in the target's sources that the chart does not name are errors. With
// --picture, chartc writes the chart's picture as Swift code instead.
// Exit status: 0 if the output was written; 1 after an error; 64 for wrong arguments.

func fail(_ message: String, status: Int32) -> Never {
    report(message)
    exit(status)
}

func report(_ line: String) {
    // A failed write is ignored, because the exit status reports the error too.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}

let usage = """
    usage: chartc INPUT.scxml OUTPUT.swift [--configuration FILE.json] [--sources FILE.swift...]
           chartc --picture INPUT.scxml OUTPUT.swift
    """
var arguments = Array(CommandLine.arguments.dropFirst())
var sources: ArraySlice<String> = []
if let option = arguments.firstIndex(of: "--sources") {
    sources = arguments[(option + 1)...]
    arguments.removeSubrange(option...)
}
var configurationFile: String?
if let option = arguments.firstIndex(of: "--configuration") {
    guard option + 1 < arguments.count else { fail(usage, status: 64) }
    configurationFile = arguments[option + 1]
    arguments.removeSubrange(option...option + 1)
}
let isPicture = arguments.first == "--picture"
if isPicture { arguments.removeFirst() }
guard arguments.count == 2 else { fail(usage, status: 64) }
let input = URL(filePath: arguments[0])
let output = URL(filePath: arguments[1])

func configuration(_ file: String?) throws -> CompilerConfiguration {
    guard let file else { return CompilerConfiguration() }
    do {
        return try CompilerConfiguration(json: try Data(contentsOf: URL(filePath: file)))
    } catch let refusal as CompilerConfiguration.Refusal {
        fail("\(file):1:1: error: \(refusal)", status: 1)
    }
}

do {
    let access = try configuration(configurationFile).access
    let chart = Chart(reading: try Data(contentsOf: input))
    for diagnostic in chart.diagnostics { report(diagnostic.line(file: arguments[0])) }
    guard chart.diagnostics.isEmpty, let document = chart.document, let lowered = chart.lowered else {
        // A warning makes the build fail. Without this line, the build output would show no error.
        if !chart.hasErrors {
            report("\(arguments[0]): error: warnings stop the build: fix them, or allow them with bd:allow and bd:why")
        }
        exit(1)
    }

    var hasSurplus = false
    for file in sources {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        for finding in ConformanceCheck.findings(in: text, for: lowered) {
            report(finding.line(file: file))
            hasSurplus = true
        }
    }
    if hasSurplus { exit(1) }

    // The chart's folder and file name. They are the same on every machine, unlike the full path.
    let source = input.pathComponents.suffix(2).joined(separator: "/")
    let emitted =
        isPicture
        ? PictureEmitter.emit(document, source: source, digest: chart.digest)
        : SwiftEmitter.emit(lowered, source: source, digest: chart.digest, access: access)
    let text = Data(emitted.utf8)
    // An unchanged file is not written again. Otherwise each change in the target's sources would recompile it.
    if (try? Data(contentsOf: output)) != text { try text.write(to: output, options: .atomic) }
} catch {
    fail("chartc: error: \(error.localizedDescription)", status: 1)
}
