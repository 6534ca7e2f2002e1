import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl doctor` {
    private static let found: JSONValue = [
        ["name": "journal", "result": "skipped", "sentence": "Entries go to standard error."],
        ["name": "storage", "result": "pass", "sentence": "/var/lib/bracketd has 9.0 GB free."],
        ["name": "camera", "result": "fail", "sentence": "The camera does not answer.", "advice": "Switch it on."],
    ]
    private static let well: JSONValue = [["name": "storage", "result": "pass", "sentence": "There is room."]]

    /// The answer of the daemon's preflight, by default without a camera.
    private static func camera(_ checks: JSONValue...) -> FakeDaemon.Answer {
        let link: JSONValue = ["name": "link", "result": "fail", "sentence": "No camera is connected."]
        let all = checks.isEmpty ? [link] : checks
        return .one("report", ["isReady": false, "sentence": "s", "checks": .array(all)])
    }

    @Test func `a connected camera's checks are added to the daemon's, without repetition`() async throws {
        let link: JSONValue = ["name": "link", "result": "pass", "sentence": "It is connected."]
        let drive: JSONValue = [
            "name": "drive", "result": "fail", "sentence": "It is continuous.", "advice": "Set it.",
        ]
        let ledger: JSONValue = ["name": "ledger", "result": "pass", "sentence": "It is open."]
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.found),
            "Preflight": Self.camera(link, drive, ledger),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            #expect(bench.lines.contains("fail     drive    It is continuous."))
            #expect(!bench.lines.contains { $0.contains(" link ") || $0.contains("It is open.") })
        }
    }

    @Test func `the daemon's checks stay when the camera's checks fail`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotNow", ["sentence": "Not now."])
        try await withDaemon([
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.found), "Preflight": refusal,
        ]) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            #expect(bench.lines.contains("fail     camera     The camera does not answer."))
            #expect(bench.lines.contains("warn     preflight  Not now."))
        }
    }

    /// The sentences after the one about the group. The earlier ones depend on the user who runs the tests.
    private static func afterGroup(_ bench: Bench) -> [String] {
        Array(bench.lines.drop { !$0.contains("  daemon ") })
    }

    @Test func `prints findings and advice, and exits with 1 when a check fails`() async throws {
        try await withDaemon([
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.found), "Preflight": Self.camera(),
        ]) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            #expect(bench.lines.first?.hasPrefix("pass     socket   \(daemon.path) exists.") == true)
            #expect(
                Self.afterGroup(bench) == [
                    "pass     daemon   bracketd 0.1.0 answers.",
                    "skipped  journal  Entries go to standard error.",
                    "pass     storage  /var/lib/bracketd has 9.0 GB free.",
                    "fail     camera   The camera does not answer.",
                    "                  → Switch it on.",
                    "",
                    "1 check fails. See the advice after the arrow.",
                ]
            )
        }
    }

    @Test func `a failing check without advice is named`() async throws {
        let mute: JSONValue = [["name": "camera", "result": "fail", "sentence": "There is none."]]
        try await withDaemon([
            "GetStatus": Sample.status(), "Inspect": .one("checks", mute), "Preflight": Self.camera(),
        ]) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            #expect(bench.lines.last == "camera fails.")
        }
    }

    @Test func `a camera with wrong settings has every check, and its mode fails with advice`() async throws {
        let link: JSONValue = ["name": "link", "result": "pass", "sentence": "It is connected."]
        let mode: JSONValue = ["name": "mode", "result": "fail", "sentence": "It is on A.", "advice": "Turn it to M."]
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.well), "Preflight": Self.camera(link, mode),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            #expect(bench.lines.contains("fail     mode     It is on A."))
            #expect(bench.lines.contains("                  → Turn it to M."))
        }
    }

    @Test func `as JSON is one object`() async throws {
        try await withDaemon([
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.found), "Preflight": Self.camera(),
        ]) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", "--json", against: daemon) == .error)
            let object = try #require(bench.objects.first)
            #expect(bench.objects.count == 1)
            let checks = try #require(object["checks"]?.arrayValue)
            #expect(checks.compactMap { $0["name"]?.stringValue }.prefix(3) == ["socket", "group", "daemon"])
            #expect(Array(checks.dropFirst(3)) == Self.found.arrayValue)
            #expect(object["fails"] == 1)
            #expect(object["sentence"] == "1 check fails. See the advice after the arrow.")
        }
    }

    @Test func `exits with 0 when nothing fails`() async throws {
        try await withDaemon([
            "GetStatus": Sample.status(), "Inspect": .one("checks", Self.well), "Preflight": Self.camera(),
        ]) { daemon in
            let bench = Bench()
            #expect(chmod(daemon.path, 0o660) == 0)
            #expect(await bench.run("doctor", against: daemon) == .allDone)
            #expect(bench.lines.last == "Nothing is wrong.")
        }
    }

    @Test func `without a daemon begins with the socket, and names what it could not check`() async {
        let bench = Bench()
        #expect(await bench.run("doctor", "--socket", "/nonexistent/socket") == .error)
        #expect(
            bench.output == """
                fail     socket      The socket /nonexistent/socket does not exist.
                                     → Start the daemon: systemctl start bracketd, or by hand: bracketd \
                --config FILE. If it listens on another socket, name that socket with --socket.
                skipped  group       There is no socket to open.
                fail     daemon      No daemon is running: the socket /nonexistent/socket does not exist. Start the \
                daemon: systemctl start bracketd, or by hand: bracketd --config FILE. If it listens on another \
                socket, name that socket with --socket.
                skipped  inspection  Without the daemon nothing else can be checked.

                2 checks fail. Begin with the first.

                """
        )
        #expect(bench.errors.isEmpty)
    }

    @Test func `distinguishes a daemon of another version from one that does not answer`() async throws {
        let old = FakeDaemon.Answer.one("status", ["sentence": "s", "charts": [], "version": "0.0.9"])
        try await withDaemon(["GetStatus": old]) { daemon in
            let bench = Bench()
            #expect(await bench.run("doctor", against: daemon) == .error)
            let lines = Self.afterGroup(bench)
            #expect(lines.first == "warn     daemon      bracketd has version 0.0.9, but bracketctl has 0.1.0.")
            let refusal = "fail     inspection  The daemon at \(daemon.path) does not accept this call"
            #expect(lines.contains { $0.hasPrefix(refusal) })
        }
    }
}

@Suite struct `Who may open the socket` {
    private static let path = "/run/s"
    private static let person = SocketAccess.SocketUser(id: 1000, name: "ada", groups: [1000], groupsAtLogin: [1000])

    private static func socket(_ mode: mode_t, owner: uid_t = 0, group: gid_t = 60) -> SocketAccess {
        let name = group == 60 ? "bracketd" : "root"
        return SocketAccess(kind: .socket, owner: owner, group: group, groupName: name, mode: mode)
    }

    private static func check(
        _ access: SocketAccess,
        _ change: (inout SocketAccess.SocketUser) -> Void = { _ in }
    ) -> CheckReport {
        var person = person
        change(&person)
        return .group(path, access, person)
    }

    @Test func `are its owner, the members of its group, and root`() {
        #expect(Self.check(Self.socket(0o660, owner: 1000)).result == .pass)
        #expect(Self.check(Self.socket(0o660)) { $0.groups.insert(60) }.result == .pass)
        #expect(Self.check(Self.socket(0o600)) { $0.id = 0 }.result == .pass)
        #expect(Self.check(Self.socket(0o666)).result == .pass)
    }

    @Test func `others get advice`() {
        let outsider = Self.check(Self.socket(0o660))
        #expect(outsider.result == .fail)
        #expect(outsider.sentence == "ada cannot open /run/s: only members of the group bracketd can open it.")
        #expect(outsider.advice == "sudo usermod -aG bracketd ada, then log out and log in again.")
        let fresh = Self.check(Self.socket(0o660)) { $0.groupsAtLogin.insert(60) }
        #expect(fresh.result == .fail)
        #expect(fresh.advice == "Log out and log in again.")
        // The advice never names the group root, or a group without permission.
        for access in [Self.socket(0o660, group: 0), Self.socket(0o600)] {
            let sentence = Self.check(access).sentence
            #expect(sentence == "ada cannot open /run/s: no group that you could join can open it.")
        }
        // The group's permissions have priority over those of others.
        #expect(Self.check(Self.socket(0o606)) { $0.groups.insert(60) }.result == .fail)
        #expect(Self.check(Self.socket(0o060, owner: 1000)).advice == "chmod u+w /run/s")
    }

    @Test func `are not all users`() {
        #expect(CheckReport.socket(Self.path, Self.socket(0o666)).result == .warn)
        #expect(CheckReport.socket(Self.path, Self.socket(0o660)).result == .pass)
        #expect(CheckReport.socket(Self.path, SocketAccess(kind: .other)).result == .fail)
        #expect(SocketAccess(path: "/nonexistent/x") == SocketAccess(kind: .missing))
        #expect(SocketAccess(path: "/etc/passwd").kind == .other)
        #expect(SocketAccess.SocketUser.present.id == geteuid())
        #expect(SocketAccess.SocketUser.present.groups.contains(getegid()))
    }
}
