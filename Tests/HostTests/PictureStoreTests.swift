import Cameras
import Glibc
import Logging
import NIOCore
import NIOPosix
import PictureReader
import Synchronization
import Testing
import Varlink

@testable import Controller
@testable import Host

struct PictureStoreTests {
    private typealias Fixture = PictureStoreFixture

    private static let record = ExposureRecord(
        exposureTime: .init(1, 250),
        fNumber: .init(56, 10),
        iso: 100,
        capturedAt: "2026:11:21 08:30:00",
        model: "ILCE-7M4"
    )

    // MARK: Transfer of a picture

    @Test func `a picture is stored under its name, in the folder of its shoot and set, and is read`() async throws {
        let fixture = try await Fixture()
        let picture = ExifPicture().jpeg(size: 1_000_000)
        try await fixture.perform(1, .begin(Fixture.destination(byteCount: 1_000_000), offset: 0))
        // The size of the pieces is no multiple or divisor of another size.
        for start in stride(from: 0, to: picture.count, by: 70_001) {
            try await fixture.perform(1, .bytes(ByteBuffer(bytes: picture[start..<min(start + 70_001, picture.count)])))
        }
        try await fixture.settle()
        let folder = fixture.shootFolder
        #expect(fixture.files == ["\(folder)/set-2/.DSC00001.JPG.part"])
        #expect(folder.wholeMatch(of: /2026\d\d\d\d-\d\d\d\d\d\d-shoot-3/) != nil, "\(folder)")
        try await fixture.perform(1, .finish)
        let path = "\(folder)/set-2/DSC00001.JPG"
        let stored = StoredPicture(path: path, byteCount: 1_000_000, metadata: .read(Self.record))
        #expect(await fixture.outcome() == .stored(stored))
        #expect(fixture.files == [path])
        #expect(try fixture.content(path) == picture)
        try await fixture.stop()
    }

    @Test func `pictures without a shoot go to a separate folder`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(
            1,
            .begin(Fixture.destination(shoot: nil, set: nil), offset: 0),
            Fixture.bytes("x"),
            .finish
        )
        guard case .stored(let picture) = await fixture.outcome() else {
            Issue.record("not stored")
            return
        }
        #expect(picture.path == "other/DSC00001.JPG")
        #expect(picture.metadata == .unreadable("the file has no EXIF data"))
        try await fixture.stop()
    }

    @Test func `a name that is taken is never overwritten`() async throws {
        let fixture = try await Fixture()
        for (id, content) in [(1, "one"), (2, "two"), (3, "three")] as [(UInt32, String)] {
            try await fixture.perform(id, .begin(Fixture.destination(), offset: 0), Fixture.bytes(content), .finish)
            guard case .stored = await fixture.outcome(id) else {
                Issue.record("\(content) is not stored")
                continue
            }
        }
        let set = "\(fixture.shootFolder)/set-2"
        #expect(fixture.files == ["DSC00001-2.JPG", "DSC00001-3.JPG", "DSC00001.JPG"].map { "\(set)/\($0)" })
        #expect(try fixture.content("\(set)/DSC00001.JPG") == Array("one".utf8))
        #expect(try fixture.content("\(set)/DSC00001-3.JPG") == Array("three".utf8))
        try await fixture.stop()
    }

    @Test func `two pictures at once do not mix`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("a1"))
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0), Fixture.bytes("b1"))
        try await fixture.perform(1, Fixture.bytes("a2"))
        try await fixture.perform(2, Fixture.bytes("b2"), .finish)
        _ = await fixture.outcome(2)
        try await fixture.perform(1, .finish)
        _ = await fixture.outcome(1)
        let contents = try fixture.files.map { String(decoding: try fixture.content($0), as: UTF8.self) }
        #expect(contents.sorted() == ["a1a2", "b1b2"])
        try await fixture.stop()
    }

    @Test func `an interrupted picture continues from its offset`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("0123456789"), .interrupt)
        try await fixture.settle()
        #expect(fixture.files.map { $0.hasSuffix(".part") } == [true])
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 4), Fixture.bytes("abc"), .finish)
        guard case .stored(let picture) = await fixture.outcome() else {
            Issue.record("not stored")
            return
        }
        #expect(picture.byteCount == 7)
        #expect(try fixture.content(picture.path) == Array("0123abc".utf8))
        try await fixture.stop()
    }

    @Test func `a picture without stored bytes cannot continue`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 4), Fixture.bytes("abc"), .finish)
        let absence = "there is no partial file of DSC00001.JPG to continue"
        let failed = PictureOutcome.failed(sentence: absence, isFull: false)
        #expect(await fixture.outcome() == failed)
        // Nor is a picture resumed if fewer bytes of it were kept.
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0), Fixture.bytes("abc"), .interrupt)
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 4), Fixture.bytes("abc"), .finish)
        guard case .failed(let sentence, false) = await fixture.outcome(2) else {
            Issue.record("not failed")
            return
        }
        #expect(sentence.hasPrefix("cannot continue at byte 4 of "))
        #expect(sentence.hasSuffix(".DSC00001.JPG.part: the file has 3 bytes"))
        // Nor is a picture resumed if its file was removed.
        try await fixture.perform(3, .begin(Fixture.destination(), offset: 0), Fixture.bytes("abc"), .interrupt)
        try await fixture.settle()
        for file in fixture.files { unlink("\(fixture.root)/\(file)") }
        try await fixture.perform(3, .begin(Fixture.destination(), offset: 2), .finish)
        guard case .failed(_, false) = await fixture.outcome(3) else {
            Issue.record("not failed")
            return
        }
        try await fixture.settle()
        #expect(fixture.files == [])
        try await fixture.stop()
    }

    @Test func `an abandoned picture leaves nothing`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("abc"), .abandon)
        try await fixture.perform(1, Fixture.bytes("late"), .finish)
        try await fixture.settle()
        #expect(fixture.files == [])
        try await fixture.stop()
    }

    @Test func `the end of the daemon keeps complete pictures and removes incomplete ones`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform(1, .begin(Fixture.destination("A.JPG"), offset: 0), Fixture.bytes("a"), .finish)
        try await fixture.perform(2, .begin(Fixture.destination("B.JPG"), offset: 0), Fixture.bytes("b"))
        try await fixture.perform(3, .begin(Fixture.destination("C.JPG"), offset: 0), Fixture.bytes("c"), .interrupt)
        try await fixture.stop()
        #expect(fixture.files.map { $0.suffix(5) } == ["A.JPG"])
    }

    // MARK: Names

    @Test(arguments: [
        ("DSC00001.JPG", "DSC00001.JPG"), ("../../etc/passwd", "etcpasswd"), ("..", "picture"), ("", "picture"),
        (".hidden.JPG", "hidden.JPG"), ("a/b\\c\0d\n.JPG", "abcd.JPG"), ("-rf.JPG", "rf.JPG"),
        ("Bild ä.ARW", "Bild.ARW"),
        (".JPG", "JPG"), ("x.verylongending", "x.verylongending"), ("__", "picture"),
    ])
    func `a camera's name becomes the name of a file and nothing else`(name: String, expected: String) {
        #expect(PictureName(cameraName: name).numbered(1) == expected)
    }

    @Test func `a long name keeps its extension`() {
        let name = PictureName(cameraName: String(repeating: "x", count: 300) + ".JPG").numbered(1)
        #expect(name.utf8.count == PictureName.lengthMax)
        #expect(name.hasSuffix("x.JPG"))
        #expect(PictureName(cameraName: "a.b").part(12) == ".a-12.b.part")
    }

    @Test func `symbolic links in the way are not followed`() async throws {
        let fixture = try await Fixture()
        mkdir(fixture.root, 0o700)
        mkdir(fixture.directory.file("elsewhere"), 0o700)
        symlink(fixture.directory.file("elsewhere"), "\(fixture.root)/other")
        try await fixture.perform(
            1,
            .begin(Fixture.destination(shoot: nil, set: nil), offset: 0),
            Fixture.bytes("x"),
            .finish
        )
        guard case .failed(let sentence, false) = await fixture.outcome() else {
            Issue.record("not failed")
            return
        }
        #expect(sentence == "cannot create a folder in \(fixture.root): Not a directory")
        unlink("\(fixture.root)/other")
        mkdir("\(fixture.root)/other", 0o700)
        for name in [".DSC00001.JPG.part", "DSC00001.JPG"] {
            symlink(fixture.directory.file("elsewhere/stolen"), "\(fixture.root)/other/\(name)")
        }
        try await fixture.perform(
            2,
            .begin(Fixture.destination(shoot: nil, set: nil), offset: 0),
            Fixture.bytes("x"),
            .finish
        )
        guard case .stored(let picture) = await fixture.outcome(2) else {
            Issue.record("not stored")
            return
        }
        #expect(picture.path == "other/DSC00001-2.JPG")
        #expect(!fixture.directory.exists("elsewhere/stolen"))
        try await fixture.stop()
    }

    @Test func `a shoot never goes into the folder of another one`() async throws {
        let first = try await Fixture()
        try await first.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("one"), .finish)
        _ = await first.outcome()
        try await first.stop()
        let taken = first.shootFolder
        // After a restart the daemon counts from 1 again. The user may also have set the clock back.
        let second = try await Fixture(first.directory)
        try await second.perform(1, .begin(Fixture.destination(set: 1), offset: 0), Fixture.bytes("two"), .finish)
        guard case .stored(let picture) = await second.outcome() else {
            Issue.record("not stored")
            return
        }
        #expect(picture.path == "\(taken)-2/set-1/DSC00001.JPG")
        try await second.stop()
    }

    // MARK: Faults

    @Test(.enabled(if: SmallDisk.isPossible), arguments: [nil, 2_000_000] as [UInt64?])
    func `a full disk is reported as full, and leaves no incomplete file`(byteCount: UInt64?) async throws {
        let directory = try TemporaryDirectory()
        let disk = try SmallDisk(mountedAt: directory.path)
        let fixture = try await Fixture(directory, root: "\(disk.path)/pictures")
        try await fixture.perform(1, .begin(Fixture.destination(byteCount: byteCount), offset: 0))
        for _ in 0..<8 { try await fixture.perform(1, .bytes(ByteBuffer(repeating: 1, count: 250_000))) }
        try await fixture.perform(1, .finish)
        var outcomes: [PictureOutcome] = []
        try await fixture.perform { $0.checkRoom() }
        loop: while let event = await fixture.next() {
            switch event {
            case .input(.picture(_, let outcome)): outcomes.append(outcome)
            case .input(.room(let isThere)):
                // The test requests room for one byte. A disk of 1 MiB has more.
                #expect(isThere)
                break loop
            default: break
            }
        }
        guard outcomes.count == 1, case .failed(let sentence, isFull: true) = outcomes[0] else {
            Issue.record("\(outcomes)")
            return
        }
        let action = byteCount == nil ? "cannot write" : "not enough space for"
        #expect(sentence.hasPrefix("\(action) \(fixture.root)/"))
        #expect(sentence.hasSuffix("/set-2/.DSC00001.JPG.part: No space left on device"))
        #expect(fixture.files == [])
        // A small picture still fits.
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
        guard case .stored = await fixture.outcome(2) else {
            Issue.record("not stored")
            return
        }
        try await fixture.stop()
        withExtendedLifetime(disk) {}
    }

    @Test func `room means space for more than one picture`() async throws {
        let plenty = try await Fixture(roomMin: 1)
        try await plenty.perform { $0.checkRoom() }
        #expect(await plenty.next() == .input(.room(isThere: true)))
        try await plenty.stop()
        let little = try await Fixture(roomMin: .max)
        try await little.perform { $0.checkRoom() }
        #expect(await little.next() == .input(.room(isThere: false)))
        try await little.stop()
        let none = try await Fixture(root: "/dev/null/pictures")
        try await none.perform { $0.checkRoom() }
        #expect(await none.next() == .input(.room(isThere: false)))
        try await none.stop()
    }

    @Test func `an impossible folder is reported, and with each picture`() async throws {
        let fixture = try await Fixture(root: "/dev/null/pictures")
        try await fixture.perform { $0.start() }
        for id: UInt32 in [1, 2] {
            try await fixture.perform(id, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
            let sentence = "cannot create a folder in /dev/null/pictures: Not a directory"
            #expect(await fixture.outcome(id) == .failed(sentence: sentence, isFull: false))
        }
        try await fixture.stop()
        #expect(
            fixture.log.all == [
                "The folder for pictures is not usable: Not a directory. Frames are fired, but pictures are not stored."
            ]
        )
    }

    @Test func `incomplete files of an earlier run are removed, and nothing else`() async throws {
        let fixture = try await Fixture(reader: MetadataReader(program: nil))
        let folders = ["20260101-000000-shoot-1/set-1", "20260102-000000-shoot-1/set-2", "other", "mine", "mine/set-1"]
        for folder in folders {
            try makeDirectories("\(fixture.root)/\(folder)", mode: 0o700)
            for name in [".A.JPG.part", "A.JPG", ".part", "B.part"] {
                close(open("\(fixture.root)/\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600))
            }
        }
        let before = fixture.files
        try await fixture.perform { $0.start() }
        try await fixture.settle()
        let removed = Set(before).subtracting(fixture.files)
        #expect(removed == Set(folders.prefix(3).map { "\($0)/.A.JPG.part" }))
        try await fixture.stop()
        #expect(
            fixture.log.all == [
                """
                bracketd-exif is not installed. Pictures are stored, but not checked against the plan.
                """,
                "Removed 3 incomplete pictures of an earlier run.",
            ]
        )
    }

    @Test func `a daemon that is killed in the middle leaves no file under a picture's name`() async throws {
        let directory = try TemporaryDirectory()
        let listener = try Listener()
        let program = try ChildProgram(
            "downloadbench",
            ["daemon", "\(listener.port)", "1000000", directory.path]
        )
        let socket = try listener.accept()
        let half = [UInt8](repeating: 7, count: 700_000)
        try writeAll(half, to: socket)
        let fixture = try await Fixture(directory, root: directory.file("pictures"))
        func part() -> String? { fixture.files.first { $0.hasSuffix("/set-1/.DSC00001.JPG.part") } }
        var status = stat()
        // The loop waits until the file is partly written.
        while part().map({ stat("\(fixture.root)/\($0)", &status) == 0 && status.st_size > 0 }) != true {
            try #require(program.isRunning)
            poll(nil, 0, 5)
        }
        program.kill()
        close(socket)
        #expect(fixture.files.count == 1)
        #expect(part() != nil)
        try await fixture.perform { $0.start() }
        try await fixture.settle()
        #expect(fixture.files == [])
        try await fixture.stop()
    }

    // MARK: The manifest

    private static func manifest(_ outcome: String, files: [Manifest.File] = []) -> Manifest {
        Manifest(
            shoot: 3,
            camera: "ILCE-7M4",
            plan: "1/4 to 1/1000",
            frames: [
                .init(set: 1, frame: 1, speed: "1/250", outcome: outcome, doubt: "it is \"dark\"", files: files),
                .init(set: 1, frame: 2, speed: "1/500", outcome: "planned"),
            ]
        )
    }

    @Test func `the newest manifest is in its shoot's folder, complete`() async throws {
        let fixture = try await Fixture()
        let picture = ExifPicture().jpeg(size: 5000)
        try await fixture.perform(
            1,
            .begin(Fixture.destination(), offset: 0),
            .bytes(ByteBuffer(bytes: picture)),
            .finish
        )
        guard case .stored(let stored) = await fixture.outcome() else {
            Issue.record("not stored")
            return
        }
        let files = [
            Manifest.File(path: stored.path, byteCount: stored.byteCount, metadata: stored.metadata),
            Manifest.File(path: "other/X.JPG", byteCount: 1, metadata: .unreadable("the file has no EXIF data")),
        ]
        try await fixture.perform { store in
            for number in 1...50 { store.write(Self.manifest("number \(number)")) }
            store.write(Self.manifest("suspect", files: files))
        }
        try await fixture.settle()
        let folder = fixture.shootFolder
        #expect(fixture.files == ["\(folder)/manifest.json", stored.path])
        let text = try fixture.content("\(folder)/manifest.json")
        #expect(text.last == UInt8(ascii: "\n"))
        let expected: JSONValue = [
            "version": 1, "shoot": 3, "camera": "ILCE-7M4", "plan": "1/4 to 1/1000",
            "frames": [
                [
                    "set": 1, "frame": 1, "speed": "1/250", "outcome": "suspect", "doubt": "it is \"dark\"",
                    "files": [
                        [
                            "path": "set-2/DSC00001.JPG", "byteCount": 5000, "exposureTime": "1/250", "fNumber": 5.6,
                            "iso": 100, "capturedAt": "2026:11:21 08:30:00", "model": "ILCE-7M4",
                        ],
                        ["path": "../other/X.JPG", "byteCount": 1, "unreadable": "the file has no EXIF data"],
                    ],
                ],
                ["set": 1, "frame": 2, "speed": "1/500", "outcome": "planned", "files": []],
            ],
        ]
        #expect(try JSONValue(parsing: text) == expected)
        try await fixture.stop()
    }

    @Test func `a shared frame is one file in both folders, and is in both sets of the manifest`()
        async throws
    {
        let fixture = try await Fixture()
        var destination = Fixture.destination(set: 1)
        destination.nextSet = 2
        try await fixture.perform(1, .begin(destination, offset: 0), Fixture.bytes("one"), .finish)
        guard case .stored(let stored) = await fixture.outcome() else {
            Issue.record("not stored")
            return
        }
        let folder = fixture.shootFolder
        #expect(stored.path == "\(folder)/set-1/DSC00001.JPG")
        #expect(fixture.files == ["\(folder)/set-1/DSC00001.JPG", "\(folder)/set-2/DSC00001.JPG"])
        var status = stat()
        #expect(stat("\(fixture.root)/\(folder)/set-2/DSC00001.JPG", &status) == 0 && status.st_nlink == 2)
        let file = Manifest.File(path: stored.path, byteCount: 3, metadata: .notRead("n"))
        let manifest = Manifest(
            shoot: 3,
            camera: "c",
            plan: "p",
            frames: [
                .init(set: 1, frame: 1, speed: "1/500", outcome: "captured"),
                .init(set: 1, frame: 2, speed: "1/250", outcome: "captured", files: [file]),
                .init(set: 2, frame: 2, speed: "1/125", outcome: "captured"),
                .init(set: 3, frame: 1, speed: "1/60", outcome: "captured"),
            ]
        )
        try await fixture.perform { $0.write(manifest) }
        try await fixture.settle()
        let frames = try #require(
            JSONValue(parsing: fixture.content("\(folder)/manifest.json"))["frames"]?.arrayValue
        )
        #expect(
            frames.map { [$0["set"]?.intValue, $0["frame"]?.intValue] } == [
                [1, 1], [1, 2], [2, 1], [2, 2], [3, 1],
            ]
        )
        #expect(frames.map { $0["sharedWithSet"]?.intValue } == [nil, nil, 1, nil, nil])
        #expect(frames[2]["speed"] == "1/250")
        #expect(frames[2]["files"]?.arrayValue?.first?["path"] == "set-1/DSC00001.JPG")
        try await fixture.stop()
    }

    @Test func `the files of an earlier run are read a few at a time, so a new picture does not wait`() async throws {
        let fixture = try await Fixture()
        try await fixture.perform { $0.write(Self.manifest("planned")) }
        try await fixture.settle()
        let names = (1...2 * PictureFiles.readsPerManifest).map { "DSC0000\($0).JPG" }
        let set = "\(fixture.root)/\(fixture.shootFolder)/set-1"
        #expect(mkdir(set, 0o755) == 0)
        for name in names {
            let file = open("\(set)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(file) }
            #expect(write(file, "x", 1) == 1)
        }
        let files = names.map {
            Manifest.File(path: "\(fixture.shootFolder)/set-1/\($0)", byteCount: nil, metadata: nil)
        }
        func countRead() async throws -> Int {
            try await fixture.perform { $0.write(Self.manifest("captured", files: files)) }
            try await fixture.settle()
            let manifest = try JSONValue(parsing: fixture.content("\(fixture.shootFolder)/manifest.json"))
            let listed = manifest["frames"]?.arrayValue?.first?["files"]?.arrayValue ?? []
            return listed.count { $0["byteCount"]?.intValue == 1 }
        }
        #expect(try await countRead() == PictureFiles.readsPerManifest)
        #expect(try await countRead() == 2 * PictureFiles.readsPerManifest)
        try await fixture.stop()
    }

    @Test func `a manifest that cannot be written is reported once`() async throws {
        let fixture = try await Fixture(root: "/dev/null/pictures")
        for _ in 0..<3 {
            try await fixture.perform { $0.write(Self.manifest("planned")) }
            try await fixture.settle()
        }
        try await fixture.stop()
        #expect(
            fixture.log.all == [
                "cannot write the manifest of shoot 3 in /dev/null/pictures: Not a directory"
            ]
        )
    }
}
