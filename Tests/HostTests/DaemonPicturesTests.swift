import Cameras
import Glibc
import NIOCore
import Testing
import Varlink

@testable import Controller
@testable import Host

/// A whole daemon that receives pictures over real sockets.
struct DaemonPicturesTests {
    /// Treats the bytes of the command connection as pictures of a fixed size, and reports their results.
    private struct PictureCore: LoopCore {
        static let pictureSize = 3_000_000

        let inputs: AsyncStream<Input>.Continuation
        let address: CameraAddress
        var received = 0
        var nextDeadline: Duration? { nil }

        mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
            let id = PictureID(rawValue: 1)
            switch input {
            case .started:
                let target = LinkTarget(address, carriesPictures: true)
                effects.append(.openLink(.init(rawValue: 1), .command, target, timeout: .seconds(20)))
            case .link(_, .opened):
                let destination = PictureDestination(shoot: 1, set: 1, name: "A.JPG", kind: .jpeg, byteCount: nil)
                effects.append(.picture(id, .begin(destination, offset: 0)))
            case .link(_, .received(_, let bytes)):
                received += bytes.readableBytes
                effects.append(.picture(id, .bytes(bytes)))
                if received == Self.pictureSize { effects.append(.picture(id, .finish)) }
            case .picture(_, .stored(let picture)):
                let file = Manifest.File(path: picture.path, byteCount: picture.byteCount, metadata: picture.metadata)
                let frame = Manifest.Frame(set: 1, frame: 1, speed: "1/250", outcome: "verified", files: [file])
                effects.append(.manifest(Manifest(shoot: 1, camera: "c", plan: "p", frames: [frame])))
                effects.append(.checkRoom)
            case .stop:
                effects.append(.stopping(waiting: nil))
                effects.append(.finished)
            default: break
            }
            inputs.yield(input)
        }
    }

    private static func start(
        in directory: TemporaryDirectory,
        camera port: UInt16
    ) async throws -> (BackgroundDaemon, AsyncStream<Input>) {
        var configuration = Configuration()
        configuration.ownSearchWays = []
        configuration.socketPath = directory.file("socket")
        configuration.storagePath = directory.file("state")
        configuration.transfer.policy = .jpeg
        struct Silent: JournalWriter { func write(_ record: JournalRecord) {} }
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        let options = Daemon.Options(configuration: configuration, journal: Journal(writer: Silent()), isService: false)
        { _, _ in
            PictureCore(inputs: continuation, address: CameraAddress(host: "127.0.0.1", port: port))
        }
        return (try await BackgroundDaemon.start(options), inputs)
    }

    @Test func `a picture goes from the camera's socket to its folder, and into the manifest`() async throws {
        let directory = try TemporaryDirectory()
        let listener = try Listener()
        let (daemon, inputs) = try await Self.start(in: directory, camera: listener.port)
        let picture = ExifPicture().jpeg(size: PictureCore.pictureSize)
        let socket = try listener.accept()
        // The bytes are sent on another task, because the daemon may pause reading.
        let sending = Task.detached { try writeAll(picture, to: socket) }
        var stored: StoredPicture?
        for await input in inputs {
            if case .picture(_, .stored(let picture)) = input { stored = picture }
            // The answer about room comes after the manifest was written.
            if case .room(let isThere) = input {
                #expect(isThere)
                break
            }
        }
        try await sending.value
        let path = try #require(stored?.path)
        #expect(path.hasSuffix("-shoot-1/set-1/A.JPG"))
        let folder = directory.file("state/pictures/\(path.prefix { $0 != "/" })")
        #expect(try readFile("\(folder)/set-1/A.JPG", sizeMax: 1 << 24) == picture)
        let manifest = try JSONValue(parsing: readFile("\(folder)/manifest.json", sizeMax: 1 << 16))
        #expect(manifest["frames"]?.arrayValue?.first?["files"]?.arrayValue?.first?["exposureTime"] == "1/250")
        #expect(try await daemon.stop() == .inOrder)
        close(socket)
    }

    @Test func `a daemon that is stopped in the middle of a picture leaves none of it`() async throws {
        let directory = try TemporaryDirectory()
        let listener = try Listener()
        let (daemon, inputs) = try await Self.start(in: directory, camera: listener.port)
        let socket = try listener.accept()
        try writeAll([UInt8](repeating: 1, count: 200_000), to: socket)
        var received = 0
        for await input in inputs {
            if case .link(_, .received(_, let bytes)) = input { received += bytes.readableBytes }
            if received == 200_000 { break }
        }
        #expect(try await daemon.stop() == .inOrder)
        let root = try Folder(path: directory.file("state/pictures"))
        let shoots = try root.names(countMax: 10)
        #expect(shoots.count == 1)
        #expect(try root.existingFolder(shoots[0]).existingFolder("set-1").names(countMax: 10) == [])
        close(socket)
    }
}
