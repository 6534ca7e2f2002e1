import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl sort` {
    /// The start of the shoot: 2026-11-20 10:00:00 UTC.
    private static let begin = 1_795_168_800.0
    /// The offset of the camera's clock from UTC: the camera shows 13:03 at 10:00 UTC, which is 12:00 local time.
    private static let ahead = 3.0 * 3600 + 3 * 60
    private static let folder = "20261120-120000-shoot-9"

    /// A frame that was fired this number of seconds after the shoot began.
    private static func frame(
        _ set: Int,
        _ frame: Int,
        _ speed: String,
        after seconds: Int,
        _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let known: [String: JSONValue] = [
            "set": .int(set), "frame": .int(frame), "speed": .string(speed), "seconds": 0.1, "files": [],
            "outcome": "captured", "attempted": .string("2026-11-20T10:00:\(10 + seconds).100Z"),
            "captured": .string("2026-11-20T10:00:\(11 + seconds).000Z"),
        ]
        return .object(known.merging(more) { $1 })
    }

    /// A shoot of two sets that share 1/60, which was fired once.
    private static let shoot: JSONValue = [
        "shoot": [
            "id": 9, "began": "2026-11-20T10:00:00.000Z", "ended": "2026-11-20T10:00:30.000Z",
            "camera": "Sony Corporation ILCE-7M4", "cameraId": "1", "plan": "1/1000 to 1/4", "outcome": "completed",
            "captured": 5, "total": 5,
        ],
        "isDismissed": false,
        "frames": [
            frame(1, 1, "1/1000", after: 0), frame(1, 2, "1/250", after: 2), frame(1, 3, "1/60", after: 4),
            frame(2, 2, "1/15", after: 6), frame(2, 3, "1/4", after: 8),
        ],
    ]
    private static let speeds: [(UInt32, UInt32)] = [(1, 1000), (1, 250), (1, 60), (1, 15), (1, 4)]

    private let card: CardFixture
    private let export: String

    init() throws {
        card = try CardFixture()
        export = NSTemporaryDirectory() + "shoot-\(UUID().uuidString.prefix(8)).json"
        try Self.shoot.description.write(toFile: export, atomically: true, encoding: .utf8)
    }

    private func name(_ index: Int, _ ending: String = "ARW") -> String { "DSC0000\(index + 1).\(ending)" }

    /// Adds the pictures of the shoot to the card, without some of them.
    private func fill(without missing: Set<Int> = [], endings: [String] = ["ARW"]) throws {
        for (index, speed) in Self.speeds.enumerated() where !missing.contains(index) {
            let time = Self.begin + 10.4 + Double(2 * index) + Self.ahead
            for ending in endings { try card.add(name(index, ending), speed.0, speed.1, at: time) }
        }
    }

    private func sort(_ bench: Bench, _ more: String...) async -> ProcessExit {
        await Bracketctl.run(["sort", card.path, "--from", export] + more, in: bench.environment())
    }

    private func manifest(_ path: String? = nil) throws -> JSONValue {
        let file = path ?? card.file("\(Self.folder)/manifest.json")
        return try JSONValue(parsing: Data(contentsOf: URL(filePath: file)))
    }

    // MARK: Linking

    @Test func `links every picture into its set, and reports the camera's wrong clock`() async throws {
        try fill(endings: ["ARW", "JPG"])
        let before = card.names
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(
            bench.output == """
                Shoot 9, Sony Corporation ILCE-7M4, 1/1000 to 1/4
                5 of 5 frames have a file.
                The camera's clock is 1 h 3 min ahead of this computer's clock.
                Wrote the shoot to \(card.path)/\(Self.folder).

                """
        )
        #expect(bench.errors.isEmpty)
        // The shared frame is in both sets.
        let places = [[0, 1, 2], [2, 3, 4]].enumerated().flatMap { set, frames in
            frames.flatMap { index in ["ARW", "JPG"].map { "set-\(set + 1)/\(name(index, $0))" } }
        }
        #expect(card.names == (before + (places + ["manifest.json"]).map { "\(Self.folder)/\($0)" }).sorted())
        for place in places {
            let original = try #require(place.split(separator: "/").last.map(String.init))
            #expect(card.number("\(Self.folder)/\(place)") == card.number(original))
        }
        let frames = try #require(try manifest()["frames"]?.arrayValue)
        #expect(frames.map { $0["set"]?.intValue } == [1, 1, 1, 2, 2, 2])
        #expect(frames.map { $0["sharedWithSet"]?.intValue } == [nil, nil, nil, 1, nil, nil])
        let file = try #require(frames[1]["files"]?.arrayValue?.first)
        #expect(file["path"]?.stringValue == "set-1/DSC00002.ARW")
        #expect(file["original"]?.stringValue == "../DSC00002.ARW")
        #expect(file["exposureTime"]?.stringValue == "1/250")
        #expect(file["model"]?.stringValue == "ILCE-7M4")
    }

    @Test func `a second run changes nothing`() async throws {
        try fill()
        #expect(await sort(Bench()) == .allDone)
        let names = card.names
        let manifest = try manifest()
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(card.names == names)
        #expect(try self.manifest() == manifest)
        #expect(bench.lines[1] == "5 of 5 frames have a file.")
    }

    @Test func `an interrupted run is completed by the next one, which treats no link as an original`() async throws {
        try fill()
        // A file has the name of the second set's directory, so links in it are not possible.
        try card.add("\(Self.folder)/set-2", [])
        #expect(await sort(Bench()) == .error)
        #expect(card.names.contains("\(Self.folder)/set-1/\(name(0))"))
        // The manifest is valid. It names the original files, because there are no links.
        let listed = try #require(try manifest()["frames"]?.arrayValue)
        #expect(
            listed.map { $0["files"]?.arrayValue?.first?["path"]?.stringValue }
                == [0, 1, 2, 2, 3, 4].map { "../\(name($0))" }
        )
        try FileManager.default.removeItem(atPath: card.file("\(Self.folder)/set-2"))
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(bench.errors.isEmpty)
        let frames = try #require(try manifest()["frames"]?.arrayValue)
        let originals = frames.compactMap { $0["files"]?.arrayValue?.first?["original"]?.stringValue }
        #expect(originals == [0, 1, 2, 2, 3, 4].map { "../\(name($0))" })
        #expect(card.names.filter { $0.hasPrefix("\(Self.folder)/set-") }.count == 6)
    }

    @Test func `wrong links of an interrupted run are removed`() async throws {
        try fill()
        try card.add("\(Self.folder)/set-2", [])
        #expect(await sort(Bench()) == .error)
        try FileManager.default.removeItem(atPath: card.file("\(Self.folder)/set-2"))
        try FileManager.default.moveItem(atPath: card.file("DSC00001.ARW"), toPath: card.file("NEW.ARW"))
        try card.add("\(Self.folder)/set-1/mine.txt", Array("mine".utf8))
        #expect(await sort(Bench()) == .allDone)
        let linked = card.names.filter { $0.hasPrefix(Self.folder + "/set-1") }
        #expect(
            linked
                == ["DSC00002.ARW", "DSC00003.ARW", "NEW.ARW", "mine.txt"].map { "\(Self.folder)/set-1/\($0)" }
        )
    }

    @Test func `the manifest of an interrupted run excludes its links from the next one`() async throws {
        try fill()
        #expect(await sort(Bench()) == .allDone)
        let (names, complete) = (card.names, try manifest())
        try card.add("\(Self.folder)/manifest.json", Array(#"{"writtenBy":"bracketctl sort","frames":[]}"#.utf8))
        #expect(await sort(Bench()) == .allDone)
        #expect(try card.names == names && manifest() == complete)
    }

    @Test func `names the frame without a file, and pictures taken by hand`() async throws {
        try fill(without: [3])
        try card.add("DSC00099.ARW", 1, 500, at: Self.begin + 13 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench) == .partial)
        #expect(bench.lines[1] == "4 of 5 frames have a file. Set 2, frame 2 (1/15) has no file.")
        #expect(bench.lines[3] == "DSC00099.ARW (1/500) was taken during the shoot, but belongs to no frame.")
        #expect(!card.names.contains { $0.hasPrefix(Self.folder) && $0.hasSuffix("99.ARW") })
    }

    @Test func `wrong links of an earlier run are removed, originals stay`() async throws {
        try fill()
        #expect(await sort(Bench()) == .allDone)
        try FileManager.default.moveItem(atPath: card.file("DSC00005.ARW"), toPath: card.file("NEW.ARW"))
        #expect(await sort(Bench()) == .allDone)
        let linked = card.names.filter { $0.hasPrefix(Self.folder + "/set-2") }
        #expect(linked == ["DSC00003.ARW", "DSC00004.ARW", "NEW.ARW"].map { "\(Self.folder)/set-2/\($0)" })
        #expect(card.number("NEW.ARW") == card.number("\(Self.folder)/set-2/NEW.ARW"))
    }

    @Test func `a name that is used gets a number`() async throws {
        try fill()
        try card.add("\(Self.folder)/set-1/DSC00001.ARW", Array("mine".utf8))
        #expect(await sort(Bench()) == .allDone)
        let mine = try String(contentsOfFile: card.file("\(Self.folder)/set-1/DSC00001.ARW"), encoding: .utf8)
        #expect(mine == "mine")
        #expect(card.number("\(Self.folder)/set-1/DSC00001-2.ARW") == card.number("DSC00001.ARW"))
    }

    @Test func `another program's manifest is not replaced`() async throws {
        try fill()
        try card.add("\(Self.folder)/manifest.json", Array("{\"version\":1}".utf8))
        let bench = Bench()
        #expect(await sort(bench) == .error)
        #expect(bench.errors.contains("has a manifest of another program"))
        #expect(try manifest() == ["version": 1])
        #expect(!card.names.contains { $0.hasPrefix("\(Self.folder)/set") })
    }

    // MARK: Unusual frames

    /// Changes members of a frame in the history export.
    private func change(_ index: Int, _ members: [String: JSONValue]) throws {
        var shoot = try #require(Self.shoot.objectValue)
        var frames = try #require(shoot["frames"]?.arrayValue)
        frames[index] = .object(try #require(frames[index].objectValue).merging(members) { $1 })
        shoot["frames"] = .array(frames)
        try JSONValue.object(shoot).description.write(toFile: export, atomically: true, encoding: .utf8)
    }

    @Test func `both pictures of a frame that was fired twice are its files, the last one last`() async throws {
        try change(
            1,
            ["again": "captured", "attempted": "2026-11-20T10:00:24.100Z", "captured": "2026-11-20T10:00:25.000Z"]
        )
        try fill()
        try card.add("DSC00006.ARW", 1, 250, at: Self.begin + 24.4 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(
            bench.lines[3]
                == "Set 1, frame 2 (1/250) was fired twice. Earlier picture: DSC00002.ARW. Last picture: DSC00006.ARW."
        )
        let files = try #require(try manifest()["frames"]?.arrayValue?[1]["files"]?.arrayValue)
        #expect(files.map { $0["path"]?.stringValue } == ["set-1/DSC00002.ARW", "set-1/DSC00006.ARW"])
    }

    @Test func `a suspect frame's picture is found by its time, and its speed is reported`() async throws {
        try change(3, ["outcome": "suspect", "doubt": "The picture says 1/30, not 1/15."])
        try fill(without: [3])
        try card.add("DSC00004.ARW", 1, 30, at: Self.begin + 16.4 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(
            bench.lines[3]
                == "Set 2, frame 2 (1/15) is suspect: DSC00004.ARW was taken at the right time, but with 1/30."
        )
        let frame = try #require(try manifest()["frames"]?.arrayValue?[4])
        #expect(frame["outcome"] == "suspect" && frame["doubt"]?.stringValue?.contains("1/30") == true)
    }

    @Test func `two pictures that fit a frame equally well are reported, and the manifest says so`() async throws {
        try fill()
        try card.add("DSC00007.ARW", 1, 15, at: Self.begin + 16.6 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(
            bench.lines[3]
                == "Set 2, frame 2 (1/15) is uncertain: another picture or frame of this speed is as close in time as "
                + "DSC00004.ARW."
        )
        #expect(bench.lines[4].hasSuffix("belongs to no frame. It may be another picture of set 2, frame 2."))
        #expect(try manifest()["frames"]?.arrayValue?[4]["isUnsure"] == true)
    }

    @Test func `a frame that was not fired is reported as such`() async throws {
        try change(4, ["outcome": "planned", "attempted": .null, "captured": .null])
        try fill(without: [4])
        let bench = Bench()
        #expect(await sort(bench) == .partial)
        #expect(bench.lines[1] == "4 of 5 frames have a file. Set 2, frame 3 (1/4) was not fired.")
    }

    @Test func `pictures of another camera are ignored`() async throws {
        try fill()
        for (index, speed) in Self.speeds.enumerated() {
            let time = Self.begin + 300 + Double(2 * index)
            try card.add("NIK0\(index).NEF", speed.0, speed.1, at: time, model: "NIKONZ 6")
        }
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(bench.lines[2] == "The camera's clock is 1 h 3 min ahead of this computer's clock.")
    }

    @Test func `without hard links the manifest names the originals`() async throws {
        try fill()
        let output = "/dev/shm/sort-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let bench = Bench()
        #expect(await sort(bench, "--output", output) == .allDone)
        let manifest = try manifest("\(output)/\(Self.folder)/manifest.json")
        let path = try #require(manifest["frames"]?.arrayValue?[0]["files"]?.arrayValue?[0]["path"]?.stringValue)
        let resolved = URL(filePath: "\(output)/\(Self.folder)/\(path)").standardizedFileURL.path
        #expect(resolved == URL(filePath: card.file("DSC00001.ARW")).standardizedFileURL.path)
        #expect(
            bench.errors
                == "Some files have no links (Invalid cross-device link). The manifest names the original files.\n"
        )
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(output)/\(Self.folder)")
        #expect(left == ["manifest.json"])
    }

    // MARK: Foreign symbolic links

    @Test func `symbolic links are not followed, neither to pictures nor to folders`() async throws {
        try fill(without: [0])
        let other = try CardFixture()
        try other.add("DSC00001.ARW", 1, 1000, at: Self.begin + 10.4 + Self.ahead)
        try FileManager.default.createSymbolicLink(
            atPath: card.file("DSC00001.ARW"),
            withDestinationPath: other.file("DSC00001.ARW")
        )
        try FileManager.default.createSymbolicLink(atPath: card.file("more"), withDestinationPath: other.path)
        let bench = Bench()
        #expect(await sort(bench) == .partial)
        #expect(bench.lines[1] == "4 of 5 frames have a file. Set 1, frame 1 (1/1000) has no file.")
    }

    @Test func `nothing is written through a symbolic link in the place of the shoot's folder`() async throws {
        try fill()
        let other = try CardFixture()
        try FileManager.default.createSymbolicLink(atPath: card.file(Self.folder), withDestinationPath: other.path)
        let bench = Bench()
        #expect(await sort(bench) == .error)
        #expect(other.names.isEmpty)
        #expect(bench.errors.contains("cannot be opened"))
    }

    // MARK: Choices

    @Test func `a dry run prints the same and writes nothing`() async throws {
        try fill(without: [2])
        let before = card.names
        let bench = Bench()
        #expect(await sort(bench, "--dry-run") == .partial)
        #expect(bench.lines[1] == "4 of 5 frames have a file. Set 1, frame 3 (1/60) has no file.")
        #expect(bench.lines.last == "Nothing was written (--dry-run).")
        #expect(card.names == before)
    }

    @Test func `the manifest alone names the originals, also from another folder`() async throws {
        try card.add("100MSDCF/x", [])
        try fill()
        let output = try CardFixture()
        let bench = Bench()
        #expect(await sort(bench, "--manifest-only", "--output", output.path) == .allDone)
        #expect(output.names == ["\(Self.folder)/manifest.json"])
        let frames = try #require(try manifest(output.file("\(Self.folder)/manifest.json"))["frames"]?.arrayValue)
        let path = try #require(frames[0]["files"]?.arrayValue?.first?["path"]?.stringValue)
        let resolved = URL(filePath: output.file("\(Self.folder)/\(path)")).standardizedFileURL.path
        #expect(resolved == URL(filePath: card.file("DSC00001.ARW")).standardizedFileURL.path)
    }

    @Test func `as JSON has the frames, the remaining pictures and the clock's offset to UTC`() async throws {
        try fill(without: [4])
        try card.add("DSC00099.ARW", 1, 500, at: Self.begin + 13 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench, "--json") == .partial)
        let object = try #require(bench.objects.first)
        #expect(object["shoot"] == 9 && object["framesWithFile"] == 4 && object["totalExposures"] == 5)
        var seen: Set<String> = []
        try JSONPage().check(object, of: "sort", seen: &seen)
        #expect(object["strays"] == [["files": ["DSC00099.ARW"], "speed": "1/500"]])
        #expect(object["folder"]?.stringValue == "\(card.path)/\(Self.folder)")
        let offset = try #require(object["clockOffsetSeconds"]?.doubleValue)
        #expect(abs(offset - Self.ahead) < 1)
    }

    @Test func `an offset that the user gives is relative to local time`() async throws {
        try card.add("DSC00005.ARW", 1, 4, at: Self.begin + 18.4 + Self.ahead)
        let bench = Bench()
        #expect(await sort(bench) == .nothingCaptured)
        #expect(bench.lines[1].hasPrefix("0 of 5 frames have a file. No offset"))
        let second = Bench()
        #expect(await sort(second, "--clock-offset", "+1:03") == .partial)
        #expect(second.lines[1].hasPrefix("1 of 5 frames have a file. Set 1, frame 1 (1/1000) has no file."))
        let third = Bench()
        #expect(await sort(third, "--clock-offset", "-1:03") == .nothingCaptured)
        #expect(await sort(Bench(), "--clock-offset", "1h") == .usage)
    }

    @Test func `two offsets that fit are reported, and nothing is written`() async throws {
        try fill()
        for (index, speed) in Self.speeds.enumerated() {
            let time = Self.begin + 10.4 + Double(2 * index) + Self.ahead + 300
            try card.add("OTHER0\(index).ARW", speed.0, speed.1, at: time)
        }
        let before = card.names
        let bench = Bench()
        #expect(await sort(bench) == .error)
        #expect(bench.errors.contains("--clock-offset +1:03:0") && bench.errors.contains(" or +1:08:0"))
        #expect(card.names == before)
    }

    // MARK: Unusable files

    @Test func `a file that cannot be read is named and left out, and its JPEG replaces it`() async throws {
        try fill(without: [1])
        try card.add("DSC00002.JPG", 1, 250, at: Self.begin + 12.4 + Self.ahead)
        try card.add("DSC00002.ARW", Array("nothing".utf8))
        try card.add("DSC00777.ARW", Array("nothing".utf8))
        try card.add(".DSC00001.ARW", Array("nothing".utf8))
        try card.add("notes.txt", Array("nothing".utf8))
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(bench.errors == "DSC00777.ARW is ignored: the file has no EXIF data.\n")
        #expect(card.names.contains("\(Self.folder)/set-1/DSC00002.ARW"))
        let empty = try CardFixture()
        let second = Bench()
        #expect(await second.run("sort", empty.path, "--from", export) == .nothingCaptured)
        #expect(second.errors.contains("contains no picture with EXIF data"))
    }

    @Test func `a folder that is too deep, or cannot be opened, is named`() async throws {
        try fill()
        let deep = (1...17).map { "\($0)" }.joined(separator: "/")
        try card.add("\(deep)/DSC00777.ARW", Array("nothing".utf8))
        let bench = Bench()
        #expect(await sort(bench) == .allDone)
        #expect(bench.errors == "\(deep) is too deep in the folders. Its pictures are ignored.\n")
        // The root user may open every directory.
        guard geteuid() != 0 else { return }
        chmod(card.file("1"), 0)
        defer { chmod(card.file("1"), 0o755) }
        let second = Bench()
        #expect(await sort(second) == .allDone)
        #expect(second.errors == "1 cannot be opened: Permission denied. Its pictures are ignored.\n")
    }

    @Test func `a file that is not an export is refused`() async throws {
        try fill()
        for text in ["", "{}", "[1", "{\"sets\":[{}]}"] {
            try text.write(toFile: export, atomically: true, encoding: .utf8)
            let bench = Bench()
            #expect(await sort(bench) == .error)
            #expect(bench.errors.contains("Give a file of bracketctl history export ID."))
        }
        let bench = Bench()
        #expect(await bench.run("sort", "/nonexistent", "--from", export) == .error)
    }

    // MARK: Sources of the shoot

    @Test func `the export of a shoot sorts like the daemon's answer`() async throws {
        try fill()
        let export = HistoryExport.json(try ShootRecord(Self.shoot))
        for text in [export, PrintedJSON.record(Self.shoot).description] {
            try text.write(toFile: self.export, atomically: true, encoding: .utf8)
            let bench = Bench()
            #expect(await sort(bench) == .allDone)
            #expect(card.names.filter { $0.hasPrefix("\(Self.folder)/set-2") }.count == 3)
        }
    }

    @Test func `the last shoot is read from the daemon, with its neighbours`() async throws {
        try fill()
        let summary = try #require(Self.shoot["shoot"])
        let answers: [String: FakeDaemon.Answer] = [
            "GetHistory": .one("shoots", .array([summary])), "GetShoot": .one("shoot", Self.shoot),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("sort", card.path, against: daemon) == .allDone)
            #expect(daemon.calls.map(\.parameters) == [["limit": 50], ["id": 9]])
            #expect(bench.lines[1] == "5 of 5 frames have a file.")
        }
        #expect(await Bench().run("sort", card.path) == .noDaemon)
    }

    @Test func `an impossible number of a shoot is refused`() async throws {
        try fill()
        let answers: [String: FakeDaemon.Answer] = [
            "GetHistory": .one("shoots", []), "GetShoot": .error("io.bracketd.NoSuchShoot"),
        ]
        try await withDaemon(answers) { daemon in
            #expect(await Bench().run("sort", card.path, "--shoot", "\(Int.max)", against: daemon) == .error)
            #expect(daemon.calls.first?.parameters["before"]?.intValue == Int.max)
        }
    }

    @Test func `with all shoots only those with pictures are reported`() async throws {
        try fill()
        let bench = Bench()
        #expect(await sort(bench, "--all") == .allDone)
        let empty = try CardFixture()
        try empty.add("A.ARW", 1, 8000, at: Self.begin)
        let second = Bench()
        #expect(await second.run("sort", empty.path, "--from", export, "--all") == .nothingCaptured)
        #expect(second.output == "The pictures belong to no recorded shoot.\n")
    }
}
