import Cameras
import Controller
import Glibc
import NIOCore
import PictureReader
import Testing

@testable import Host

/// Tests the files of pictures, without the thread that writes them.
struct PictureFilesTests {
    private let directory: TemporaryDirectory
    private let other: Folder

    init() throws {
        directory = try TemporaryDirectory()
        other = try Folder(path: directory.path).folder("other")
    }

    private func files(_ path: String? = nil) -> PictureFiles {
        PictureFiles(directory: path ?? directory.path, roomMin: 0, reader: .installed()) { 0 }
    }

    private var names: [String] { get throws { try other.names(countMax: 100).sorted() } }

    @Test func `a disk with free bytes that accepts no file has no room`() {
        var good = files()
        let hasRoom = good.hasRoom()
        #expect(hasRoom)
        #expect(directory.names == ["other"])
        // In this directory no process can create files, not even root.
        var bad = files("/proc/self")
        let badHasRoom = bad.hasRoom()
        #expect(!badHasRoom)
    }

    @Test func `a disk is tested again after a failure, not after a stored picture`() throws {
        var files = files()
        // A directory has the name of the file that is created as a test, so creating the file fails.
        try #require(mkdir(directory.file(".probe-\(getpid())"), 0o700) == 0)
        let isTried = !files.hasRoom()
        #expect(isTried)
        let destination = PictureDestination(shoot: nil, set: nil, name: "A.JPG", kind: .jpeg, byteCount: nil)
        let (first, second) = (PictureID(rawValue: 1), PictureID(rawValue: 2))
        try files.begin(first, destination, offset: 0)
        _ = try files.finish(first)
        let isTakenAsItIs = files.hasRoom()
        #expect(isTakenAsItIs)
        try files.begin(second, destination, offset: 0)
        #expect(throws: PictureFailure.self) { try files.begin(second, destination, offset: 1) }
        let isTriedAgain = !files.hasRoom()
        #expect(isTriedAgain)
    }

    @Test func `a complete picture gets its name at the next start, an incomplete one does not`() throws {
        let destination = PictureDestination(shoot: nil, set: nil, name: "A.JPG", kind: .jpeg, byteCount: 9)
        // The file is the second one with its name. After a crash at its end, both files exist.
        for isWhole in [true, false] {
            var part = try PicturePart(destination, in: other)
            try part.append(ByteBuffer(string: "abc"))
            if isWhole { part.markWhole() }
        }
        try directory.write("older", to: "other/A.JPG")
        // The first file is incomplete after a power cut. The second one is not a regular file.
        try directory.write("ab", to: "other/.B.JPG.part.3.whole")
        symlink("A.JPG", directory.file("other/.C.JPG.part.5.whole"))
        mkfifo(directory.file("other/.D.JPG.part.0.whole"), 0o600)
        // The daemon does not use these names.
        for name in ["E.JPG.part.0.whole", ".F.JPG.0.whole", ".G.JPG.part.x.whole"] {
            try directory.write("", to: "other/\(name)")
        }
        #expect(try files().clearLeftovers() == .init(removed: 4, kept: 1))
        #expect(try names == [".F.JPG.0.whole", ".G.JPG.part.x.whole", "A-2.JPG", "A.JPG", "E.JPG.part.0.whole"])
        #expect(directory.read("other/A-2.JPG") == "abc")
        #expect(directory.read("other/A.JPG") == "older")
    }

    @Test func `a picture that another daemon receives stays, in each of its steps`() throws {
        let destination = PictureDestination(shoot: nil, set: nil, name: "A.JPG", kind: .jpeg, byteCount: 3)
        var begun = try PicturePart(destination, in: other)
        var interrupted = try PicturePart(destination, in: other)
        try interrupted.append(ByteBuffer(string: "ab"))
        interrupted.interrupt()
        var whole = try PicturePart(destination, in: other)
        try whole.append(ByteBuffer(string: "abc"))
        whole.markWhole()
        let before = try names
        #expect(before.count == 3)
        #expect(try files().clearLeftovers() == .init())
        #expect(try names == before)
        // The other pictures continue, without an effect on this one.
        try interrupted.resume(at: 2)
        try interrupted.append(ByteBuffer(string: "c"))
        #expect(try interrupted.finish().name == "A.JPG")
        #expect(try whole.finish().name == "A-2.JPG")
        begun.remove()
        #expect(try names == ["A-2.JPG", "A.JPG"])
    }

    @Test func `a manifest that a killed daemon did not finish is removed at the next start`() throws {
        let folder = "20261121-083000-shoot-3"
        try #require(mkdir(directory.file(folder), 0o700) == 0)
        for name in ["manifest.json", ".manifest.json.new", ".other.json.new"] {
            try directory.write("{}", to: "\(folder)/\(name)")
        }
        let path = directory.file("\(folder)/.manifest.json.new")
        // Another daemon writes the file.
        var writer: Descriptor? = try Descriptor { open(path, O_WRONLY | O_CLOEXEC) }
        writer?.claim()
        #expect(try files().clearLeftovers() == .init())
        #expect(directory.exists("\(folder)/.manifest.json.new"))
        writer = nil
        #expect(try files().clearLeftovers() == .init())
        #expect(directory.exists("\(folder)/manifest.json"))
        #expect(!directory.exists("\(folder)/.manifest.json.new"))
        #expect(directory.exists("\(folder)/.other.json.new"))
    }

    @Test func `a file gets a new name on disks that know neither way to do it in one step`() throws {
        try directory.write("new", to: "other/.A.part")
        try directory.write("old", to: "other/A")
        #expect(throws: SystemError(code: EEXIST)) { try other.rename(".A.part", overOwn: "A") }
        #expect(try names == [".A.part", "A"])
        #expect(directory.read("other/A") == "old")
        try other.rename(".A.part", overOwn: "B")
        #expect(try names == ["A", "B"])
        #expect(directory.read("other/B") == "new")
        // If the source is missing, the call creates no file.
        #expect(throws: SystemError(code: ENOENT)) { try other.rename("gone", overOwn: "C") }
        #expect(try names == ["A", "B"])
    }
}
