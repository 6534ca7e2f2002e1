import Cameras
import Controller
import Glibc
import Host
import NIOCore
import Synchronization

// Writes a file from a socket to the disk, in one of two ways, and prints time and memory as JSON:
//
//     downloadbench plain  PORT BYTES FOLDER     read, write, fsync, rename, fsync of the folder;
//     downloadbench daemon PORT BYTES FOLDER     the daemon's loop, links and store, with a core that does only this
//
// A server on the port of 127.0.0.1 sends the bytes after a connection.

@main
enum Download {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let port = UInt16(arguments[2]), let count = UInt64(arguments[3]) else {
            StandardError.write("usage: downloadbench plain|daemon PORT BYTES FOLDER")
            exit(64)
        }
        let task = DownloadTask(address: CameraAddress(host: "127.0.0.1", port: port), count: count, path: arguments[4])
        let result = arguments[1] == "plain" ? try task.copyPlainly() : try await task.runDaemon()
        print("{\"nanoseconds\": \(result.nanoseconds), \"extraMemory\": \(result.extraMemory)}")
    }
}

struct DownloadResult: Sendable {
    var nanoseconds: Int64
    /// The growth of the process's resident memory up to its peak, in bytes.
    var extraMemory: Int
}

struct DownloadFailure: Error, CustomStringConvertible { let description: String }

struct DownloadTask: Sendable {
    let address: CameraAddress
    let count: UInt64
    let path: String

    /// Runs a daemon. Its camera is the server that sends the bytes.
    func runDaemon() async throws -> DownloadResult {
        var configuration = Configuration()
        configuration.ownSearchWays = []
        configuration.socketPath = "\(path)/socket"
        configuration.storagePath = "\(path)/state"
        configuration.ownPicturesPath = "\(path)/pictures"
        configuration.transfer.policy = .jpeg
        let (results, continuation) = AsyncStream.makeStream(of: Result<DownloadResult, DownloadFailure>.self)
        let options = Daemon.Options(
            configuration: configuration,
            journal: Journal(writer: StandardErrorWriter(), minimumPriority: .warning),
            isService: false
        ) { _, _ in PictureCore(task: self, results: continuation) }
        let daemon = try await BackgroundDaemon.start(options)
        for await result in results {
            guard try await daemon.stop() == .inOrder else { throw DownloadFailure(description: "not in order") }
            return try result.get()
        }
        throw DownloadFailure(description: "the daemon ended first")
    }
}

/// Replaces the core of the daemon. It treats everything from the camera as one picture.
private struct PictureCore: LoopCore {
    private static let id = PictureID(rawValue: 1)

    let task: DownloadTask
    let results: AsyncStream<Result<DownloadResult, DownloadFailure>>.Continuation
    private var received: UInt64 = 0
    private var measure = Measure()

    var nextDeadline: Duration? { nil }

    init(task: DownloadTask, results: AsyncStream<Result<DownloadResult, DownloadFailure>>.Continuation) {
        self.task = task
        self.results = results
    }

    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        switch input {
        case .started:
            let target = LinkTarget(task.address, carriesPictures: true)
            effects.append(.openLink(LinkGeneration(rawValue: 1), .command, target, timeout: .seconds(5)))
        case .link(_, .opened):
            measure = Measure()
            let destination = PictureDestination(
                shoot: 1,
                set: 1,
                name: "DSC00001.JPG",
                kind: .jpeg,
                byteCount: task.count
            )
            effects.append(.picture(Self.id, .begin(destination, offset: 0)))
        case .link(_, .received(_, let bytes)):
            received += UInt64(bytes.readableBytes)
            effects.append(.picture(Self.id, .bytes(bytes)))
            if received == task.count { effects.append(.picture(Self.id, .finish)) }
        case .link(_, let event) where received < task.count:
            results.yield(.failure(DownloadFailure(description: "\(event) after \(received) bytes")))
        case .picture(_, .stored(let picture)) where picture.byteCount == task.count:
            results.yield(.success(measure.result))
        case .picture(_, let outcome):
            results.yield(.failure(DownloadFailure(description: "\(outcome)")))
        case .stop: effects.append(.finished)
        default: break
        }
    }
}

/// Measures time and memory from its creation on.
struct Measure: Sendable {
    private let start: ContinuousClock.Instant
    private let memory: Int

    init() {
        // This write resets the peak (proc(5)).
        let file = open("/proc/self/clear_refs", O_WRONLY)
        _ = write(file, "5", 1)
        close(file)
        memory = Self.memory("VmRSS:")
        start = .now
    }

    var result: DownloadResult {
        let time = ContinuousClock.now - start
        return DownloadResult(
            nanoseconds: Int64(time / .nanoseconds(1)),
            extraMemory: Self.memory("VmHWM:") - memory
        )
    }

    /// The value of a line in /proc/self/status, in bytes.
    private static func memory(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), file) != nil {
            let parts = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if parts.first == name[...], parts.count > 1 { return (Int(parts[1]) ?? 0) * 1024 }
        }
        return 0
    }
}
