import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Varlink

/// A daemon with scripted answers on a real socket.
final class FakeDaemon: Sendable {
    /// What happens to the connection after the answers to a call.
    enum Ending: Sendable { case stay, close }

    struct Answer: Sendable {
        var replies: [VarlinkReply]
        var ending = Ending.stay
        /// The answers to later calls. The last one is repeated.
        var later: [Answer] = []

        /// One answer per call.
        static func inTurn(_ first: Answer, _ later: Answer...) -> Answer {
            Answer(replies: first.replies, ending: first.ending, later: later)
        }

        /// An answer whose only member `name` is this value.
        static func one(_ name: String, _ value: JSONValue) -> Answer { .steps(name, [value]) }

        /// Several answers to one call. The call ends with the last value.
        static func steps(_ name: String, _ values: [JSONValue]) -> Answer {
            let last = values.count - 1
            return Answer(
                replies: values.enumerated().map { index, value in
                    VarlinkReply(parameters: .object([name: value]), continues: index < last)
                }
            )
        }

        /// Several answers to one call that does not end.
        static func begun(_ name: String, _ values: [JSONValue], then ending: Ending = .stay) -> Answer {
            let replies = values.map { VarlinkReply(parameters: .object([name: $0]), continues: true) }
            return Answer(replies: replies, ending: ending)
        }

        static let done = Answer(replies: [VarlinkReply()])
        static let hangUp = Answer(replies: [], ending: .close)

        static func error(_ name: String, _ parameters: JSONValue = .emptyObject) -> Answer {
            Answer(replies: [VarlinkReply(parameters: parameters, error: name)])
        }
    }

    let path: String
    private let directory: URL
    private let channel: any Channel
    private let log: RequestLog

    var calls: [VarlinkCall] { log.calls.withLock { $0 } }

    /// Serves the methods by the last part of their name, such as `GetStatus`.
    init(_ answers: [String: Answer]) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "bracketctl-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appending(path: "socket").path
        let log = RequestLog()
        self.log = log
        // There is one event loop, as in the daemon, so calls of several connections are handled in order of arrival.
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(answers, log))
                }
            }
            .bind(unixDomainSocketPath: path).get()
    }

    func stop() async {
        try? await channel.close()
        try? FileManager.default.removeItem(at: directory)
    }

    private final class RequestLog: Sendable {
        let calls = Mutex<[VarlinkCall]>([])
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answers: [String: Answer]
        private let log: RequestLog
        private var frames = FrameReader(lengthMax: Frame.callLengthMax)

        init(_ answers: [String: Answer], _ log: RequestLog) {
            self.answers = answers
            self.log = log
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            frames.append(unwrapInboundIn(data))
            do {
                while let frame = try frames.next() { answer(try VarlinkCall(parsing: frame), context) }
            } catch {
                context.close(promise: nil)
            }
        }

        private func answer(_ call: VarlinkCall, _ context: ChannelHandlerContext) {
            let callsBefore = log.calls.withLock { calls in
                defer { calls.append(call) }
                return calls.count { $0.method == call.method }
            }
            let name = String(call.method.split(separator: ".").last ?? "")
            var answer = answers[name] ?? .error("org.varlink.service.MethodNotFound", ["method": .string(call.method)])
            if callsBefore > 0, let last = answer.later.last {
                answer = answer.later.count >= callsBefore ? answer.later[callsBefore - 1] : last
            }
            for reply in answer.replies {
                context.write(wrapOutboundOut(Frame.encode(reply.message)), promise: nil)
            }
            context.flush()
            if answer.ending == .close { context.close(promise: nil) }
        }
    }
}
