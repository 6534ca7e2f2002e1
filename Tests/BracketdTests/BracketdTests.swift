import Foundation
import Testing
import Varlink

/// Tests the daemon as a program: arguments, exit codes, signals, the service manager.
final class BracketdTests {
    private let directory: String

    init() throws {
        directory = try FileManager.default.url(
            for: .itemReplacementDirectory,
            in: .userDomainMask,
            appropriateFor: URL(fileURLWithPath: "/tmp"),
            create: true
        ).path
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private var socketPath: String { "\(directory)/run/io.bracketd" }

    private func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
        return "\(directory)/\(name)"
    }

    private func configuration(storage: String = "state") throws -> String {
        try write(
            """
            [socket]
            path = "\(socketPath)"
            [storage]
            directory = "\(directory)/\(storage)"
            [camera]
            search = []
            """,
            to: "\(storage).toml"
        )
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
        let program = try Program(arguments, in: directory, environment: environment)
        _ = program.wait()
        return program
    }

    /// Starts a daemon. Returns it with its notifications up to READY.
    private func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        socket: CInt? = nil
    ) throws -> (Program, NotifySocket) {
        unlink("\(directory)/notify")
        let manager = try NotifySocket(path: "\(directory)/notify")
        let environment = environment.merging(["NOTIFY_SOCKET": manager.path]) { own, _ in own }
        let program = try Program(arguments, in: directory, environment: environment, socket: socket)
        try manager.wait(for: "READY=1")
        return (program, manager)
    }

    // MARK: Arguments and configuration

    @Test func `invalid arguments are reported with code 64`() throws {
        for arguments in [["--cofnig"], ["extra"], ["--config"], ["--socket", ""], ["--config", ""]] {
            let program = try Program(arguments, in: directory)
            #expect(program.wait() == 64)
            #expect(program.errors.contains("Usage: bracketd"), "\(arguments)")
            #expect(program.output == "")
        }
    }

    @Test func `help and version go to standard output with code 0`() throws {
        let help = try run("--help")
        #expect(help.wait() == 0)
        #expect(help.output.contains("--config <file>"))
        let version = try run("--version")
        #expect(version.wait() == 0)
        #expect(version.output.split(separator: ".").count == 3)
    }

    @Test func `check prints the resulting configuration, and changes nothing`() throws {
        let file = try write("[camera]\naddress = \"cam\"", to: "c.toml")
        let arguments = ["--config", file, "--socket", "/tmp/s", "--check"]
        let program = try Program(arguments, in: directory, environment: ["STATE_DIRECTORY": "\(directory)/made"])
        #expect(program.wait() == 0)
        #expect(
            program.output == """
                [socket]
                path = "/tmp/s"

                [storage]
                directory = "\(directory)/made"

                [camera]
                address = "cam:15740"
                search = []
                # no interface: the daemon searches on every interface
                scan-max = 254

                [transfer]
                policy = "none"
                directory = "\(directory)/made/pictures"
                suspects = "keep"

                [ledger]
                mode = "required"

                [preflight]
                skip = []

                [recovery]
                resume = "by-command"

                [flight]
                files = 8
                size = "16 MB"

                [button]
                # no line: not used
                active-low = true
                bias = "pull-up"
                debounce = "5 ms"
                min-press = "30 ms"
                hold = "2 s"
                settle = "0 ms"
                lockout = "300 ms"
                while-shooting = "pause"

                [lamp]
                # no line: not used
                active-low = false
                exposing = false

                [buzzer]
                # no line: not used
                active-low = false

                [plan]
                shadow = "1/4"
                highlight = "1/1000"
                frames = 5
                spacing = 1
                bias = "0"
                share = "twice"
                strict = false

                """
        )
        #expect(!FileManager.default.fileExists(atPath: "\(directory)/made"))
    }

    @Test func `an invalid configuration is reported line by line with code 1`() throws {
        let file = try write("[camera]\naddress = 5\n[sokcet]\n", to: "c.toml")
        for arguments in [["--config", file, "--check"], ["--config", file]] {
            let program = try Program(arguments, in: directory)
            #expect(program.wait() == 1)
            #expect(
                program.errors == """
                    bracketd: \(file):2: camera.address: expected a string, found an integer
                    bracketd: \(file):3: sokcet: unknown section; the sections are [socket], [storage], [camera], \
                    [transfer], [ledger], [preflight], [recovery], [flight], [button], [lamp], [buzzer], [plan]

                    """
            )
            #expect(program.output == "")
        }
        let missing = try run("--config", "\(directory)/none.toml")
        #expect(missing.wait() == 1)
        let reason = "the file cannot be read: No such file or directory"
        #expect(missing.errors == "bracketd: \(directory)/none.toml: \(reason)\n")
    }

    @Test func `an impossible storage directory is reported with code 1`() throws {
        _ = try write("", to: "file")
        let file = try write(
            "storage.directory = \"\(directory)/file/x\"\nsocket.path=\"\(socketPath)\"\ncamera.search = []",
            to: "c.toml"
        )
        let refused = try run("--config", file)
        #expect(refused.wait() == 1)
        let reason = "cannot create the storage directory \(directory)/file/x: Not a directory"
        #expect(refused.errors.hasSuffix("bracketd: \(reason)\n"))
    }

    // MARK: Running

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal stops the daemon in order`(signal: CInt) async throws {
        let (program, manager) = try start(["--config", try configuration()])
        let client = try await VarlinkClient.connect(path: socketPath)
        let status = try await client.call("io.bracketd.GetStatus")
        #expect(status["status"]?["sentence"]?.stringValue?.isEmpty == false)
        // A second stop signal, or a signal to reload, changes nothing.
        program.send(SIGHUP)
        program.send(signal)
        program.send(signal)
        try manager.wait(for: "STOPPING=1")
        #expect(program.wait() == 0)
        #expect(manager.told.contains { $0.hasPrefix("STATUS=") })
        #expect(program.errors.contains("listens on \(socketPath), and does not search for a camera."))
        #expect(!FileManager.default.fileExists(atPath: socketPath))
    }

    @Test func `the watchdog is notified`() throws {
        let (program, manager) = try start(["--config", try configuration()], environment: ["WATCHDOG_USEC": "40000"])
        for _ in 0..<3 { try manager.wait(for: "WATCHDOG=1") }
        program.send(SIGTERM)
        #expect(program.wait() == 0)
    }

    @Test func `SIGHUP reloads the configuration, and the journal names what needs a restart`() throws {
        let file = try configuration()
        let (program, manager) = try start(["--config", file])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data((text + "\n[flight]\nfiles = 3\n[recovery]\nresume = \"by-itself\"\n").utf8)
            .write(to: URL(fileURLWithPath: file))
        program.send(SIGHUP)
        try manager.wait(for: "RELOADING=1\nMONOTONIC_USEC=")
        try manager.wait(for: "READY=1")
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        let wanted =
            "The configuration was read again. "
            + "These keys take effect at the next start of bracketd: [flight] files, size."
        #expect(program.errors.contains(wanted))
    }

    @Test func `a configuration that became invalid changes nothing, and is reported`() throws {
        let file = try configuration()
        let (program, manager) = try start(["--config", file])
        try Data("[camera]\naddress = 5\n".utf8).write(to: URL(fileURLWithPath: file))
        program.send(SIGHUP)
        try manager.wait(for: "READY=1")
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        #expect(program.errors.contains("The configuration did not change: "))
        #expect(program.errors.contains(":2: camera.address: expected a string"))
    }

    @Test func `an armed plan survives the daemon, and a damaged one is reported`() async throws {
        let file = try configuration()
        let (first, _) = try start(["--config", file])
        let client = try await VarlinkClient.connect(path: socketPath)
        _ = try await client.call("io.bracketd.Arm", ["plan": ["shadow": "1/15", "highlight": "1/250", "frames": 3]])
        first.send(SIGKILL)
        #expect(first.wait() == -SIGKILL)
        let kept = "\(directory)/state/armed-plan.json"
        let text = try String(contentsOfFile: kept, encoding: .utf8)
        #expect(text.contains("1/15") && text.contains("1/250"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: kept))
        let (second, _) = try start(["--config", file])
        second.send(SIGTERM)
        #expect(second.wait() == 0)
        #expect(second.errors.contains("armed-plan.json is damaged. The button fires the plan of the configuration"))
    }

    @Test func `a daemon that was killed is followed by one with its socket and its GUID`() async throws {
        let file = try configuration()
        let (first, _) = try start(["--config", file])
        let guid = try String(contentsOfFile: "\(directory)/state/initiator-guid", encoding: .utf8)
        first.send(SIGKILL)
        #expect(first.wait() == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socketPath))
        let (second, _) = try start(["--config", file])
        let client = try await VarlinkClient.connect(path: socketPath)
        _ = try await client.call("io.bracketd.GetStatus")
        #expect(try String(contentsOfFile: "\(directory)/state/initiator-guid", encoding: .utf8) == guid)
        second.send(SIGTERM)
        #expect(second.wait() == 0)
    }

    @Test func `a second daemon is refused with code 1 and the first continues`() async throws {
        let (first, _) = try start(["--config", try configuration()])
        let other = directory + "/second"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let second = try Program(["--config", try configuration(storage: "other")], in: other)
        #expect(second.wait() == 1)
        #expect(second.errors == "bracketd: another bracketd already listens on \(socketPath)\n")
        let client = try await VarlinkClient.connect(path: socketPath)
        _ = try await client.call("io.bracketd.GetStatus")
        first.send(SIGTERM)
        #expect(first.wait() == 0)
    }

    @Test func `a second daemon with the same storage directory is refused, whatever its socket`() throws {
        let file = try configuration()
        let (first, _) = try start(["--config", file])
        // Each process runs in its own directory, because it may write files there.
        let other = directory + "/second"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let second = try Program(["--config", file, "--socket", "\(directory)/run/second"], in: other)
        #expect(second.wait() == 1)
        #expect(
            second.errors == """
                bracketd: cannot use the storage directory \(directory)/state: another bracketd \
                (process \(first.process)) uses it; stop that process, or set another directory under [storage]

                """
        )
        first.send(SIGKILL)
        #expect(first.wait() == -SIGKILL)
        // The kernel released the lock when the process ended.
        let (third, _) = try start(["--config", file, "--socket", "\(directory)/run/second"])
        third.send(SIGTERM)
        #expect(third.wait() == 0)
    }

    @Test(arguments: ["initiator-guid", ".initiator-guid.new", "armed-plan.json", "ledger.sqlite-wal", "ledger.sqlite"])
    func `a FIFO at the name of a state file blocks nothing`(name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(directory)/state", withIntermediateDirectories: true)
        #expect(mkfifo("\(directory)/state/\(name)", 0o600) == 0)
        let (program, _) = try start(["--config", try configuration()])
        program.send(SIGTERM)
        #expect(program.wait() == 0)
    }

    @Test func `a ledger that was moved aside is restored by one command, and not under a running daemon`() throws {
        let file = try configuration()
        let (first, _) = try start(["--config", file])
        first.send(SIGTERM)
        #expect(first.wait() == 0)
        let ledger = "\(directory)/state/ledger.sqlite"
        let aside = "\(directory)/state/ledger-damaged-20261122-103000.sqlite"
        try FileManager.default.moveItem(atPath: ledger, toPath: aside)
        let (second, _) = try start(["--config", file])
        let refused = try run("--restore-ledger", aside)
        #expect(refused.wait() == 1)
        #expect(refused.errors.contains("another bracketd (process \(second.process)) uses it"))
        second.send(SIGTERM)
        #expect(second.wait() == 0)
        let restored = try run("--restore-ledger", aside)
        #expect(restored.wait() == 0)
        #expect(
            restored.output.hasPrefix("\(aside) is restored as the ledger. The replaced ledger is kept as ledger-repl")
        )
        #expect(!FileManager.default.fileExists(atPath: aside))
        #expect(try run("--restore-ledger", aside).wait() == 1)
    }

    @Test func `reports its own faults, in the order in which a user would fix them`() async throws {
        let (program, _) = try start(
            ["--config", try configuration()],
            environment: ["WATCHDOG_USEC": "600000000"]
        )
        let client = try await VarlinkClient.connect(path: socketPath)
        let checks = try #require(try await client.call("io.bracketd.Inspect")["checks"]?.arrayValue)
        let results = checks.map { "\($0["name"]?.stringValue ?? "") \($0["result"]?.stringValue ?? "")" }
        #expect(
            results.map { $0.split(separator: " ")[0] } == [
                "journal", "watchdog", "clock", "storage", "pictures", "ledger", "network", "camera",
            ]
        )
        #expect(results[1] == "watchdog pass")
        #expect(results[4] == "pictures skipped")
        #expect(results[7] == "camera fail")
        program.send(SIGTERM)
        #expect(program.wait() == 0)
    }

    @Test func `a socket that the service manager passes is served and not removed`() async throws {
        let path = "\(directory)/passed"
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(withUnixAddress(path) { bind(descriptor, $0, $1) } == 0)
        #expect(listen(descriptor, 8) == 0)
        let (program, _) = try start(["--config", try configuration()], socket: descriptor)
        let client = try await VarlinkClient.connect(path: path)
        _ = try await client.call("io.bracketd.GetStatus")
        #expect(!FileManager.default.fileExists(atPath: socketPath))
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `a camera that refuses the connection is reported, and the daemon still stops in order`() async throws {
        // The reserved port 1 has no listener (RFC 6335, tcpmux).
        let file = try write(
            """
            socket.path = "\(socketPath)"
            storage.directory = "\(directory)/state"
            camera.address = "127.0.0.1:1"
            """,
            to: "c.toml"
        )
        let (program, manager) = try start(["--config", file])
        let client = try await VarlinkClient.connect(path: socketPath)
        let error = await #expect(throws: VarlinkError.self) { try await client.call("io.bracketd.GetCamera") }
        #expect(error?.name == "io.bracketd.NotConnected")
        program.send(SIGTERM)
        try manager.wait(for: "STOPPING=1")
        #expect(program.wait() == 0)
    }
}
