import Exposure
import Foundation
import Testing
import Varlink

@testable import bracketctl

/// The pictures are of a scene whose highlights become mid-grey at 1/320 (the place 14 on the scale of speeds), and
/// whose shadows between 10″ and 13″ (49.5).
@Suite struct `bracketctl meter` {
    private let scene: SceneFixture
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "meter-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        scene = SceneFixture(in: folder)
    }

    private func pictures(at indices: [Int]) throws -> [String] {
        try indices.map { index in
            try scene.write("\(index).jpg", at: try #require(ShutterSpeed(index: index)))
        }
    }

    private func meter(_ bench: Bench, _ files: [String], _ options: [String] = []) async -> ProcessExit {
        let words = ["meter"] + files.flatMap { ["--from", $0] } + options
        return await Bracketctl.run(words, in: bench.environment())
    }

    @Test func `several pictures give both speeds, and the plan to make`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Bench()
        #expect(await meter(bench, try pictures(at: [30, 18, 14, 50])) == .allDone)
        #expect(
            bench.output == """
                shadow     10"    within 1/3 EV
                highlight  1/320  within 1/3 EV

                From 4 frames. These speeds make the spots mid-grey.
                To plan: bracketctl plan --metered 10s 1/320

                """
        )
    }

    @Test func `as JSON is one object of the page, with points and without`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try pictures(at: [30, 18, 14, 50])
        var seen: Set<String> = []
        for options in [[], ["--shadow", "6,90", "--highlight", "69,23", "--at", "50,50", "--placement", "detail"]] {
            let bench = Bench()
            #expect(await meter(bench, files, options + ["--json"]) == .allDone)
            let object = try #require(bench.objects.last)
            #expect(bench.objects.count == 1)
            #expect(object["shadow"] == (options.isEmpty ? "10\"" : "3.2\""))
            #expect(object["highlight"] == (options.isEmpty ? "1/320" : "1/80"))
            #expect(object["placement"] == (options.isEmpty ? "grey" : "detail"))
            #expect(object["clipped"] == [])
            #expect(object["frames"] == 4)
            #expect(object["source"] == "file")
            try JSONPage().check(object, of: "meter", seen: &seen)
        }
        let bench = Bench()
        #expect(await meter(bench, [files[0]], ["--json"]) == .allDone)
        try JSONPage().check(try #require(bench.objects.last), of: "meter", seen: &seen)
        #expect(try JSONPage().documented(for: "meter").subtracting(seen).sorted() == [])
    }

    @Test func `a test frame is fired by the daemon, and its picture is read`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try pictures(at: [30])
        let photo: JSONValue = ["id": 1, "state": "verified", "name": "30.JPG", "path": "30.jpg", "shoot": 7]
        let photos: JSONValue = [
            "policy": "jpeg", "sentence": "s", "list": [photo], "directory": .string(folder.path),
        ]
        let end = Sample.completed
        let answers: [String: FakeDaemon.Answer] = [
            "Shoot": .steps("progress", [end.adding("shoot", 7)]), "GetPhotos": .one("photos", photos),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            let words = ["meter", "--from", "test-frame", "--speed", "1/8", "--json"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            let object = try #require(bench.objects.last)
            #expect(object["source"] == "test-frame" && object["frames"] == 1)
            #expect(daemon.calls.first?.parameters["plan"]?["highlight"] == "1/8")
            #expect(daemon.calls.first?.parameters["plan"]?["goal"] == ["framesMax": 1])
        }
    }

    private func liveView(_ exposure: String, speed: String? = "1/8") throws -> [String: FakeDaemon.Answer] {
        let path = try #require(try pictures(at: [30]).first)
        let jpeg = try Base64.text(Array(Data(contentsOf: URL(filePath: path))))
        let picture = JSONValue.object(leavingOutNil: [
            "jpeg": .string(jpeg), "width": 640, "height": 424, "exposure": .string(exposure),
            "speed": speed.map { .string($0) },
        ])
        return ["Snapshot": .one("picture", picture)]
    }

    @Test(arguments: ["shown", "unknown"])
    func `the live view is metered as a guess`(exposure: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withDaemon(try liveView(exposure)) { daemon in
            let bench = Bench()
            let words = ["meter", "--from", "live", "--json"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            let object = try #require(bench.objects.last)
            #expect(object["source"] == "live" && object["frames"] == 1)
            let spots = object["spots"]?.arrayValue ?? []
            #expect(!spots.isEmpty && spots.allSatisfy { $0["certainty"] != "measured" })
            #expect(bench.errors.isEmpty == (exposure == "shown"))
        }
    }

    @Test func `a live view that does not show the exposure is refused`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (exposure, speed) in [("not-shown", "1/8"), ("shown", nil)] as [(String, String?)] {
            try await withDaemon(try liveView(exposure, speed: speed)) { daemon in
                let bench = Bench()
                let words = ["meter", "--from", "live"]
                #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .error)
                #expect(bench.errors.contains("--from test-frame"))
            }
        }
    }

    @Test func `a test frame without a picture here is an error`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let photos: JSONValue = ["policy": "jpeg", "sentence": "s", "list": []]
        let answers: [String: FakeDaemon.Answer] = [
            "Shoot": .steps("progress", [Sample.completed]), "GetPhotos": .one("photos", photos),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            let words = ["meter", "--from", "test-frame"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .error)
            #expect(bench.errors.contains("The picture of the test frame is not on this computer."))
        }
    }

    @Test func `a clipped end is named with the next picture to take, and no plan`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Bench()
        #expect(await meter(bench, try pictures(at: [42]), ["--json"]) == .allDone)
        let object = try #require(bench.objects.last)
        #expect(object["clipped"] == ["highlight"])
        let text = Bench()
        #expect(await meter(text, try pictures(at: [42])) == .allDone)
        #expect(text.lines.contains("highlight  1/8  outside what these frames show; take a picture at 1/8 to be sure"))
        #expect(!text.output.contains("--metered"))
    }

    @Test func `points that are named the wrong way round are swapped`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Bench()
        let options = ["--shadow", "69,23", "--highlight", "6,90"]
        #expect(await meter(bench, try pictures(at: [30, 18, 14, 50]), options) == .allDone)
        #expect(bench.lines[0] == "shadow at 6,90      10\"    within 1/3 EV")
        #expect(bench.output.contains("The shadow point is brighter than the highlight point; swapped."))
    }

    @Test func `pictures that do not fit together are refused`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try scene.write("a.jpg", at: .oneSecond)
        let second = try scene.write("b.jpg", at: .oneSecond, iso: 200)
        let bench = Bench()
        #expect(await meter(bench, [first, second]) == .error)
        #expect(bench.errors.contains("differ in aperture or ISO. Only the shutter speed may differ."))
    }

    @Test func `files that are no usable picture are refused with the reason`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appending(path: "text.jpg").path
        try "not a picture".write(toFile: text, atomically: true, encoding: .utf8)
        let whole = try Data(contentsOf: URL(filePath: scene.write("c.jpg", at: .oneSecond)))
        let cut = folder.appending(path: "cut.jpg").path
        try whole.prefix(whole.count / 2).write(to: URL(filePath: cut))
        for (path, reason) in [
            (text, "not a JPEG."), (cut, "damaged or cut off."), (folder.path, "Not a file."),
            (folder.appending(path: "none").path, "No such file or directory."),
        ] {
            let bench = Bench()
            #expect(await meter(bench, [path]) == .error)
            #expect(bench.errors.hasSuffix("is not used: \(reason)\n"), "\(bench.errors)")
        }
    }

    @Test(arguments: [
        ["meter"], ["meter", "--from", "x", "--at", "120,50"], ["meter", "--from", "x", "--shadow", "middle"],
        ["meter", "--from", "x", "--placement", "gray"], ["plan", "--metered", "1/8"],
        ["plan", "--metered", "1/8", "1/500", "--shadow", "1/4"], ["plan", "--metered", "1/8", "fast"],
        ["photos", "--coverage", "--folder", ""], ["photos", "--folder", "x"],
        ["meter", "--from", "test-frame", "--from", "test-frame"], ["meter", "--from", "x", "--speed", "1/8"],
        ["meter", "--from", "live", "--from", "x"],
    ])
    func `invalid arguments are usage errors`(words: [String]) async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Bench()
        #expect(await Bracketctl.run(words, in: bench.environment()) == .usage)
        #expect(!bench.errors.isEmpty)
    }

    @Test func `a plan of metered speeds keeps the detail of both ends`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func ends(_ words: [String]) async throws -> [JSONValue?] {
            let bench = Bench()
            #expect(await Bracketctl.run(words + ["--json"], in: bench.environment()) == .allDone)
            let plan = try #require(bench.objects.first)
            return [plan["shadow"], plan["highlight"], plan["sets"]]
        }
        let metered = try await ends(["plan", "--metered", "10s", "1/320", "--spacing", "2"])
        #expect(metered == (try await ends(["plan", "--shadow", "3.2s", "--highlight", "1/80", "--spacing", "2"])))
    }

    // MARK: Coverage

    private func manifest(_ files: [(speed: String, path: String?)]) throws {
        let frames = files.enumerated().map { index, file -> JSONValue in
            let list: [JSONValue] = file.path.map { [["path": .string($0)]] } ?? []
            return ["set": 1, "frame": .int(index + 1), "speed": .string(file.speed), "files": .array(list)]
        }
        let text = JSONValue.object(["version": 1, "shoot": 3, "frames": .array(frames)]).description
        try text.write(to: folder.appending(path: "manifest.json"), atomically: true, encoding: .utf8)
    }

    @Test func `a set that leaves the window white names the frame to add`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try scene.write("set-1/a.JPG", at: try #require(ShutterSpeed(index: 24)))
        _ = try scene.write("set-1/b.JPG", at: try #require(ShutterSpeed(index: 30)))
        _ = try scene.write("set-1/c.JPG", at: try #require(ShutterSpeed(index: 42)))
        try manifest([("1/30", "set-1/a.JPG"), ("1/8", "set-1/b.JPG"), ("2\"", "set-1/c.JPG"), ("8\"", nil)])
        let bench = Bench()
        let words = ["photos", "--coverage", "--folder", folder.path]
        #expect(await Bracketctl.run(words, in: bench.environment()) == .allDone)
        #expect(
            bench.lines == [
                "Covered 99.4 %. White in every frame: 0.59 %, at 65-72 % x, 18-29 % y. Add 1/125. "
                    + "1 of 4 frames not checked.",
                "Set 1, frame 4 (8\") is not checked: it has no JPEG.",
            ]
        )
        let json = Bench()
        #expect(await Bracketctl.run(words + ["--json"], in: json.environment()) == .allDone)
        let object = try #require(json.objects.last)
        #expect(object["isCovered"] == false)
        #expect(object["worst"]?["frame"] == "1/125")
        #expect(abs((object["clippedPct"]?.doubleValue ?? 0) - 0.59) < 0.01)
        var seen: Set<String> = []
        try JSONPage().check(object, of: "photos", seen: &seen)
    }

    @Test func `a manifest that is damaged, or names files outside its folder, is refused`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let words = ["photos", "--coverage", "--folder", folder.path]
        func errors() async -> String {
            let bench = Bench()
            #expect(await Bracketctl.run(words, in: bench.environment()) != .allDone)
            return bench.errors
        }
        #expect(await errors().contains("No such file or directory"))
        try "{".write(to: folder.appending(path: "manifest.json"), atomically: true, encoding: .utf8)
        #expect(await errors().contains("it is not the manifest of a shoot"))
        try manifest([("1/30", "../a.JPG"), ("1/8", "/etc/a.jpg"), ("1/2", "none.jpg")])
        #expect(await errors().contains("No picture of the shoot could be read; set not checked."))
    }
}
