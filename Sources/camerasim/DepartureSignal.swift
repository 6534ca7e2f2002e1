import CLinux
import NIOCore
import NIOPosix
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Delivers SIGUSR1 as an event of the event loop (signalfd(2)). The camera then leaves its network.
enum DepartureSignal {
    /// Blocks the signal in this thread and in later threads, so that it does not end the program.
    static func block() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `onSignal` for each signal. Ends the program when the system has no free descriptor.
    static func listen(on eventLoop: any EventLoop, onSignal: @escaping () -> Void) {
        var signals = signals
        let descriptor = signalfd(-1, &signals, CInt(SFD_NONBLOCK) | CInt(SFD_CLOEXEC))
        guard descriptor >= 0 else {
            StandardStream.errors.message("camerasim: \(StartSentences.noSignal(SystemError(code: errno)))")
            exit(1)
        }
        let onSignal = NIOLoopBound(onSignal, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DepartureSignalHandler(onSignal.value))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .whenFailure { error in
                StandardStream.errors.message("camerasim: \(StartSentences.noSignal(error))")
                exit(1)
            }
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        return signals
    }
}

private final class DepartureSignalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onSignal: () -> Void

    init(_ onSignal: @escaping () -> Void) {
        self.onSignal = onSignal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A read returns only complete records. Several pending signals of one number give one record (signal(7)).
        let records = unwrapInboundIn(data).readableBytes / Int(clinux_signalfd_siginfo_size)
        for _ in 0..<records { onSignal() }
    }
}
