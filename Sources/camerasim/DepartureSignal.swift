import CLinux
import NIOCore
import NIOPosix
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// SIGUSR1 as an event of the loop (signalfd(2)): the camera leaves its network.
enum DepartureSignal {
    /// Keeps the signal from ending the program, in later threads too.
    static func block() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `onSignal` for each signal. Ends the program when the system has no free descriptor for that.
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
        // The kernel returns only whole records, and signals of one number are not queued (signal(7)).
        let records = unwrapInboundIn(data).readableBytes / Int(clinux_signalfd_siginfo_size)
        for _ in 0..<records { onSignal() }
    }
}
