import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl snapshot` {
    private static let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    private static func picture(_ exposure: String = "shown") -> JSONValue {
        [
            "jpeg": .string(Base64.text(bytes)), "width": 640, "height": 424, "exposure": .string(exposure),
            "speed": "1/60",
        ]
    }

    private static let answers: [String: FakeDaemon.Answer] = ["Snapshot": .one("picture", picture())]

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func `writes the picture to the file, and says its size`() async throws {
        try await Self.withFolder { folder in
            try await withDaemon(Self.answers) { daemon in
                let bench = Bench()
                let file = folder.appending(path: "view.jpg")
                #expect(await bench.run("snapshot", file.path, "--size", "large", against: daemon) == .allDone)
                #expect((try? Data(contentsOf: file)) == Data(Self.bytes))
                #expect(bench.output == "\(file.path): 640 x 424 pixels, 4 B. It shows the exposure.\n")
                #expect(daemon.calls.last?.parameters == ["size": "large"])
            }
        }
    }

    @Test func `prints an object with --json`() async throws {
        try await withDaemon(Self.answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("snapshot", "/dev/null", "--json", against: daemon) == .allDone)
            #expect(
                bench.objects == [
                    [
                        "file": "/dev/null", "bytes": 4, "width": 640, "height": 424, "exposure": "shown",
                        "speed": "1/60",
                    ]
                ]
            )
        }
    }

    @Test(arguments: [["snapshot"], ["snapshot", "-"], ["snapshot", "-", "--follow", "--count", "1"]])
    func `without a file the picture is on standard output alone`(arguments: [String]) async throws {
        try await withDaemon(Self.answers) { daemon in
            let bench = Bench()
            #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(bench.output == String(decoding: Self.bytes, as: UTF8.self) && bench.errors.isEmpty)
        }
    }

    @Test func `a terminal gets no picture without being asked`() async throws {
        try await withDaemon(Self.answers) { daemon in
            let bench = Bench()
            let environment = bench.environment(socket: daemon.path, columns: 80)
            #expect(await Bracketctl.run(["snapshot"], in: environment) == .usage)
            #expect(bench.output.isEmpty && daemon.calls.isEmpty)
        }
    }

    @Test func `following continues the numbers in the folder, and replaces no picture`() async throws {
        try await Self.withFolder { folder in
            for name in ["snapshot-000007.jpg", "snapshot-x.jpg", "other.jpg"] {
                try Data().write(to: folder.appending(path: name))
            }
            try await withDaemon(Self.answers) { daemon in
                let bench = Bench()
                let arguments = ["snapshot", folder.path, "--follow", "--count", "1"]
                #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .allDone)
                let newest = folder.appending(path: "snapshot-000008.jpg")
                #expect((try? Data(contentsOf: newest)) == Data(Self.bytes))
                #expect((try? Data(contentsOf: folder.appending(path: "snapshot-000007.jpg")))?.isEmpty == true)
            }
        }
    }

    @Test(arguments: [
        ["snapshot", ""], ["snapshot", "a", "--size", "huge"], ["snapshot", "--json"],
        ["snapshot", "a", "--count", "2"], ["snapshot", "a", "--follow", "--count", "0"],
    ])
    func `wrong arguments are refused before the daemon is asked`(arguments: [String]) async throws {
        try await withDaemon([:]) { daemon in
            let bench = Bench()
            #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .usage)
            #expect(daemon.calls.isEmpty)
        }
    }

    @Test func `an error of the camera is printed`() async throws {
        let error = FakeDaemon.Answer.error("io.bracketd.LiveViewRefused", ["sentence": "The camera is busy."])
        try await withDaemon(["Snapshot": error]) { daemon in
            let bench = Bench()
            #expect(await bench.run("snapshot", "/dev/null", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The camera is busy.\n")
        }
    }

    @Test func `a folder that does not exist, or an answer without a picture, is an error`() async throws {
        try await withDaemon(Self.answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("snapshot", "/dev/null/none", "--follow", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The folder /dev/null/none cannot be read.\n")
        }
        try await withDaemon(["Snapshot": .one("picture", Self.picture().with("jpeg", "no Base64"))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("snapshot", "/dev/null", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(SnapshotSentences.notBase64)\n")
        }
    }
}
