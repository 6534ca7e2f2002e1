import Testing
import Varlink

@testable import bracketctl

private enum Listed {
    static func camera(
        _ state: String,
        _ name: String,
        id: String? = nil,
        address: String? = nil,
        network: String? = nil,
        isLast: Bool = false,
        remark: String? = nil,
        waitsFor: String? = nil
    ) -> JSONValue {
        .object(leavingOutNil: [
            "state": .string(state), "name": .string(name), "id": id.map { .string($0) },
            "address": address.map { .string($0) }, "network": network.map { .string($0) }, "isLast": .bool(isLast),
            "remark": remark.map { .string($0) }, "waitsFor": waitsFor.map { .string($0) },
        ])
    }

    static let connected = camera(
        "connected",
        "Sony ILCE-7M4",
        id: "sony-1",
        address: "10.0.0.2:15740",
        network: "DIRECT-a1E0:ILCE-7M4",
        isLast: true
    )
    static let unfit = camera("unfit", "ILCE-5100", address: "10.0.0.3", remark: "bracketd does not support it yet.")
    static let known = camera(
        "known",
        "Sony ILCE-6400",
        id: "sony-2",
        address: "10.0.0.9:15740",
        network: "DIR\u{1B}ECT"
    )
}

@Suite struct `bracketctl cameras` {
    @Test func `lists connected, found and known cameras`() async throws {
        let answer = FakeDaemon.Answer.one("cameras", [Listed.connected, Listed.unfit, Listed.known])
        try await withDaemon(["GetCameras": answer]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cameras", against: daemon) == .allDone)
            #expect(
                bench.lines == [
                    "state      name            id      address         network",
                    "connected  Sony ILCE-7M4   sony-1  10.0.0.2:15740  DIRECT-a1E0:ILCE-7M4",
                    "unfit      ILCE-5100               10.0.0.3                              "
                        + "bracketd does not support it yet.",
                    "known      Sony ILCE-6400  sony-2  10.0.0.9:15740  DIR?ECT",
                ]
            )
            let json = Bench()
            #expect(await json.run("cameras", "--json", against: daemon) == .allDone)
            #expect(json.objects == [Listed.connected, Listed.unfit, Listed.known])
            #expect(daemon.calls.allSatisfy { $0.method == "io.bracketd.GetCameras" && !$0.more })
        }
    }

    @Test func `shows which camera connect --last means`() async throws {
        let last = Listed.camera("known", "Sony ILCE-7M4", id: "sony-1", isLast: true)
        try await withDaemon(["GetCameras": .one("cameras", [last])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cameras", against: daemon) == .allDone)
            #expect(bench.lines.last == "known  Sony ILCE-7M4  sony-1                    last connected camera")
        }
    }

    @Test func `names the program for which a camera waits`() async throws {
        let waiting = Listed.camera(
            "there",
            "EOS R6m2",
            address: "10.0.0.4:15740",
            isLast: true,
            remark: "The camera waits for the smartphone app.",
            waitsFor: "smartphone-app"
        )
        try await withDaemon(["GetCameras": .one("cameras", [waiting])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cameras", against: daemon) == .allDone)
            let line = "there  EOS R6m2      10.0.0.4:15740           The camera waits for the smartphone app."
            #expect(bench.lines.last == line)
            let json = Bench()
            #expect(await json.run("cameras", "--json", against: daemon) == .allDone)
            #expect(json.objects == [waiting])
        }
    }

    @Test func `gives advice when there is none`() async throws {
        try await withDaemon(["GetCameras": .one("cameras", [])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cameras", "--socket", daemon.path) == .allDone)
            #expect(
                bench.output == """
                    No camera is known, and no camera announces itself. \
                    To search: bracketctl --socket \(daemon.path) cameras --watch. \
                    To connect: bracketctl --socket \(daemon.path) connect ADDRESS.

                    """
            )
            let json = Bench()
            #expect(await json.run("cameras", "--json", against: daemon) == .allDone)
            #expect(json.output.isEmpty)
        }
    }

    @Test func `of another version reports the version`() async throws {
        let strange: [(JSONValue, String)] = [
            ([["state": "there", "isLast": false]], "cameras.name is not a string"),
            ([["state": "there", "name": "n"]], "cameras.isLast is not true or false"),
            ("none", "cameras is not a list of objects"),
        ]
        for (cameras, lack) in strange {
            try await withDaemon(["GetCameras": .one("cameras", cameras)]) { daemon in
                let bench = Bench()
                #expect(await bench.run("cameras", against: daemon) == .error)
                #expect(bench.errors.hasPrefix("bracketctl: In the daemon's reply, \(lack): "), "\(bench.errors)")
            }
        }
    }

    @Test func `without a daemon has its exit code`() async {
        let bench = Bench()
        #expect(await bench.run("cameras") == .noDaemon)
        #expect(bench.errors.hasPrefix("bracketctl: No daemon is running"))
    }
}

@Suite struct `bracketctl cameras --watch` {
    private let there = Listed.camera("there", "ILCE-7M4", address: "10.0.0.2:15740")

    /// Watches a sequence of lists until the scripted daemon ends.
    private func watch(_ lists: [JSONValue], _ options: String...) async throws -> Bench {
        let bench = Bench()
        try await withDaemon(["WatchCameras": .begun("cameras", lists, then: .close)]) { daemon in
            let status = await Bracketctl.run(
                ["cameras", "--watch"] + options,
                in: bench.environment(socket: daemon.path)
            )
            #expect(status == .noDaemon)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.WatchCameras"])
            #expect(daemon.calls.map(\.more) == [true])
        }
        return bench
    }

    @Test func `prints all cameras, then each that appears, changes or disappears`() async throws {
        let moved = Listed.camera("known", "Sony ILCE-6400", id: "sony-2", address: "10.0.0.8:15740")
        let bench = try await watch([
            [Listed.known], [there, Listed.known], [Listed.connected, Listed.known], [Listed.connected, moved], [moved],
        ])
        #expect(
            bench.lines == [
                "14:03:07.412  Sony ILCE-6400: known (sony-2, 10.0.0.9:15740, DIR?ECT)",
                "14:03:07.412  ILCE-7M4: → there (10.0.0.2:15740)",
                "14:03:07.412  Sony ILCE-7M4: there → connected (sony-1, 10.0.0.2:15740, DIRECT-a1E0:ILCE-7M4)",
                "14:03:07.412  Sony ILCE-6400: known (sony-2, 10.0.0.8:15740)",
                "14:03:07.412  Sony ILCE-7M4: connected → gone (sony-1, 10.0.0.2:15740, DIRECT-a1E0:ILCE-7M4)",
            ]
        )
        #expect(bench.errors.hasPrefix("bracketctl: The daemon at "))
    }

    @Test func `as JSON prints the camera with its change`() async throws {
        let bench = try await watch([[Listed.known], [Listed.connected], [Listed.connected]], "--json")
        #expect(
            bench.objects == [
                Listed.known.adding("change", "listed"), Listed.known.adding("change", "went"),
                Listed.connected.adding("change", "appeared"),
                [
                    "error": "ConnectionLost", "exitCode": 5, "parameters": [:],
                    "sentence": .string(bench.errors.dropFirst("bracketctl: ".count).dropLast().description),
                ],
            ]
        )
        let change = try await watch([[there], [Listed.connected]], "--json")
        #expect(change.objects.map { $0["change"] } == ["listed", "changed", nil])
    }

    @Test func `reports once that there is none yet`() async throws {
        let bench = try await watch([[], [there], []])
        #expect(
            bench.lines == [
                "14:03:07.412  No camera is known, and no camera announces itself.",
                "14:03:07.412  ILCE-7M4: → there (10.0.0.2:15740)",
                "14:03:07.412  ILCE-7M4: there → gone (10.0.0.2:15740)",
            ]
        )
        let json = try await watch([[]], "--json")
        #expect(json.objects.map { $0["change"] } == [nil])
    }

    @Test func `distinguishes two cameras of one name by their ids`() async throws {
        let first = Listed.camera("known", "Sony ILCE-7M4", id: "sony-1")
        let second = Listed.camera("known", "Sony ILCE-7M4", id: "sony-3")
        let bench = try await watch([[first, second], [second]])
        #expect(bench.lines.last == "14:03:07.412  Sony ILCE-7M4: known → gone (sony-1)")
    }

    @Test func `an address that belongs to a known camera is not reported as removed`() async throws {
        let bench = try await watch([
            [Listed.camera("connecting", "camera", address: "10.0.0.9:15740"), Listed.camera("known", "S", id: "2")],
            [Listed.camera("connected", "S", id: "2", address: "10.0.0.9:15740", isLast: true)],
        ])
        #expect(bench.lines.dropFirst(2) == ["14:03:07.412  S: known → connected (2, 10.0.0.9:15740)"])
    }

    @Test func `ends with its exit code when the daemon stops, and with an error at its limit`() async throws {
        try await withDaemon(["WatchCameras": .error("io.bracketd.Stopping")]) { daemon in
            #expect(await Bench().run("cameras", "--watch", against: daemon) == .noDaemon)
        }
        try await withDaemon(["WatchCameras": .error("io.bracketd.TooManyClients", ["limit": 64])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cameras", "--watch", against: daemon) == .error)
            #expect(bench.errors.contains("already has 64 watching clients"))
        }
    }
}
