import CSQLite
import Controller
import Glibc
import Synchronization
import Testing

@testable import Ledger

/// SQLite's own file system, in which one read fails, or all reads fail from a certain read on.
private enum FailingFileSystem {
    struct Fault {
        /// The prefix of the affected paths.
        var prefix: String
        /// The number of reads that succeed before the failure.
        var readsBefore: Int
        /// The result of the failed read.
        var code: CInt
        /// Whether all later reads fail too.
        var isLasting = false
        var hasFailed = false
    }

    static let fault = Mutex<Fault?>(nil)
    nonisolated(unsafe) static let original = sqlite3_vfs_find(nil)
    nonisolated(unsafe) static var read: (@convention(c) (Pointer?, UnsafeMutableRawPointer?, CInt, Int64) -> CInt)?
    /// The replaced methods. The key is the original methods, because those of a log differ from those of a database.
    nonisolated(unsafe) private static var methods: [UnsafePointer<sqlite3_io_methods>: Methods] = [:]

    typealias Pointer = UnsafeMutablePointer<sqlite3_file>
    private typealias Methods = UnsafeMutablePointer<sqlite3_io_methods>

    /// Installs this file system in the process. Files of other tests are not affected.
    static let installed: Void = {
        guard let original else { return }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: original.pointee)
        own.pointee.pNext = nil
        own.pointee.zName = UnsafePointer(strdup("failing"))
        own.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let original = FailingFileSystem.original else { return SQLITE_ERROR }
            let result = original.pointee.xOpen(original, name, file, flags, outFlags)
            guard result == SQLITE_OK, let name, let file else { return result }
            let path = String(cString: name)
            let isOurs = FailingFileSystem.fault.withLock { $0.map { path.hasPrefix($0.prefix) } ?? false }
            if isOurs { FailingFileSystem.adopt(file) }
            return result
        }
        sqlite3_vfs_register(own, 1)
    }()

    private static func adopt(_ file: Pointer) {
        guard let original = file.pointee.pMethods else { return }
        file.pointee.pMethods = UnsafePointer(methods[original] ?? replacement(of: original))
    }

    private static func replacement(of original: UnsafePointer<sqlite3_io_methods>) -> Methods {
        let own = Methods.allocate(capacity: 1)
        own.initialize(to: original.pointee)
        read = original.pointee.xRead
        own.pointee.xRead = { file, buffer, count, offset in
            let code = FailingFileSystem.fault.withLock { fault -> CInt? in
                guard let due = fault, due.isLasting || !due.hasFailed else { return nil }
                fault?.readsBefore -= 1
                guard due.readsBefore <= 0 else { return nil }
                fault?.hasFailed = true
                return due.code
            }
            return code ?? FailingFileSystem.read?(file, buffer, count, offset) ?? SQLITE_ERROR
        }
        methods[original] = own
        return own
    }
}

@Suite(.serialized) struct TransientTests {
    /// An intact ledger with shoots in its log.
    private func sound() throws -> [(String, [UInt8])] {
        _ = FailingFileSystem.installed
        let whole = try LedgerFixture()
        _ = try whole.ledger.open()
        for id in 1...30 { try whole.record(id, [.captured, .planned, .verified]) }
        let files = ["", "-wal", "-count"].map { ($0, whole.bytes("ledger.sqlite\($0)")) }
        #expect(files[1].1.count > 10_000)
        return files
    }

    // Errors of the disk (SQLITE_IOERR_READ, SQLITE_IOERR_CORRUPTFS) are not damage, however often they occur. Here the
    // second read fails too.
    @Test(arguments: [266, 8458] as [CInt])
    func `permanent read errors do not move a sound ledger aside, whenever they begin`(
        code: CInt
    ) throws {
        let files = try sound()
        var failed = 0
        for reads in stride(from: 0, to: 2000, by: 3) {
            let fixture = try LedgerFixture()
            for (name, bytes) in files { try fixture.put(bytes, at: "ledger.sqlite\(name)") }
            FailingFileSystem.fault.withLock {
                $0 = .init(prefix: fixture.directory, readsBefore: reads, code: code, isLasting: true)
            }
            _ = try? fixture.ledger.open()
            let fault = FailingFileSystem.fault.withLock { fault in
                defer { fault = nil }
                return fault
            }
            #expect(
                !fixture.names.contains { $0.hasPrefix("ledger-damaged-") && $0.hasSuffix(".sqlite") },
                "read \(reads)"
            )
            #expect(try fixture.ledger.open().lastShoot == 30, "read \(reads)")
            guard fault?.hasFailed == true else { break }
            failed += 1
        }
        #expect(failed > 10 && failed < 2000)
    }

    // After errors of the disk, and after results that mean damage (SQLITE_CORRUPT, SQLITE_NOTADB), the ledger reads
    // the file once more.
    @Test(arguments: [266, 8458, 11, 26] as [CInt])
    func `one failed read does not move a sound ledger aside, whichever it is`(code: CInt) throws {
        let files = try sound()
        var failed = 0
        for reads in 0..<2000 {
            let fixture = try LedgerFixture()
            for (name, bytes) in files { try fixture.put(bytes, at: "ledger.sqlite\(name)") }
            FailingFileSystem.fault.withLock {
                $0 = .init(prefix: fixture.directory, readsBefore: reads, code: code)
            }
            let contents = try? fixture.ledger.open()
            let fault = FailingFileSystem.fault.withLock { fault in
                defer { fault = nil }
                return fault
            }
            #expect(
                !fixture.names.contains { $0.hasPrefix("ledger-damaged-") && $0.hasSuffix(".sqlite") },
                "read \(reads)"
            )
            if let contents { #expect(contents.lastShoot == 30, "read \(reads): \(contents.notice ?? "")") }
            // The next attempt finds an intact ledger, or reports the loss.
            let next = try fixture.ledger.open()
            #expect(next.lastShoot == 30, "read \(reads)")
            guard fault?.hasFailed == true else { break }
            failed += 1
        }
        #expect(failed > 10 && failed < 2000)
    }
}
