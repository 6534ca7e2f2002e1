import Foundation
import VarlinkIDL

// The build tool: varlinkc INPUT.varlink OUTPUT.swift
//
// Writes the Swift code of an interface. Exit status: 0 after success; 1 after an error; 64 for wrong arguments.

func fail(_ message: String, status: Int32) -> Never {
    // A failed write is ignored, because the exit status reports the error too.
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else { fail("usage: varlinkc INPUT.varlink OUTPUT.swift", status: 64) }
let (input, output) = (URL(filePath: arguments[0]), URL(filePath: arguments[1]))
do {
    let interface = try VarlinkInterface(parsing: String(contentsOf: input, encoding: .utf8))
    let text = Data(try SwiftEmitter.emit(interface, source: input.lastPathComponent).utf8)
    // An unchanged file is not written again, so that it is not compiled again.
    if (try? Data(contentsOf: output)) != text { try text.write(to: output, options: .atomic) }
} catch let error as VarlinkInterfaceError {
    fail("\(arguments[0]):\(error.line):1: error: \(error.reason)", status: 1)
} catch let error as SwiftEmitter.Unsupported {
    fail("\(arguments[0]):1:1: error: \(error.what)", status: 1)
} catch {
    fail("varlinkc: error: \(error.localizedDescription)", status: 1)
}
