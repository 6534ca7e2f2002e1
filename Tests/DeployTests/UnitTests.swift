import Foundation
import Host
import Testing

@Suite struct UnitTests {
    private static let service = UnitText((try? Installation.source("bracketd.service")) ?? "")
    private static let socket = UnitText((try? Installation.source("bracketd.socket")) ?? "")

    @Test(arguments: [nil] + Installation.dropIns.map(Optional.some))
    func `systemd finds no fault in the units, alone and with each example`(dropIn: String?) throws {
        let installation = try Installation()
        // An unknown key causes a line of output but no exit code.
        let run = try Command("systemd-analyze", ["verify"] + installation.unitsToCheck(dropIn: dropIn))
        #expect(run.isSilentSuccess, "\(run)")
    }

    @Test(arguments: [nil] + Installation.dropIns.map(Optional.some))
    func `systemd rates the sandbox at 2.0 or better`(dropIn: String?) throws {
        let installation = try Installation()
        let units = try installation.unitsToCheck(dropIn: dropIn)
        let run = try Command("systemd-analyze", ["security", "--offline=true", "--threshold=20", units[0]])
        #expect(run.status == 0, "\(run)")
    }

    @Test func `every example of a drop-in is checked`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Installation.sources.appending(path: "examples").path
        )
        #expect(names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix("wpa_") }.sorted() == Installation.dropIns)
    }

    @Test func `a newer systemd gets the unit as it is`() throws {
        let name = "\(Installation.unitFolder)/bracketd.service"
        #expect(try Installation(systemd: 254).text(name) == Installation.source("bracketd.service"))
        #expect(Self.service.words("Type") == ["notify-reload"])
    }

    @Test(arguments: [252, 253]) func `an older systemd gets the unit without unknown settings`(version: Int) throws {
        let name = "\(Installation.unitFolder)/bracketd.service"
        let older = try UnitText(Installation(systemd: version).text(name)).settings
        // Older versions do not know these settings (systemd.service(5): "Added in version 254", "Added in version
        // 253").
        var expected = Self.service.settings.filter { !$0.contains("RestartSteps=") && !$0.contains("RestartMaxDelay") }
        if version < 253 {
            let type = try #require(expected.firstIndex(of: "Service: Type=notify-reload"))
            let reload = ["Service: Type=notify", "Service: ExecReload=kill -HUP $MAINPID"]
            expected.replaceSubrange(type...type, with: reload)
        }
        #expect(older == expected)
    }

    @Test func `the start waits for no network`() {
        let keys = ["After", "Wants", "Requires", "Requisite", "BindsTo"]
        let named = [Self.service, Self.socket].flatMap { unit in keys.flatMap(unit.words) }
        #expect(named.contains("NetworkManager.service"), "no names were found: this test tests nothing")
        // networking.service brings interfaces up and may wait for their addresses.
        for name in named where name.hasPrefix("network") || name.contains("-online") || name.contains("wait") {
            Issue.record("\(name) may be waited for")
        }
    }

    @Test func `the socket is where the daemon and its clients expect it, and survives the daemon`() {
        #expect(Self.socket.words("ListenStream") == [Configuration.defaultSocketPath])
        #expect(Self.service.words("Sockets") == ["bracketd.socket"])
        #expect(Self.socket.words("SocketGroup") == ["bracketd"])
        #expect(Self.socket.words("SocketMode") == ["0660"])
        let folder = Self.service.words("RuntimeDirectory").map { "/run/\($0)/" }
        // Without this setting systemd removes the directory of the socket when the daemon stops.
        if folder.contains(where: Configuration.defaultSocketPath.hasPrefix) {
            #expect(Self.service.words("RuntimeDirectoryPreserve") == ["yes"])
        }
    }

    @Test func `the unit's storage directory is the daemon's default`() {
        #expect(Self.service.words("StateDirectory").map { "/var/lib/\($0)" } == [Configuration.defaultStoragePath])
    }

    @Test func `the daemon reads the installed configuration, and an existing one is kept`() throws {
        let installation = try Installation()
        let words = Self.service.words("ExecStart")
        let option = try #require(words.firstIndex(of: "--config"))
        let file = words[option + 1]
        #expect(FileManager.default.fileExists(atPath: installation.path(file)))
        try "# mine\n".write(toFile: installation.path(file), atomically: false, encoding: .utf8)
        let again = try Command("\(Installation.sources.path)/install-files", ["--root", installation.root])
        #expect(again.isSilentSuccess, "\(again)")
        #expect(try installation.text(file) == "# mine\n")
    }

    @Test func `the unit has no capability`() {
        for name in ["CapabilityBoundingSet", "AmbientCapabilities"] {
            #expect(Self.service.lines.filter { $0.name == name }.map(\.value) == [""])
        }
    }

    @Test(arguments: [["--systemd", "new"], ["--systemd"], ["--root"], ["--root", ""], ["/tmp"]])
    func `install-files prints its usage, and does nothing`(arguments: [String]) throws {
        let run = try Command("\(Installation.sources.path)/install-files", arguments)
        #expect(run.status == 64)
        #expect(run.output.contains("deploy/install-files [--root DIRECTORY]"))
    }
}
