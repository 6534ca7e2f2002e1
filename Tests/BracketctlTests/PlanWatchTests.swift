import Foundation
import Synchronization
import Testing
import Varlink

@testable import bracketctl

/// A directory with the file of a plan, and a running watch of the file.
private final class WatchedPlan {
    let folder = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID().uuidString.prefix(8))")
    let bench = Bench()
    private var task: Task<ProcessExit, Never>?

    init(_ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(text, to: "window.plan")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.appending(path: "window.plan").path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func start(_ arguments: String...) {
        let environment = bench.environment(socket: "/nonexistent/socket")
        let arguments = ["plan", "--watch", path] + arguments
        task = Task { await Bracketctl.run(arguments, in: environment) }
    }

    /// Waits for the next output of the watch. The time limit of the suite ends the wait.
    func wait(_ isThere: () -> Bool) async { while !isThere(), !Task.isCancelled { await Task.yield() } }

    /// Removes the directory, which makes the watch end.
    func end() async throws -> ProcessExit? {
        try FileManager.default.removeItem(at: folder)
        return await task?.value
    }
}

@Suite(.timeLimit(.minutes(1))) struct `bracketctl plan --watch` {
    @Test func `plans again when the file is written, or replaced as editors do`() async throws {
        let watched = try WatchedPlan("# a window\n\n--shadow 1/30\n  --highlight  1/250\n")
        watched.start("--json")
        await watched.wait { watched.bench.objects.count == 1 }
        try watched.write("--frames 3\n", to: "window.plan")
        await watched.wait { watched.bench.objects.count == 2 }
        try watched.write("--frames 7\n--spacing 2\n", to: "window.plan.new")
        #expect(rename(watched.path + ".new", watched.path) == 0)
        await watched.wait { watched.bench.objects.count == 3 }
        #expect(watched.bench.objects.map { $0["framesPerSet"] } == [5, 3, 7])
        #expect(watched.bench.objects.map { $0["rangeEV"] } == [3.0, 8.0, 8.0])
        #expect(watched.bench.errors.isEmpty)
        #expect(try await watched.end() == .error)
        let end = "bracketctl: The folder of \(watched.path) no longer exists, so the watch ends.\n"
        #expect(watched.bench.errors.hasSuffix(end))
    }

    @Test func `reports an invalid line, and continues`() async throws {
        let watched = try WatchedPlan("--frames 5\n--frames 4\n")
        watched.start()
        await watched.wait { watched.bench.errors.hasSuffix("\n") }
        #expect(
            watched.bench.errors == "bracketctl: \(watched.path), line 2: --frames: A set cannot have 4 frames. Choose "
                + "3, 5, 7 or 9.\n"
        )
        try FileManager.default.removeItem(atPath: watched.path)
        await watched.wait { watched.bench.errors.hasSuffix("cannot be read: No such file or directory.\n") }
        try watched.write("--shadow 1/30\n--highlight 1/250", to: "window.plan")
        await watched.wait { watched.bench.output.contains("About ") }
        #expect(watched.bench.lines.contains("1/250 to 1/30: 3 EV, 1 set of 5 frames at 1 EV, 5 exposures"))
        #expect(watched.bench.lines.first == "14:03:07.412  \(watched.path)")
        _ = try await watched.end()
    }

    @Test(arguments: [
        ("shadow 1/4", "2 unexpected arguments: 'shadow', '1/4'."), ("--nonsense", "Unknown option '--nonsense'."),
        ("--shadow", "Missing value for '--shadow <speed>'."), ("--help", "--help is not an option of a plan."),
        ("--bias 1/2", "--bias: A bias of '1/2' is not in thirds of a stop. Write +1/3, -2/3 or +1."),
    ])
    func `names the fault of a line`(line: String, sentence: String) {
        let error = #expect(throws: Failure.self) { try PlanFile(path: "p").options(.text("\n\(line)\n")) }
        #expect(error?.sentence == "p, line 2: \(sentence)")
    }

    @Test func `follows a symbolic link to the file in another folder`() async throws {
        let (watched, other) = (try WatchedPlan("--frames 3"), try WatchedPlan("--frames 7"))
        try FileManager.default.removeItem(atPath: watched.path)
        try FileManager.default.createSymbolicLink(atPath: watched.path, withDestinationPath: other.path)
        watched.start("--json")
        await watched.wait { watched.bench.objects.count == 1 }
        try other.write("--frames 9", to: "window.plan")
        await watched.wait { watched.bench.objects.count == 2 }
        #expect(watched.bench.objects.map { $0["framesPerSet"] } == [7, 9])
        _ = try await watched.end()
    }

    @Test func `follows a changed symbolic link, and no longer watches the old folder`() async throws {
        let (watched, old, new) = (try WatchedPlan(""), try WatchedPlan("--frames 3"), try WatchedPlan("--frames 5"))
        try FileManager.default.removeItem(atPath: watched.path)
        try FileManager.default.createSymbolicLink(atPath: watched.path, withDestinationPath: old.path)
        watched.start("--json")
        await watched.wait { watched.bench.objects.count == 1 }
        try FileManager.default.createSymbolicLink(atPath: watched.path + ".new", withDestinationPath: new.path)
        #expect(rename(watched.path + ".new", watched.path) == 0)
        await watched.wait { watched.bench.objects.count == 2 }
        try FileManager.default.removeItem(at: old.folder)
        try new.write("--frames 7", to: "window.plan")
        await watched.wait { watched.bench.objects.count == 3 }
        #expect(watched.bench.objects.map { $0["framesPerSet"] } == [3, 5, 7])
        _ = try await watched.end()
    }

    @Test func `plans again when a symbolic link is made in the place of the file`() async throws {
        let (watched, other) = (try WatchedPlan("--frames 3"), try WatchedPlan("--frames 7"))
        watched.start("--json")
        await watched.wait { watched.bench.objects.count == 1 }
        try FileManager.default.removeItem(atPath: watched.path)
        await watched.wait { !watched.bench.errors.isEmpty }
        try FileManager.default.createSymbolicLink(atPath: watched.path, withDestinationPath: other.path)
        await watched.wait { watched.bench.objects.contains { $0["framesPerSet"] == 7 } }
        _ = try await watched.end()
    }

    @Test func `follows a symbolic link to a file that is written later`() async throws {
        let (watched, other) = (try WatchedPlan(""), try WatchedPlan(""))
        try FileManager.default.removeItem(atPath: watched.path)
        let target = other.folder.appending(path: "later.plan").path
        try FileManager.default.createSymbolicLink(atPath: watched.path, withDestinationPath: target)
        watched.start("--json")
        await watched.wait { !watched.bench.errors.isEmpty }
        try other.write("--frames 9", to: "later.plan")
        await watched.wait { watched.bench.objects.contains { $0["framesPerSet"] == 9 } }
        _ = try await watched.end()
    }

    @Test func `takes the plan from the file alone`() async throws {
        let bench = Bench()
        #expect(await bench.run("plan", "--watch", "p", "--frames", "5") == .usage)
        #expect(bench.errors.contains("--watch reads the plan from p. Write the options into that file."))
        let missing = Bench()
        #expect(await missing.run("plan", "--watch", "/nonexistent/p") == .error)
        #expect(missing.errors.contains("The folder of /nonexistent/p cannot be watched: No such file or directory."))
    }
}
