import Foundation
import Testing
import Varlink

@testable import bracketctl

/// The built program, with real signals and pipes.
@Suite struct `The program` {
    private struct Running {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()

        init(_ arguments: [String], socket: String? = nil) throws {
            let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.executableURL = tests.deletingLastPathComponent().appending(path: "bracketctl")
            process.arguments = arguments
            process.environment = socket.map { ["BRACKETD_SOCKET": $0] } ?? [:]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        }

        /// Reads standard output until `text` has come, or the end.
        func read(until text: String) -> String {
            var read = Data()
            while !String(decoding: read, as: UTF8.self).contains(text) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                read.append(more)
            }
            return String(decoding: read, as: UTF8.self)
        }

        func end() -> (status: Int32, output: String, errors: String) {
            let output = output.fileHandleForReading.readDataToEndOfFile()
            let errors = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (
                process.terminationStatus, String(decoding: output, as: UTF8.self),
                String(decoding: errors, as: UTF8.self)
            )
        }
    }

    @Test func `plans without a daemon`() throws {
        let end = try Running(["plan", "--json"]).end()
        #expect(end.status == 0)
        #expect(try JSONValue(parsing: Array(end.output.dropLast().utf8))["totalExposures"]?.intValue == 15)
    }

    @Test func `exits with 64 for bad arguments and with 5 without a daemon`() throws {
        #expect(try Running(["plan", "--shadow", "fast"]).end().status == 64)
        #expect(try Running(["shoot"]).end().status == 64)
        let status = try Running(["status"], socket: "/nonexistent/socket").end()
        #expect(status.status == 5)
        #expect(status.errors.contains("/nonexistent/socket"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `leaves the shoot running when it is interrupted, and says how to cancel it`(signal: Int32) async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Shoot": .begun("progress", [Sample.step(captured: 0)]),
        ]
        try await withDaemon(answers) { daemon in
            let running = try Running(["--socket", daemon.path, "shoot", "--yes"])
            #expect(running.read(until: "0/15").contains("0/15  set 1, frame 1"))
            kill(running.process.processIdentifier, signal)
            let end = running.end()
            #expect(end.status == 1)
            #expect(
                end.errors
                    == "\nThe shoot goes on without this client. To cancel it: "
                    + "bracketctl --socket \(daemon.path) cancel\n"
            )
            #expect(daemon.calls.map(\.method).suffix(2) == ["io.bracketd.Plan", "io.bracketd.Shoot"])
        }
    }

    @Test func `ends quietly when nobody reads on`() async throws {
        let transition: JSONValue = [
            "at": 1, "chart": "c", "event": "e", "from": [], "to": [],
            "message": .string(String(repeating: "m", count: 1000)),
        ]
        let many = Array(repeating: transition, count: 500)
        try await withDaemon(["Watch": .begun("transition", many)]) { daemon in
            let running = try Running(["watch"], socket: daemon.path)
            _ = running.output.fileHandleForReading.availableData
            try running.output.fileHandleForReading.close()
            let errors = running.errors.fileHandleForReading.readDataToEndOfFile()
            running.process.waitUntilExit()
            #expect(errors.isEmpty)
        }
    }
}
