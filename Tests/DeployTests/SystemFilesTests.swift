import Foundation
import Testing

/// Tests users, directories and devices with the system's own programs that read these files.
@Suite struct SystemFilesTests {
    private static let service = UnitText((try? Installation.source("bracketd.service")) ?? "")
    private static let socket = UnitText((try? Installation.source("bracketd.socket")) ?? "")

    /// The lines `NAME:…` of a file like /etc/passwd, each as its fields.
    private static func records(_ text: String) -> [String: [String]] {
        let fields = text.split(separator: "\n").map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }
        return Dictionary(fields.map { ($0[0], $0) }) { first, _ in first }
    }

    private static func users(_ installation: Installation) throws {
        let run = try Command("systemd-sysusers", ["--root", installation.root])
        guard run.status == 0 else { throw Installation.Failure(description: "systemd-sysusers \(run)") }
        for line in run.output.split(separator: "\n") where !line.hasPrefix("Creating ") {
            Issue.record("systemd-sysusers: \(line)")
        }
    }

    @Test func `the user and both groups are created with the names in the other files`() throws {
        let installation = try Installation()
        try Self.users(installation)
        let passwd = try Self.records(installation.text("etc/passwd"))
        let group = try Self.records(installation.text("etc/group"))
        let user = try #require(passwd["bracketd"])
        #expect(user[3] == group["bracketd"]?[2], "its own group is the first one")
        #expect(user[5] == "/var/lib/bracketd")
        #expect(user[6].hasSuffix("/nologin"))
        #expect(group["gpio"]?[3] == "bracketd")
        #expect(Self.service.words("User") == ["bracketd"])
        for name in Self.service.words("Group") + Self.socket.words("SocketGroup") {
            #expect(group[name] != nil, "no group \(name) is made")
        }
    }

    // Only root may change the owner of files, also in a temporary directory.
    @Test(.enabled(if: geteuid() == 0)) func `the directories are created and belong to the daemon`() throws {
        let installation = try Installation()
        try Self.users(installation)
        let run = try Command("systemd-tmpfiles", ["--create", "--root", installation.root])
        #expect(run.isSilentSuccess, "\(run)")
        let ids = try #require(Self.records(installation.text("etc/passwd"))["bracketd"])[2...3].joined(separator: ":")
        let folders = [("run/bracketd", "0755", "RuntimeDirectory"), ("var/lib/bracketd", "0750", "StateDirectory")]
        for (folder, mode, setting) in folders {
            let made = try Command("stat", ["--format", "%u:%g %a", installation.path(folder)])
            #expect(made.output == "\(ids) \(mode.dropFirst())\n")
            #expect(Self.service.words("\(setting)Mode") == [mode], "the unit makes it otherwise")
            #expect(Self.service.words(setting).map { folder.hasSuffix("/\($0)") } == [true])
        }
    }

    @Test func `the rule assigns only GPIO chips, to a group that is created`() throws {
        let lines = try Installation.source("60-bracketd.rules").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count == 1)
        let parts = try #require(lines.first).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        // A rule of udev(7) has KEY, operator, and a value in double quotes. The rules here use nothing else.
        let pattern = /(SUBSYSTEM|KERNEL|GROUP|MODE)(==|=)"([^"\\]+)"/
        let matches = parts.compactMap { $0.wholeMatch(of: pattern)?.output }
        #expect(matches.count == parts.count, "\(parts)")
        let tests = matches.filter { $0.2 == "==" }.map { "\($0.1) \($0.3)" }
        let grants = matches.filter { $0.2 == "=" }.map { "\($0.1) \($0.3)" }
        #expect(tests == ["SUBSYSTEM gpio", "KERNEL gpiochip[0-9]*"])
        #expect(grants == ["GROUP gpio", "MODE 0660"])
        #expect(try Installation.source("bracketd.sysusers").contains("\nm bracketd gpio\n"))
        #expect(Self.service.words("DeviceAllow") == ["char-gpiochip", "rw"])
    }

    /// Whether `udevadm verify` exists. It came with systemd 254.
    private static var hasUdevVerify: Bool {
        (try? Command("udevadm", ["verify", "--help"]))?.status == 0
    }

    @Test(.enabled(if: hasUdevVerify)) func `udev accepts the rule`() throws {
        let rule = Installation.sources.appending(path: "60-bracketd.rules").path
        let run = try Command("udevadm", ["verify", "--resolve-names=never", rule])
        #expect(run.status == 0, "\(run)")
    }
}
