import ArgumentParser
import Controller
import Exposure
import Foundation
import Testing
import Varlink

@testable import bracketctl

/// Compares docs/json.md with the output of the programs.
@Suite struct JSONPageTests {
    /// The commands that print JSON, with arguments that together print every member of every object.
    private static let runs: [(command: String, arguments: [[String]])] = [
        ("plan", [[], ["--compare"]]),
        ("meter", []),
        ("preflight", [[]]),
        ("shoot", [["--yes"]]),
        ("retry", [[]]),
        ("extend", [["--speed", "1/2000"]]),
        ("arm", [[]]), ("pause", [[]]), ("redo", [[]]), ("resume", [[]]), ("cancel", [[]]), ("dismiss", [[]]),
        ("disconnect", [[]]),
        ("status", [[]]),
        ("watch", [[], ["--progress"]]),
        ("history", [[]]),
        ("history show", [["7"]]),
        ("history export", [["7"], ["7", "--output", "/dev/null/none"]]),
        ("cameras", [[], ["--watch"]]),
        ("connect", [["--last"]]),
        ("camera", [[]]),
        ("get", [[], ["text"]]),
        ("set", [["iso", "100"]]),
        ("photos", [[], ["--follow"]]),
        ("snapshot", [["/dev/null"]]),
        ("files", [[]]),
        ("files get", [["text"], ["--selected"]]),
        ("charts", [[], ["network"]]),
        ("doctor", [[]]),
        ("sort", []),
        ("replay", []),
        ("bundle", []),
    ]

    @Test func `has a section for every command`() throws {
        func names(_ command: any ParsableCommand.Type, _ path: [String]) -> [String] {
            command.configuration.subcommands.flatMap { command in
                let path = path + [command._commandName]
                return [path.joined(separator: " ")] + names(command, path)
            }
        }
        #expect(try Set(JSONPage().commands.keys) == Set(names(Bracketctl.self, []) + ["camerasim list"]))
        #expect(Self.runs.map(\.command).sorted() == names(Bracketctl.self, []).sorted())
    }

    /// The output of `sort` and `meter` depends on pictures, so their own tests compare it with the page.
    @Test(arguments: runs.map(\.command).filter { !["sort", "meter"].contains($0) })
    func `has every member that a command prints, and no others`(command: String) async throws {
        let page = try JSONPage()
        var seen: Set<String> = []
        for object in try await Self.printed(by: command) { try page.check(object, of: command, seen: &seen) }
        #expect(try page.documented(for: command).subtracting(seen).sorted() == [])
    }

    /// The output of a command with a daemon that sends every member of the interface.
    private static func printed(by command: String) async throws -> [JSONValue] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var arguments = runs.first { $0.command == command }?.arguments ?? []
        if command == "photos" { arguments.append(["--coverage", "--folder", try coverage(in: folder)]) }
        if command == "replay" { arguments = try recordings(in: folder) }
        if command == "bundle" { arguments = [["--output", folder.appending(path: "b.tar.gz").path]] }
        if command == "history export" { arguments.append(["7", "--output", folder.appending(path: "7.json").path]) }
        var objects: [JSONValue] = []
        var answers = try InterfaceSample().answers
        answers["Follow"] = try goingOn()
        // The picture of the sample never arrives. Without an answer to GetPhotos, these commands do not wait for it.
        let waiting = ["shoot", "retry", "extend", "resume", "watch", "history export"]
        if waiting.contains(command) { answers["GetPhotos"] = nil }
        if command == "history export" { answers["GetShoot"] = try sharingShoot() }
        try await withDaemon(answers) { daemon in
            for arguments in arguments {
                let bench = Bench()
                let words = command.split(separator: " ").map(String.init) + arguments + ["--json"]
                _ = await Bracketctl.run(words, in: bench.environment(socket: daemon.path))
                objects += bench.objects
            }
        }
        return objects
    }

    /// The folder of a shoot with one frame, in which the window is white.
    private static func coverage(in folder: URL) throws -> String {
        _ = try SceneFixture(in: folder).write("a.jpg", at: .oneSecond)
        let manifest = #"{"frames":[{"set":1,"frame":1,"speed":"1","files":[{"path":"a.jpg"}]}]}"#
        try manifest.write(to: folder.appending(path: "manifest.json"), atomically: true, encoding: .utf8)
        return folder.path
    }

    /// The answers of a running shoot that a client joins and that then ends.
    private static func goingOn() throws -> FakeDaemon.Answer {
        let last = try #require(InterfaceSample().answers["Follow"]?.replies.first?.parameters["progress"])
        let members = try #require(last.objectValue).filter { $0.key != "outcome" }
        return .steps("progress", [.object(members), last])
    }

    /// A shoot of two sets that share a frame, which was fired once.
    private static func sharingShoot() throws -> FakeDaemon.Answer {
        let reply = try #require(InterfaceSample().answers["GetShoot"]?.replies.first?.parameters["shoot"])
        let frame = try #require(reply["frames"]?.arrayValue?.first)
        let frames = [1, 2].map { frame.with("set", .int($0)).with("frame", .int($0)) }
        return .one("shoot", reply.with("frames", .array(frames)))
    }

    /// Two recordings: one whose replay matches, with and without its inputs, and one whose replay differs.
    private static func recordings(in folder: URL) throws -> [[String]] {
        var (same, other) = (RecordedRun(), RecordedRun())
        other.put(.stop, isTrue: false)
        return try [("same", same.end()), ("other", other.end())].flatMap { name, files in
            let file = folder.appending(path: "\(name).rec")
            try Data(files[0]).write(to: file)
            return name == "same" ? [[file.path], [file.path, "--step"]] : [[file.path]]
        }
    }
}

/// Values of the interface with every member, including optional ones.
private struct InterfaceSample {
    private let interface: VarlinkInterface

    init() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Interface/io.bracketd.varlink")
        interface = try VarlinkInterface(parsing: String(contentsOf: sources, encoding: .utf8))
    }

    var answers: [String: FakeDaemon.Answer] {
        interface.methods.mapValues { FakeDaemon.Answer(replies: [VarlinkReply(parameters: value($0.output))]) }
    }

    private func value(_ type: VarlinkType) -> JSONValue {
        switch type {
        case .bool: true
        case .int: 2
        case .float: 1.5
        case .string: "text"
        case .object: [:]
        case .named(let name): interface.types[name].map(value) ?? .null
        case .optional(let type): value(type)
        case .array(let type): [value(type)]
        case .dictionary(let type): ["text": value(type)]
        case .structure(let fields):
            .object(Dictionary(fields.map { ($0.name, value($0.type)) }, uniquingKeysWith: { first, _ in first }))
        case .enumeration(let names): names.first.map { .string($0) } ?? .null
        }
    }
}
