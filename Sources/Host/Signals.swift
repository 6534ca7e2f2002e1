import CLinux
import Glibc
import NIOCore
import NIOPosix

/// Receives signals as events of the loop (signalfd(2)).
package enum Signals {
    enum Event: Equatable {
        /// SIGTERM or SIGINT was received.
        case stop
        /// SIGHUP was received.
        case reload
    }

    /// Blocks signals on this thread and on the threads that it starts. Must be called first in the process, before any
    /// other thread exists.
    package static func block() {
        var signals = handled
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // With SIGPIPE ignored, a write to a closed socket returns an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Begins to listen for signals. Closing the channel ends the listening.
    static func listen(
        on eventLoop: any EventLoop,
        onEvent: @escaping (Event) -> Void
    ) throws(SystemError) -> EventLoopFuture<any Channel> {
        var signals = handled
        let descriptor = try check {
            signalfd(-1, &signals, CInt(SFD_NONBLOCK) | CInt(SFD_CLOEXEC))
        }
        let onEvent = NIOLoopBound(onEvent, eventLoop: eventLoop)
        return NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SignalHandler(onEvent: onEvent.value))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .map { $0 }
    }

    private static var handled: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }
}

/// Reads the records of a signalfd.
private final class SignalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onEvent: (Signals.Event) -> Void

    init(onEvent: @escaping (Signals.Event) -> Void) {
        self.onEvent = onEvent
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        // The kernel returns whole records only. Each record begins with the signal's number (signalfd(2), ssi_signo).
        while let record = bytes.readSlice(length: Int(clinux_signalfd_siginfo_size)),
            let number = record.getInteger(at: record.readerIndex, endianness: .host, as: UInt32.self)
        {
            onEvent(CInt(number) == SIGHUP ? .reload : .stop)
        }
    }
}
