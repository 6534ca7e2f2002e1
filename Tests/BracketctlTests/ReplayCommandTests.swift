import Cameras
import Controller
import Flight
import Foundation
import NIOCore
import Testing
import Varlink

@testable import bracketctl

struct RecordedRun {
    private var core: Core
    private var writer: FlightWriter
    private var now = Duration.milliseconds(250)
    private(set) var files: [[UInt8]] = []
    private(set) var count = 0

    init(version: String = Version.current) {
        let identity = InitiatorIdentity(guid: Array(repeating: 0, count: 16), name: "bracketctl")
        let configuration = CoreConfiguration(cameraAddress: nil, identity: identity)
        core = Core(configuration: configuration)
        writer = FlightWriter(
            FlightHeader(
                version: version,
                configuration: configuration,
                charts: Core.chartDigests,
                began: 1_700_000_000_000,
                clock: now
            )
        )
        put(.started)
    }

    /// - Parameter isTrue: whether the real effects of the input are recorded.
    mutating func put(_ input: Input, isTrue: Bool = true) {
        now += .milliseconds(1250)
        var queue = [input]
        while !queue.isEmpty {
            let input = queue.removeFirst()
            var effects = Effects()
            core.handle(input, at: now, into: &effects)
            writer.note(input, at: now, isTrue ? effects.list : [])
            count += 1
            for effect in effects.list { if case .enqueue(let message) = effect { queue.append(.message(message)) } }
        }
    }

    mutating func beginPart() {
        files.append(Array(writer.takeBytes().readableBytesView))
        writer.beginPart()
    }

    mutating func end() -> [[UInt8]] {
        put(.request(RequestID(rawValue: 1), .getStatus))
        put(.stop)
        beginPart()
        return files
    }
}

/// Writes files to a temporary directory that exists while `body` runs.
private func withFolder(_ files: [[UInt8]], _ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (part, bytes) in files.enumerated() {
        try Data(bytes).write(to: folder.appendingPathComponent("flight-000042-000\(part).rec"))
    }
    try await body(folder.path)
}

@Suite struct `bracketctl replay` {
    @Test func `shows the transitions of a recording, and that the replay matches`() async throws {
        var run = RecordedRun()
        let files = run.end()
        try await withFolder(files) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", "\(folder)/flight-000042-0000.rec") == .allDone)
            #expect(bench.lines.first == "A run of bracketd 0.1.0, started at 2023-11-15 00:13:20.")
            #expect(bench.lines.dropFirst().first?.hasPrefix("      1.250  ") == true, "\(bench.output)")
            #expect(bench.lines.contains { $0.contains("  connection: ") && $0.contains(" → ") })
            let transitions = bench.lines.count - 2
            #expect(transitions > 3)
            #expect(bench.lines.last == "\(run.count) inputs, \(transitions) transitions: replayed identically.")
            #expect(bench.errors.isEmpty)

            let json = Bench()
            #expect(await json.run("replay", "--json", "\(folder)/flight-000042-0000.rec") == .allDone)
            #expect(json.objects.count == bench.lines.count)
            #expect(json.objects.first?["version"] == "0.1.0")
            #expect(json.objects[1]["milliseconds"] == 1250)
            #expect(json.objects[1]["chart"]?.stringValue != nil)
            #expect(json.objects.last?["identical"] == true)
            #expect(json.objects.last?["inputs"] == .int(run.count))
        }
    }

    @Test func `shows every input and its effects, one at a time on a terminal`() async throws {
        var run = RecordedRun()
        try await withFolder(run.end()) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", "--step", folder) == .allDone)
            #expect(bench.lines.count == run.count + 2)
            #expect(bench.lines[1].hasPrefix("      1.250  1  the daemon starts ⇒ "))
            #expect(bench.output.contains("request 1: GetStatus ⇒ answers request 1"))
            let asked = Bench()
            #expect(await asked.run("replay", "--step", folder, answer: "") == .allDone)
            #expect(asked.output == bench.output)
            let json = Bench()
            #expect(await json.run("replay", "--step", "--json", folder) == .allDone)
            #expect(json.objects[1]["input"] == "the daemon starts")
            #expect(json.objects.count == run.count + 2)
        }
    }

    @Test func `stops at a time or a record`() async throws {
        var run = RecordedRun()
        run.put(.deadline)
        try await withFolder(run.end()) { folder in
            let record = Bench()
            #expect(await record.run("replay", "--until", "1", folder) == .allDone)
            #expect(record.lines.last?.hasPrefix("1 input, ") == true)
            #expect(record.lines.last?.hasSuffix(": replayed identically up to here.") == true)
            let time = Bench()
            #expect(await time.run("replay", "--step", "--until", "2.5s", folder) == .allDone)
            #expect(time.lines.last?.hasSuffix("up to here.") == true)
            #expect(time.output.contains("2.500"))
            #expect(!time.output.contains("3.750"))
            for wrong in ["0", "-1s", "soon", "infs"] {
                let bench = Bench()
                #expect(await bench.run("replay", "--until=\(wrong)", folder) == .usage)
            }
        }
    }

    @Test func `names the first difference`() async throws {
        var run = RecordedRun()
        run.put(.stop, isTrue: false)
        try await withFolder(run.end()) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .error)
            #expect(bench.lines.last?.hasPrefix("First difference at record ") == true)
            #expect(bench.lines.last?.contains(", 2.500 s: The recording has no transition; the replay has ") == true)
            let json = Bench()
            #expect(await json.run("replay", "--json", folder) == .error)
            #expect(json.objects.last?["identical"] == false)
            #expect(json.objects.last?["recorded"] == [])
        }
    }

    @Test func `replays the files of a run together, and names a missing one`() async throws {
        var run = RecordedRun()
        run.beginPart()
        run.put(.deadline)
        run.beginPart()
        try await withFolder(run.end()) { folder in
            let paths = (0..<3).map { "\(folder)/flight-000042-000\($0).rec" }
            #expect(await Bench().run("replay", paths[0], paths[1], paths[2]) == .allDone)
            #expect(await Bench().run("replay", folder) == .allDone)
            let later = Bench()
            #expect(await later.run("replay", paths[1]) == .error)
            #expect(
                later.errors == "bracketctl: \(paths[1]) is part 1 of its run. A replay needs all parts. "
                    + "Give the files from \(paths[0]) on.\n"
            )
            let gap = Bench()
            #expect(await gap.run("replay", paths[0], paths[2]) == .error)
            #expect(gap.errors.contains("is part 2 of its run. Give \(paths[1]) before this file."))
            let json = Bench()
            #expect(await json.run("replay", "--json", paths[1]) == .error)
            #expect(json.objects.last?["error"] == "IncompleteRecording")
            // The directory also has a file of an older run.
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/flight-000041-0000.rec"))
            #expect(await Bench().run("replay", folder) == .allDone)
        }
    }

    @Test func `reports a torn file, a damaged one, and one that is not a recording`() async throws {
        var run = RecordedRun()
        let whole = run.end()[0]
        try await withFolder([whole.dropLast(5)].map { Array($0) }) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .allDone)
            #expect(bench.errors.contains("is incomplete: its last "))
            #expect(await bench.run("replay", folder, "--json") == .allDone)
            #expect(bench.lines.last?.contains("\"isWhole\":false") == true)
        }
        var damaged = whole
        damaged[damaged.count - 5] ^= 1
        damaged += [UInt8](repeating: 7, count: 100)
        try await withFolder([damaged]) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .error)
            #expect(bench.errors.contains("The recording is damaged at byte "))
        }
        try await withFolder([Array("hello".utf8)]) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .error)
            #expect(bench.errors.hasSuffix(": This is not a recording of bracketd.\n"))
        }
        try await withFolder([]) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .error)
            #expect(bench.errors == "bracketctl: There is no recording in \(folder).\n")
            let missing = Bench()
            #expect(await missing.run("replay", "\(folder)/none.rec") == .error)
            #expect(missing.errors.contains("none.rec cannot be read: No such file or directory."))
        }
        #expect(await Bench().run("replay") == .usage)
        #expect(await Bench().run("replay", "") == .usage)
    }

    @Test func `warns about another version, but still replays`() async throws {
        var run = RecordedRun(version: "0.0.9")
        try await withFolder(run.end()) { folder in
            let bench = Bench()
            #expect(await bench.run("replay", folder) == .allDone)
            #expect(bench.errors.contains("recorded by bracketd 0.0.9"))
        }
    }
}
