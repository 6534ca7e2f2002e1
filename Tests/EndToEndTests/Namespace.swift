import Foundation
import Synchronization

/// A network namespace with a loopback interface, for processes of the test. The namespace ends with the test.
final class Namespace: Sendable {
    let name: String

    /// The reason for skipping tests that need a namespace, if ``arePossible`` is false.
    static let needs = "Skipped: networks of their own need root, and iproute2 and nftables. Run ./test as root."

    /// Whether this computer permits namespaces and has the necessary programs.
    static let arePossible: Bool = {
        removeLeftovers()
        return (try? Namespace().run("nft", "list", "ruleset")) != nil
    }()

    private static let count = Atomic(0)
    private static let prefix = "bracketd-test-"

    init() throws {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        name = "\(Self.prefix)\(getpid())-\(number)"
        try Self.run(["ip", "netns", "add", name])
        try ip("link set lo up")
    }

    deinit {
        _ = try? Self.run(["ip", "netns", "del", name])
    }

    /// Runs `ip` in the namespace, once with each of these arguments.
    func ip(_ commands: String...) throws {
        for command in commands {
            try Self.run(["ip", "-n", name] + command.split(separator: " ").map(String.init))
        }
    }

    /// Runs a program in the namespace until the program ends.
    func run(_ command: String...) throws { try Self.run(Self.entering(name, command)) }

    /// The command that starts a program in the namespace. The started process becomes that program.
    static func entering(_ name: String, _ command: [String]) -> [String] {
        ["ip", "netns", "exec", name] + command
    }

    /// Connects the namespace to another one by a cable. Both ends are up.
    func connect(_ end: String, to other: Namespace, _ otherEnd: String) throws {
        try ip("link add \(end) type veth peer name \(otherEnd) netns \(other.name)", "link set \(end) up")
        try other.ip("link set \(otherEnd) up")
    }

    struct Failure: Error, CustomStringConvertible {
        var command: [String]
        var errors: String

        var description: String { "\(command.joined(separator: " ")): \(errors)" }
    }

    @discardableResult
    private static func run(_ command: [String]) throws -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The outputs always fit into a pipe, so the program never waits for a reader.
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: command, errors: text) }
        return words
    }

    /// Removes the namespaces of a killed test run, with the processes in them.
    private static func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? [] {
            guard name.hasPrefix(prefix), let owner = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                kill(owner, 0) != 0
            else { continue }
            for line in (try? run(["ip", "netns", "pids", name]))?.split(separator: "\n") ?? [] {
                if let process = pid_t(line) { kill(process, SIGKILL) }
            }
            _ = try? run(["ip", "netns", "del", name])
        }
    }
}
