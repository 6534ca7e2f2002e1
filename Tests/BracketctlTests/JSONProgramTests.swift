import Foundation
import Testing
import Varlink

@testable import bracketctl

/// Compares docs/json.md with the real daemon and a simulated camera.
@Suite(.timeLimit(.minutes(2))) struct JSONProgramTests {
    @Test func `has every member that the programs print in a shoot`() async throws {
        let station = try JSONStation()
        let page = try JSONPage()
        var seen: Set<String> = []
        let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3"]
        let runs: [(command: String, arguments: [String])] = [
            ("connect", [station.camera]), ("cameras", []), ("camera", []), ("get", []), ("get", ["iso"]),
            ("preflight", plan), ("shoot", plan + ["--yes"]), ("status", []), ("photos", []), ("history", []),
            ("history show", ["1"]), ("history export", ["1"]), ("charts", []), ("charts", ["shooting"]),
            ("arm", plan), ("dismiss", []), ("doctor", []), ("plan", plan + ["--compare"]), ("history show", ["99"]),
        ]
        for (command, arguments) in runs {
            let objects = await station.run(command, arguments)
            #expect(!objects.isEmpty, "\(command)")
            for object in objects { try page.check(object, of: command, seen: &seen) }
        }
        #expect(seen.contains("`history export` 1.sets"))
        let camera = try station.output(of: "camerasim", ["list", "--json"])
        try page.check(JSONValue(parsing: Array(camera.utf8)), of: "camerasim list", seen: &seen)
        #expect(try page.documented(for: "camerasim list").isSubset(of: seen))
    }

    @Test func `plans with the learned timing`() async throws {
        let station = try JSONStation()
        let plan = ["--shadow", "1/30", "--highlight", "1/500", "--frames", "9"]
        #expect(await station.run("connect", [station.camera]).first?["error"] == nil)
        let first = try #require(await station.run("shoot", plan + ["--yes"]).last)
        #expect(first["outcome"] == "completed")
        let planned = try #require(await station.run("plan", plan).first)
        let shot = try #require(await station.run("shoot", plan + ["--yes"]).first)
        #expect(planned["estimateBasis"]?.stringValue?.contains("measured on 9 frames") == true)
        #expect(planned.with("kind", "plan") == shot)
    }
}

/// A simulated camera and a daemon, as processes in their own directory.
private final class JSONStation {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString.prefix(8))")
    private var running: [Process] = []
    private(set) var camera = ""

    private var socket: String { folder.appending(path: "socket").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let listening = try start("camerasim", ["sony", "--listen", "127.0.0.1:0"], until: "listening on ")
        camera = String(listening.split(separator: "listening on ").last?.prefix { !$0.isWhitespace } ?? "")
        let configuration = """
            [socket]
            path = "\(socket)"
            [storage]
            directory = "\(folder.appending(path: "state").path)"
            [camera]
            address = "\(camera)"
            """
        let file = folder.appending(path: "bracketd.toml")
        try Data(configuration.utf8).write(to: file)
        _ = try start("bracketd", ["--config", file.path], until: "listens on")
    }

    deinit {
        for process in running {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The client's output, as objects.
    func run(_ command: String, _ arguments: [String]) async -> [JSONValue] {
        let bench = Bench()
        let words = command.split(separator: " ").map(String.init) + arguments + ["--json"]
        _ = await Bracketctl.run(words, in: bench.environment(socket: socket))
        return bench.objects
    }

    func output(of program: String, _ arguments: [String]) throws -> String {
        let (process, pipe) = (process(program, arguments), Pipe())
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private func start(_ program: String, _ arguments: [String], until text: String) throws -> String {
        let (process, pipe) = (process(program, arguments), Pipe())
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        running.append(process)
        var read = ""
        while !read.contains(text) || !read.hasSuffix("\n") {
            let more = pipe.fileHandleForReading.availableData
            try #require(!more.isEmpty, "\(program) ended: \(read)")
            read += String(decoding: more, as: UTF8.self)
        }
        // The output is read and discarded, so that it does not fill the pipe.
        pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        return read
    }

    private func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        return process
    }
}
