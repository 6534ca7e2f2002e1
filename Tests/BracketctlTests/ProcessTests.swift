import Foundation
import Testing
import Varlink

@testable import bracketctl

/// Tests the built program, with real signals and pipes.
@Suite struct `The program` {
    private struct Running {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()

        /// - Parameter kind: the value of `TERM`.
        init(
            _ arguments: [String],
            socket: String? = nil,
            terminal: Terminal? = nil,
            kind: String = "xterm"
        ) throws {
            let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.executableURL = tests.deletingLastPathComponent().appending(path: "bracketctl")
            process.arguments = arguments
            process.environment = socket.map { ["BRACKETD_SOCKET": $0] } ?? [:]
            if terminal != nil { process.environment?["TERM"] = kind }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = terminal?.inside ?? output
            process.standardError = errors
            try process.run()
            // From now on only the program has the terminal open.
            try terminal?.inside.close()
        }

        /// Reads standard output until `text` appears or the output ends.
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
                    == "\nThe shoot continues without this client. To see its progress: "
                    + "bracketctl --socket \(daemon.path) watch --progress. To cancel it: "
                    + "bracketctl --socket \(daemon.path) cancel.\n"
            )
            #expect(daemon.calls.map(\.method).suffix(2) == ["io.bracketd.Preflight", "io.bracketd.Shoot"])
        }
    }

    @Test func `ends with the shoot's exit code when it is interrupted while it waits for pictures`() async throws {
        let photos: JSONValue = [
            "policy": "jpeg", "sentence": "s", "list": [["id": 1, "state": "receiving", "name": "A", "shoot": 1]],
        ]
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Shoot": .one("progress", Sample.stopped.adding("shoot", 1)),
            "GetPhotos": .one("photos", photos),
        ]
        try await withDaemon(answers) { daemon in
            let running = try Running(["--socket", daemon.path, "shoot", "--yes"])
            while !daemon.calls.contains(where: { $0.method == "io.bracketd.GetPhotos" }) { await Task.yield() }
            kill(running.process.processIdentifier, SIGINT)
            let end = running.end()
            #expect(end.status == ProcessExit.partial.rawValue)
            let sentence = "\nThe shoot has ended. Its pictures are still in transfer. To follow: "
            #expect(end.errors == sentence + "bracketctl --socket \(daemon.path) photos --follow.\n")
        }
    }

    private static let shoot: [String: FakeDaemon.Answer] = [
        "Plan": Sample.plan(),
        "Shoot": .steps(
            "progress",
            [
                Sample.step(captured: 6, set: 2, frame: 2, phase: "settingSpeed", remaining: 65_000),
                Sample.step(captured: 6, set: 2, frame: 2, speed: "30\"", remaining: 65_000, exposureLeft: 32_000),
                Sample.step(captured: 7, set: 2, frame: 2, speed: "30\"", phase: "waitingForIdle", remaining: 33_000),
                Sample.completed,
            ]
        ),
    ]

    @Test func `draws a shoot's progress no wider than a terminal of 40 columns`() async throws {
        try await withDaemon(Self.shoot) { daemon in
            let terminal = try Terminal(columns: 40)
            let running = try Running(["--socket", daemon.path, "shoot", "--yes"], terminal: terminal)
            let drawn = terminal.read(until: nil).components(separatedBy: "\r\u{1B}[K").dropFirst()
            running.process.waitUntilExit()
            #expect(running.process.terminationStatus == 0)
            #expect(drawn.first == "6/15  setting 1/60  1 min 5 s left")
            #expect(drawn.dropFirst().first?.hasPrefix("6/15  exposing 30\", 32 s") == true)
            #expect(drawn.dropLast().allSatisfy { $0.count < 40 && !$0.contains("\n") })
            #expect(drawn.last == "15 of 15 exposures captured\r\n")
        }
    }

    @Test func `counts an exposure down on a terminal`() async throws {
        let step = Sample.step(captured: 6, speed: "2\"", remaining: 9_000, exposureLeft: 2_000)
        let answers: [String: FakeDaemon.Answer] = ["Plan": Sample.plan(), "Shoot": .begun("progress", [step])]
        try await withDaemon(answers) { daemon in
            let terminal = try Terminal(columns: 80)
            let running = try Running(["--socket", daemon.path, "shoot", "--yes"], terminal: terminal)
            let drawn = terminal.read(until: "exposing 2\"  ")
            #expect(drawn.contains("exposing 2\", 2 s  9 s left"))
            #expect(drawn.contains("exposing 2\", 1 s  8 s left"))
            running.process.terminate()
            running.process.waitUntilExit()
        }
    }

    @Test func `redraws nothing on a dumb terminal`() async throws {
        try await withDaemon(Self.shoot) { daemon in
            let terminal = try Terminal(columns: 40)
            let running = try Running(["--socket", daemon.path, "shoot", "--yes"], terminal: terminal, kind: "dumb")
            let shown = terminal.read(until: nil)
            running.process.waitUntilExit()
            #expect(!shown.contains("\u{1B}"))
            #expect(!shown.replacingOccurrences(of: "\r\n", with: "\n").contains("\r"))
            #expect(shown.contains("6/15  set 2, frame 2  exposing 30\", 32 s  1 min 5 s left\r\n"))
            #expect(shown.hasSuffix("\r\n15 of 15 exposures captured\r\n"))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `leaves no colour on the terminal when a watch is interrupted`(signal: Int32) async throws {
        let status: JSONValue = [
            "charts": [["name": "network", "state": "joined", "configuration": ["joined"]]], "version": "0.1.0",
            "sentence": "So it is.",
        ]
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": .one("status", status), "Watch": .begun("transition", []),
        ]
        try await withDaemon(answers) { daemon in
            let terminal = try Terminal()
            let running = try Running(
                ["--socket", daemon.path, "charts", "network", "--watch"],
                terminal: terminal
            )
            #expect(terminal.read(until: "\u{1B}[J").contains("\u{1B}[1;32mjoined\u{1B}[0m"))
            kill(running.process.processIdentifier, signal)
            #expect(terminal.read(until: nil).hasSuffix("\u{1B}[0m\r\n"))
            running.process.waitUntilExit()
            #expect(running.process.terminationReason == .uncaughtSignal)
            #expect(running.process.terminationStatus == signal)
        }
    }

    @Test func `ends without a message when the reader has closed the output`() async throws {
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

/// A pseudo-terminal that reads the program's output (pty(7)).
private struct Terminal {
    /// The end of the terminal to which the program writes.
    let inside: FileHandle
    private let outside: FileHandle

    init(columns: UInt16 = 80) throws {
        var (outside, inside): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&outside, &inside, nil, nil, &size) == 0)
        self.outside = FileHandle(fileDescriptor: outside, closeOnDealloc: true)
        self.inside = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
    }

    /// Reads until `text` appears or the program ends. At its end, read(2) returns an error here.
    func read(until text: String?) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let read = String(decoding: bytes, as: UTF8.self)
            if let text, read.contains(text) { return read }
            let count = Glibc.read(outside.fileDescriptor, &part, part.count)
            guard count > 0 else { return read }
            bytes += part.prefix(count)
        }
    }
}
