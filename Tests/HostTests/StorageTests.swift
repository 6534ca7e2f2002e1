import Cameras
import Glibc
import Testing

@testable import Host

struct StorageTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func readOrCreate() throws -> (guid: [UInt8], notice: String?) {
        try InitiatorFile(directory: StorageDirectory(path: directory.path)).readOrCreate()
    }

    @Test func `the GUID is made once and kept`() throws {
        let first = try readOrCreate()
        #expect(first.guid.count == InitiatorIdentity.guidByteCount)
        #expect(first.notice == nil)
        #expect(try readOrCreate().guid == first.guid)
        #expect(directory.names == ["initiator-guid"])
        #expect(directory.mode(of: "initiator-guid") == 0o600)
        let other = try TemporaryDirectory()
        let file = InitiatorFile(directory: try StorageDirectory(path: other.path))
        #expect(try file.readOrCreate().guid != first.guid)
    }

    @Test(arguments: [
        "", "\n", String(repeating: "a", count: 31) + "\n", String(repeating: "a", count: 32),
        String(repeating: "0", count: 32) + "\n", String(repeating: "g", count: 32) + "\n",
        String(repeating: "a", count: 32) + "\n\n", String(repeating: "\0", count: 33),
        String(repeating: "a", count: 5000) + "\n",
    ])
    func `a damaged file is set aside with a sentence, and replaced`(content: String) throws {
        try directory.write(content, to: "initiator-guid")
        let (guid, notice) = try readOrCreate()
        #expect(
            notice == "\(directory.path)/initiator-guid was damaged and is kept as initiator-guid.damaged. "
                + "The new GUID may need a new pairing on the camera."
        )
        #expect(directory.read("initiator-guid.damaged") == content)
        let again = try readOrCreate()
        #expect(again.guid == guid)
        #expect(again.notice == nil)
    }

    @Test func `temporary files of a killed daemon are removed at the next start`() throws {
        _ = try readOrCreate()
        for name in [".initiator-guid.new", ".armed-plan.json.new", ".other.new"] {
            try directory.write("x", to: name)
        }
        _ = try readOrCreate()
        #expect(try ArmedPlanFile(directory: StorageDirectory(path: directory.path)).read().plan == nil)
        #expect(directory.names.sorted() == [".other.new", "initiator-guid"])
    }

    @Test func `the remains of a write after a power cut are harmless`() throws {
        // Before the rename, only the temporary file exists, complete or not.
        for remains in ["", "abc", String(repeating: "a", count: 100)] {
            let directory = try TemporaryDirectory()
            try directory.write(remains, to: ".initiator-guid.new")
            let file = InitiatorFile(directory: try StorageDirectory(path: directory.path))
            let (guid, notice) = try file.readOrCreate()
            #expect(notice == nil)
            #expect(try file.readOrCreate().guid == guid)
            #expect(directory.names == ["initiator-guid"])
        }
    }

    @Test func `a write that fails leaves the old content`() throws {
        let storage = try StorageDirectory(path: directory.path)
        try storage.write([1], to: "file", by: "temporary")
        // A directory has the name of the temporary file, so open(2) fails as on a full disk.
        _ = try StorageDirectory(path: directory.file("blocked"))
        let error = #expect(throws: StorageError.self) { try storage.write([2], to: "file", by: "blocked") }
        #expect(error?.description == "cannot write \(directory.path)/file: Is a directory")
        #expect(try storage.read("file", sizeMax: 10) == [1])
    }

    /// Files under a name of the daemon that the daemon did not create.
    enum Foreign: CaseIterable { case pipe, directory, danglingLink, link, hardLink }

    private func put(_ kind: Foreign, at name: String) throws {
        try directory.write("elsewhere", to: "elsewhere")
        let path = directory.file(name)
        let result =
            switch kind {
            case .pipe: mkfifo(path, 0o600)
            case .directory: mkdir(path, 0o700)
            case .danglingLink: symlink(directory.file("nothing"), path)
            case .link: symlink(directory.file("elsewhere"), path)
            case .hardLink: link(directory.file("elsewhere"), path)
            }
        #expect(result == 0)
    }

    @Test(arguments: Foreign.allCases)
    func `a foreign file at a temporary name is neither waited for nor written to`(kind: Foreign) throws {
        try put(kind, at: ".file.new")
        let storage = try StorageDirectory(path: directory.path)
        if kind == .directory {
            #expect(throws: StorageError.self) { try storage.write([1], to: "file", by: ".file.new") }
        } else {
            try storage.write([1], to: "file", by: ".file.new")
            #expect(try storage.read("file", sizeMax: 10) == [1])
            #expect(directory.names == ["elsewhere", "file"])
        }
        #expect(directory.read("elsewhere") == "elsewhere")
    }

    @Test(arguments: [Foreign.pipe, .directory, .danglingLink, .link])
    func `a non-file at a state file's name is moved aside, and not followed`(kind: Foreign) throws {
        try put(kind, at: "initiator-guid")
        let (guid, notice) = try readOrCreate()
        #expect(notice?.contains("initiator-guid was damaged and is kept as initiator-guid.damaged") == true)
        #expect(directory.names == ["elsewhere", "initiator-guid", "initiator-guid.damaged"])
        #expect(directory.read("elsewhere") == "elsewhere")
        #expect(try readOrCreate().guid == guid)
        try put(kind, at: "armed-plan.json")
        #expect(try ArmedPlanFile(directory: StorageDirectory(path: directory.path)).read().plan == nil)
    }

    @Test func `a directory has one daemon, which the next one names, and a kill leaves nothing to remove`() throws {
        let storage = try StorageDirectory(path: directory.path)
        var lock = Optional(try storage.lock())
        let error = #expect(throws: StorageError.self) { try storage.lock() }
        #expect(
            error?.description == """
                cannot use the storage directory \(directory.path): another bracketd (process \(getpid())) uses it; \
                stop that process, or set another directory under [storage]
                """
        )
        #expect(lock != nil)
        lock = nil
        #expect(directory.names == ["bracketd.lock"])
        #expect(throws: Never.self) { try storage.lock() }
    }

    @Test(arguments: Foreign.allCases)
    func `a foreign file at the lock's name is refused and stays unchanged`(kind: Foreign) throws {
        try put(kind, at: "bracketd.lock")
        let storage = try StorageDirectory(path: directory.path)
        let error = #expect(throws: StorageError.self) { try storage.lock() }
        #expect(error?.description.contains("\(directory.path)/bracketd.lock") == true)
        #expect(directory.names == ["bracketd.lock", "elsewhere"])
        #expect(directory.read("elsewhere") == "elsewhere")
    }

    @Test func `a second daemon with the same picture directory is refused, an unavailable one is ignored`()
        throws
    {
        let pictures = directory.file("pictures")
        var first = try DirectoryLocks(storage: StorageDirectory(path: directory.file("a")))
        var second = try DirectoryLocks(storage: StorageDirectory(path: directory.file("b")))
        try first.claimPictures(pictures)
        let error = #expect(throws: StorageError.self) { try second.claimPictures(pictures) }
        #expect(
            error?.description == """
                cannot use the pictures directory \(pictures): another bracketd (process \(getpid())) uses it; \
                stop that process, or set another directory under [transfer]
                """
        )
        try second.claimPictures("/proc/self")
    }

    @Test func `the directory and its parents are made`() throws {
        let path = directory.file("a/b/c")
        _ = try StorageDirectory(path: path)
        _ = try StorageDirectory(path: path)
        #expect(directory.mode(of: "a/b/c") == 0o750)
    }

    @Test(arguments: [(EACCES, true), (EPERM, true), (EROFS, true), (ENOTDIR, false), (ENOSPC, false)])
    func `a directory without write permission comes with advice`(code: CInt, isAdvised: Bool) {
        let error = StorageError(directory: "/d", action: .createDirectory, error: SystemError(code: code))
        let advice = isAdvised ? "; set directory under [storage] to a directory that you can write to" : ""
        #expect(error.description == "cannot create the storage directory /d: \(SystemError(code: code))\(advice)")
    }

    @Test func `an impossible directory is named with the reason`() throws {
        try directory.write("", to: "file")
        for (name, reason) in [("file", "Not a directory"), ("file/below", "Not a directory")] {
            let path = directory.file(name)
            let error = #expect(throws: StorageError.self) { try StorageDirectory(path: path) }
            #expect(error?.description == "cannot create the storage directory \(path): \(reason)")
        }
    }
}
