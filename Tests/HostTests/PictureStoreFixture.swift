import Cameras
import Controller
import Glibc
import Logging
import NIOCore
import NIOPosix
import PictureReader
import Synchronization

@testable import Host

/// A store that has its own loop and directory.
final class PictureStoreFixture: Sendable {
    enum Event: Equatable, Sendable {
        case input(Input)
        case pressure(Bool)
    }

    final class Log: JournalWriter {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func write(_ record: JournalRecord) { lines.withLock { $0.append(record.line) } }
    }

    let directory: TemporaryDirectory
    let root: String
    let log = Log()
    private let journal: Journal
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let events: AsyncStream<Event>
    private let store: NIOLoopBound<PictureStore>

    init(
        _ directory: TemporaryDirectory? = nil,
        root: String? = nil,
        roomMin: UInt64 = 1,
        reader: MetadataReader = .installed(),
        holdMax: Duration = PictureStore.holdMax
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        let root = root ?? directory.file("pictures")
        self.root = root
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let loop = group.next()
        let journal = Journal(writer: log)
        self.journal = journal
        store = try await loop.submit {
            let files = PictureFiles(directory: root, roomMin: roomMin, reader: reader) { 1_795_249_800 }
            let store = PictureStore(
                files: files,
                directory: root,
                reader: reader,
                holdMax: holdMax,
                logger: Logger(journal: journal),
                eventLoop: loop
            ) { event in
                switch event {
                case .input(let input): continuation.yield(.input(input))
                case .pressure(let isHigh): continuation.yield(.pressure(isHigh))
                }
            }
            return NIOLoopBound(store, eventLoop: loop)
        }.get()
    }

    func perform(_ body: @escaping @Sendable (PictureStore) -> Void) async throws {
        try await group.next().submit { [store] in body(store.value) }.get()
    }

    func perform(_ id: UInt32 = 1, _ effects: PictureEffect...) async throws {
        try await perform { store in for effect in effects { store.perform(.init(rawValue: id), effect) } }
    }

    func next() async -> Event? {
        for await event in events { return event }
        return nil
    }

    func outcome(_ id: UInt32 = 1) async -> PictureOutcome? {
        guard case .input(.picture(.init(rawValue: id), let outcome))? = await next() else { return nil }
        return outcome
    }

    /// Waits until all jobs so far are done.
    func settle() async throws {
        try await perform { $0.checkRoom() }
        while let event = await next() {
            if case .input(.room) = event { return }
        }
    }

    func stop() async throws {
        try await perform { $0.close() }
        let store = store
        try await group.next().submit { store.value.finish() }.get()
        journal.finish()
        try await group.shutdownGracefully()
    }

    /// The paths of the files in the directory, sorted.
    var files: [String] {
        var files: [String] = []
        func search(_ path: String, _ prefix: String) {
            guard let folder = opendir(path) else { return }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                if entry.pointee.d_type == DT_DIR {
                    search("\(path)/\(name)", "\(prefix)\(name)/")
                } else {
                    files.append(prefix + name)
                }
            }
        }
        search(root, "")
        return files.sorted()
    }

    /// The name of the directory of the only shoot.
    var shootFolder: String { files.first.map { String($0.prefix { $0 != "/" }) } ?? "" }

    func content(_ path: String) throws -> [UInt8] { try readFile("\(root)/\(path)", sizeMax: 1 << 24) }
}

extension PictureStoreFixture {
    static func destination(
        _ name: String = "DSC00001.JPG",
        shoot: Int? = 3,
        set: Int? = 2,
        byteCount: UInt64? = nil
    ) -> PictureDestination {
        PictureDestination(shoot: shoot, set: set, name: name, kind: .jpeg, byteCount: byteCount)
    }

    static func bytes(_ text: String) -> PictureEffect { .bytes(ByteBuffer(string: text)) }
}
