import Foundation
import ProgramOutput
import Testing

@Suite struct NamedFileTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func status(_ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(folder.path(name), &status) == 0)
        return status
    }

    private func isLink(_ name: String) throws -> Bool { try status(name).st_mode & S_IFMT == S_IFLNK }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
    }

    @Test func `a new file is made`() throws {
        try NamedFile.write("new", to: folder.path("file"))
        #expect(try folder.read("file") == "new")
        #expect(try names() == ["file"])
    }

    @Test func `a user's own file is replaced and keeps its permissions`() throws {
        _ = try folder.write("old", to: "file")
        chmod(folder.path("file"), 0o640)
        let before = try status("file")
        let reader = try #require(FileHandle(forReadingAtPath: folder.path("file")))
        try NamedFile.write("new", to: folder.path("file"))
        let after = try status("file")
        #expect(try folder.read("file") == "new")
        #expect(after.st_mode == before.st_mode)
        #expect(after.st_ino != before.st_ino)
        // A process that has the old file open can read the old content to its end.
        #expect(try reader.readToEnd() == Data("old".utf8))
        #expect(try names() == ["file"])
    }

    @Test func `a symbolic link stays one, and its target is written`() throws {
        _ = try folder.write("a longer old text", to: "target")
        symlink(folder.path("target"), folder.path("link"))
        try NamedFile.write("new", to: folder.path("link"))
        #expect(try isLink("link"))
        #expect(try folder.read("target") == "new")
    }

    @Test func `a dangling symbolic link stays one, and its target is created`() throws {
        symlink(folder.path("target"), folder.path("link"))
        try NamedFile.write("new", to: folder.path("link"))
        #expect(try isLink("link"))
        #expect(try folder.read("target") == "new")
    }

    @Test func `a file with two names keeps both`() throws {
        _ = try folder.write("old", to: "file")
        link(folder.path("file"), folder.path("other"))
        try NamedFile.write("new", to: folder.path("file"))
        #expect(try folder.read("other") == "new")
    }

    @Test func `a FIFO stays one, and its reader gets the text`() throws {
        mkfifo(folder.path("fifo"), 0o600)
        let reader = open(folder.path("fifo"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try NamedFile.write("new", to: folder.path("fifo"))
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(reader, &bytes, 10) == 3)
        #expect(try status("fifo").st_mode & S_IFMT == S_IFIFO)
    }

    @Test func `a device gets the text, and its error is reported`() throws {
        try NamedFile.write("new", to: "/dev/null")
        let full = OutputFailure(target: "/dev/full", code: ENOSPC)
        #expect(throws: full) { try NamedFile.write("new", to: "/dev/full") }
        #expect(full.sentence == "/dev/full cannot be written: No space left on device.")
    }

    /// The root user may write every file, so this test runs only for other users.
    @Test(.enabled(if: geteuid() != 0)) func `a file without write permission keeps its content`() throws {
        _ = try folder.write("old", to: "file")
        chmod(folder.path("file"), 0o444)
        let refused = OutputFailure(target: folder.path("file"), code: EACCES)
        #expect(throws: refused) { try NamedFile.write("new", to: folder.path("file")) }
        #expect(try folder.read("file") == "old")
    }

    @Test func `a file keeps its content if a new file fails for another reason than permission`() throws {
        _ = try folder.write("old", to: "file")
        // A directory has the name of the new file.
        mkdir(folder.path("file.\(getpid()).part"), 0o700)
        let refused = OutputFailure(target: folder.path("file"), code: EEXIST)
        #expect(throws: refused) { try NamedFile.write("new", to: folder.path("file")) }
        #expect(try folder.read("file") == "old")
    }

    @Test func `a file with a very long name is written in place`() throws {
        let name = String(repeating: "n", count: 255)
        _ = try folder.write("old", to: name)
        try NamedFile.write("new", to: folder.path(name))
        #expect(try folder.read(name) == "new")
    }

    /// Only the root user may change the group of files, so this test runs only for root.
    @Test(.enabled(if: geteuid() == 0)) func `a file of another group keeps its group`() throws {
        _ = try folder.write("old", to: "file")
        chown(folder.path("file"), geteuid(), getegid() + 1)
        try NamedFile.write("new", to: folder.path("file"))
        #expect(try folder.read("file") == "new")
        #expect(try status("file").st_gid == getegid() + 1)
    }

    @Test func `a folder and an impossible path are refused`() throws {
        #expect(throws: OutputFailure(target: folder.path("") + ".", code: EISDIR)) {
            try NamedFile.write("new", to: folder.path("") + ".")
        }
        #expect(throws: OutputFailure(target: folder.path("no/file"), code: ENOENT)) {
            try NamedFile.write("new", to: folder.path("no/file"))
        }
    }

    @Test func `the journal of a run is written through a symbolic link`() throws {
        let chart = try folder.write(
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"/></scxml>",
            to: "chart.scxml"
        )
        symlink(folder.path("target"), folder.path("link"))
        let end = try BuiltProgram.run("scxml", ["run", chart, "--journal", folder.path("link")])
        #expect(end.status == 0)
        #expect(try isLink("link"))
        #expect(try folder.read("target").hasPrefix("{\"replay\":1"))
        let full = try BuiltProgram.run("scxml", ["run", chart, "--journal", "/dev/full"])
        #expect(full.status == 1)
        #expect(full.errors == "scxml: /dev/full cannot be written: No space left on device.\n")
    }

    @Test func `a chart's drawing is written through a symbolic link`() throws {
        symlink(folder.path("target"), folder.path("link"))
        let end = try BuiltProgram.run("bracketctl", ["charts", "shooting", "--svg", "--output", folder.path("link")])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try isLink("link"))
        #expect(try folder.read("target").hasPrefix("<"))
    }
}
