import Foundation
import Testing

/// A simulated camera, the daemon and the client, as real processes on loopback in a temporary directory.
final class Station {
    let directory: URL
    private(set) var daemon: Running?
    private(set) var camera: Running?
    private(set) var cameraPort = 0

    /// A running process and its output so far.
    final class Running {
        let process = Process()
        private let output: URL

        fileprivate init(
            _ program: String,
            _ arguments: [String],
            in namespace: Namespace? = nil,
            output: URL
        ) throws {
            self.output = output
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            let file = try FileHandle(forWritingTo: output)
            let url = Station.url(of: program)
            if let namespace {
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = Namespace.entering(namespace.name, [url.path] + arguments)
            } else {
                process.executableURL = url
                process.arguments = arguments
            }
            process.standardOutput = file
            process.standardError = file
            process.standardInput = FileHandle.nullDevice
            try process.run()
        }

        var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

        func bytes(from offset: Int) -> Data {
            guard let file = try? FileHandle(forReadingFrom: output) else { return Data() }
            try? file.seek(toOffset: UInt64(offset))
            return (try? file.readToEnd()) ?? Data()
        }

        func stop(_ signal: Int32 = SIGTERM) {
            if process.isRunning { kill(process.processIdentifier, signal) }
            process.waitUntilExit()
        }
    }

    /// A program's output and exit status.
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    enum Failure: Error, CustomStringConvertible {
        case never(String, log: String)

        var description: String {
            switch self {
            case .never(let what, let log): "it never came to \(what); the log:\n\(log)"
            }
        }
    }

    /// The directory of the programs under test. It is also the directory of the tests.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init() throws {
        directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "bracketd-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        daemon?.stop(SIGKILL)
        camera?.stop(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    var socket: String { file("socket").path }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    /// Starts a simulated camera.
    ///
    /// - Parameters:
    ///   - port: nil: a free port, or the port of the previous camera.
    ///   - namespace: the camera's network; nil: the network of the test.
    func startCamera(
        _ arguments: [String] = [],
        host: String = "127.0.0.1",
        port: Int? = nil,
        in namespace: Namespace? = nil
    ) throws {
        let log = file("camera-\(UUID().uuidString.prefix(4)).log")
        let card = ["--card", file("card.json").path, "--log", "--picture-size", "small"]
        camera = try Running(
            "camerasim",
            ["sony", "--listen", "\(host):\(port ?? cameraPort)"] + card + arguments,
            in: namespace,
            output: log
        )
        let mark = "listening on \(host):"
        try wait(for: mark, within: 10) {
            self.camera?.text.contains(mark) == true && self.camera?.text.contains("\n") == true
        }
        let line = try #require(camera?.text.components(separatedBy: mark).last?.components(separatedBy: "\n").first)
        cameraPort = try #require(Int(line))
    }

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - camera: the configuration line that says how to find the camera; nil: the camera's address.
    ///   - more: further lines of the configuration.
    ///   - namespace: the daemon's network; nil: the network of the test.
    func startDaemon(
        cameraPort: Int? = nil,
        camera: String? = nil,
        more: String = "",
        in namespace: Namespace? = nil
    ) throws {
        let port = cameraPort ?? self.cameraPort
        let configuration = """
            [socket]
            path = "\(socket)"
            [storage]
            directory = "\(file("state").path)"
            [camera]
            \(camera ?? "address = \"127.0.0.1:\(port)\"")
            \(more)
            """
        try configuration.write(to: file("bracketd.toml"), atomically: true, encoding: .utf8)
        daemon = try Running(
            "bracketd",
            ["--config", file("bracketd.toml").path],
            in: namespace,
            output: file("daemon.log")
        )
        try wait(for: "the socket", within: 20) { self.daemon?.text.contains("listens on") == true }
    }

    /// Waits until a chart is in a state, according to `bracketctl status --json`.
    func waitFor(_ chart: String, _ state: String, within seconds: Double = 20) throws {
        try wait(for: "\(chart) \(state)", within: seconds) { self.state(of: chart) == state }
    }

    func state(of chart: String) -> String? {
        struct Status: Decodable {
            struct Chart: Decodable {
                var name: String
                var state: String
            }
            var charts: [Chart]
        }
        let text = ctl("status", "--json").output
        guard let status = try? JSONDecoder().decode(Status.self, from: Data(text.utf8)) else { return nil }
        return status.charts.first { $0.name == chart }?.state
    }

    /// Runs bracketctl until it ends.
    func ctl(_ arguments: String...) -> Result {
        (try? run("bracketctl", ["--socket", socket] + arguments))
            ?? Result(status: -1, output: "", errors: "not started")
    }

    func start(_ program: String, _ arguments: [String]) throws -> Running {
        try Running(program, arguments, output: file("\(UUID().uuidString.prefix(4)).log"))
    }

    /// The path of one of our programs by its name, or of any other program by its path.
    private static func url(of program: String) -> URL {
        program.hasPrefix("/") ? URL(fileURLWithPath: program) : programs.appendingPathComponent(program)
    }

    func run(_ program: String, _ arguments: [String]) throws -> Result {
        let name = UUID().uuidString
        let outputs = (file("\(name).out"), file("\(name).err"))
        _ = FileManager.default.createFile(atPath: outputs.0.path, contents: nil)
        _ = FileManager.default.createFile(atPath: outputs.1.path, contents: nil)
        let process = Process()
        process.executableURL = Self.url(of: program)
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: outputs.0)
        process.standardError = try FileHandle(forWritingTo: outputs.1)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: try String(contentsOf: outputs.0, encoding: .utf8),
            errors: try String(contentsOf: outputs.1, encoding: .utf8)
        )
    }

    /// The labels of the speeds of the pictures on the simulated card, in the order of firing.
    func card() throws -> [String] {
        struct Frame: Decodable { var speed: String }
        let text = (try? String(contentsOf: file("card.json"), encoding: .utf8)) ?? ""
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Frame.self, from: Data($0.utf8)).speed }
    }

    /// Polls until a condition holds, with a deadline.
    func wait(for what: String, within seconds: Double, _ condition: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !condition() {
            guard Date() < deadline else {
                throw Failure.never(what, log: (daemon?.text ?? "") + "\ncamera:\n" + (camera?.text ?? ""))
            }
            // The loop waits, because polling takes processor time from the programs under test.
            usleep(3000)
        }
    }
}
