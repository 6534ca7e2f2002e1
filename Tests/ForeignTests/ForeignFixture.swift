import Foundation
import Testing

/// A temporary directory with a simulated camera, and foreign programs that use the camera. Each program is a separate
/// process. The fixture stops processes that still run at the end.
final class ForeignFixture {
    let directory: URL
    private(set) var cameraPort: UInt16 = 0
    private var running: [Process] = []

    /// A program's output and exit status.
    struct Result: CustomStringConvertible {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
        var description: String { "status \(status)\n\(output)\n\(errors)" }
    }

    enum Failure: Error, CustomStringConvertible {
        case tookTooLong(String, said: String)
        case never(String, said: String)

        var description: String {
            switch self {
            case .tookTooLong(let command, let said): "'\(command)' took too long and was ended; it said:\n\(said)"
            case .never(let what, let said): "it never came to \(what):\n\(said)"
            }
        }
    }

    /// The directory of the programs under test. It is also the directory of the tests.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    init() throws {
        directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "bracketd-foreign-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        for process in running where process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: directory)
    }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    func text(of name: String) -> String { (try? String(contentsOf: file(name), encoding: .utf8)) ?? "" }

    // MARK: Programs

    /// Runs a program in this directory until the program ends. A program of this project is given by its name, any
    /// other by its path.
    func run(_ program: String, _ arguments: [String], within seconds: Double = 30) throws -> Result {
        let mark = UUID().uuidString.prefix(8)
        let (output, errors) = ("\(mark).out", "\(mark).err")
        let ended = DispatchSemaphore(value: 0)
        let process = try start(program, arguments, output: output, errors: errors) { ended.signal() }
        guard ended.wait(timeout: .now() + seconds) == .success else {
            kill(process.processIdentifier, SIGKILL)
            let said = text(of: output) + text(of: errors)
            throw Failure.tookTooLong(([program] + arguments).joined(separator: " "), said: said)
        }
        return Result(status: process.terminationStatus, output: text(of: output), errors: text(of: errors))
    }

    @discardableResult
    func start(
        _ program: String,
        _ arguments: [String],
        output: String,
        errors: String,
        whenEnded: (@Sendable () -> Void)? = nil
    ) throws -> Process {
        for name in [output, errors] { _ = FileManager.default.createFile(atPath: file(name).path, contents: nil) }
        let process = Process()
        process.executableURL =
            program.hasPrefix("/") ? URL(fileURLWithPath: program) : Self.programs.appendingPathComponent(program)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        // gphoto2 keeps its GUID in the home directory and uses the language of its user.
        process.environment = ProcessInfo.processInfo.environment.merging(["HOME": directory.path, "LC_ALL": "C"]) {
            $1
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file(output))
        process.standardError = try FileHandle(forWritingTo: file(errors))
        if let whenEnded { process.terminationHandler = { _ in whenEnded() } }
        try process.run()
        running.append(process)
        return process
    }

    /// Polls until a condition holds, with a deadline.
    func wait(for what: String, within seconds: Double = 20, _ condition: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !condition() {
            guard Date() < deadline else {
                throw Failure.never(what, said: text(of: "camera.log") + text(of: "daemon.log"))
            }
        }
    }

    // MARK: The camera and the daemon

    func startCamera(_ model: String, maker: String = "sony", _ arguments: [String] = []) throws {
        let fixed =
            [maker, "--model", model, "--listen", "127.0.0.1:0", "--log", "--card", file("card.json").path]
            + ["--picture-size", "small"]
        try start("camerasim", fixed + arguments, output: "camera.out", errors: "camera.log")
        let mark = "listening on 127.0.0.1:"
        try wait(for: mark) { text(of: "camera.out").hasPrefix(mark) && text(of: "camera.out").hasSuffix("\n") }
        let line = try #require(text(of: "camera.out").split(separator: "\n").first)
        cameraPort = try #require(UInt16(line.dropFirst(mark.count)))
    }

    func startDaemon(cameraAt port: UInt16) throws {
        let configuration = """
            [socket]
            path = "\(file("socket").path)"
            [storage]
            directory = "\(file("state").path)"
            [camera]
            address = "127.0.0.1:\(port)"
            """
        try configuration.write(to: file("bracketd.toml"), atomically: true, encoding: .utf8)
        daemon = try start(
            "bracketd",
            ["--config", file("bracketd.toml").path],
            output: "daemon.out",
            errors: "daemon.log"
        )
        try wait(for: "a connected camera") { (try? client(["status"]).output.contains("connected")) ?? false }
    }

    /// Stops the daemon with SIGTERM, so that it closes the session.
    func stopDaemon() {
        guard let daemon, daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGTERM)
        daemon.waitUntilExit()
    }

    private var daemon: Process?

    func client(_ arguments: [String]) throws -> Result {
        try run("bracketctl", ["--socket", file("socket").path] + arguments, within: 60)
    }

    /// The labels of the speeds of the pictures on the card, in the order of firing.
    func card() throws -> [String] {
        struct Frame: Decodable { var speed: String }
        return try text(of: "card.json").split(separator: "\n").map {
            try JSONDecoder().decode(Frame.self, from: Data($0.utf8)).speed
        }
    }
}
