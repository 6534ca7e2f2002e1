import CLinux
import Controller
import Glibc
import NIOCore
import NIOPosix

/// The button's line on the loop. It reports edges with the kernel's times, and the level.
final class ButtonLine {
    private enum State {
        case away
        case listening(any Channel)
        case closed
    }

    private let clock: DaemonClock
    private let eventLoop: any EventLoop
    private let onUpdate: (ButtonLineEvent) -> Void
    private let line: HeldLine
    private var state = State.away
    private var reader = EdgeReader()

    init(
        _ line: HeldLine,
        clock: DaemonClock,
        eventLoop: any EventLoop,
        onUpdate: @escaping (ButtonLineEvent) -> Void
    ) {
        self.line = line
        self.clock = clock
        self.eventLoop = eventLoop
        self.onUpdate = onUpdate
        line.onHeld = { [weak self] in self?.listen() }
        line.onLost = { [weak self] in self?.lost() }
    }

    func close() {
        stopListening(.closed)
        line.close()
    }

    /// Stops listening. The state changes first, because the channel reports its closing at once.
    private func stopListening(_ next: State) {
        let last = state
        state = next
        if case .listening(let channel) = last { channel.close(promise: nil) }
    }

    private func listen() {
        guard let descriptor = line.descriptor else { return }
        // NIO owns a duplicate descriptor, so that `descriptor` stays valid for reading the level.
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard let identity = OpenFileIdentity(second) else { return line.lose(.last) }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: EdgeReader.burstSize))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard case .away = this.value.state else { throw ChannelError.ioOnClosedChannel }
                    try channel.pipeline.syncOperations.addHandler(EdgeHandler(button: this.value))
                    this.value.state = .listening(channel)
                    this.value.reader = EdgeReader()
                }
            }
            .takingOwnershipOfDescriptor(input: second)
            .assumeIsolated()
            .whenComplete { [weak self] result in
                switch result {
                case .success: self?.reportLevel()
                case .failure:
                    identity.closeIfLeft(second)
                    self?.line.lose(SystemError(code: EIO))
                }
            }
    }

    private func reportLevel() {
        if let isPressed = line.isActive() { onUpdate(.line(isPressed: isPressed)) }
    }

    private func lost() {
        stopListening(.away)
        onUpdate(.gone)
    }

    /// Reports the edges that the kernel has already queued, without waiting for the loop.
    func readAhead() {
        guard case .listening = state, let descriptor = line.descriptor else { return }
        // The read does not block, because NIO has set O_NONBLOCK on the shared file. NIO handles the end of the file
        // and errors.
        withUnsafeTemporaryAllocation(byteCount: EdgeReader.burstSize, alignment: 8) { room in
            let count = read(descriptor, room.baseAddress, room.count)
            if count > 0 { received(ByteBuffer(bytes: room.prefix(count))) }
        }
    }

    /// Handles the bytes of records. After a gap the level is reported before the later edges.
    fileprivate func received(_ bytes: ByteBuffer) {
        for found in reader.read(bytes) {
            guard case .listening = state else { return }
            switch found {
            case .edge(let isActive, let time):
                onUpdate(.edge(isPressed: isActive, at: clock.time(ofMonotonic: time)))
            case .gap: reportLevel()
            }
        }
    }

    fileprivate func ended(_ channel: any Channel, _ error: SystemError) {
        guard case .listening(let current) = state, current === channel else { return }
        line.lose(error)
    }
}

/// Reads the records of edges of a line. A record can arrive in pieces.
struct EdgeReader {
    enum Found: Equatable {
        /// An edge, with its time on CLOCK_MONOTONIC.
        case edge(isActive: Bool, at: Duration)
        /// The kernel's buffer was full, and the edges before the next edge were lost.
        case gap
    }

    static let recordSize = MemoryLayout<gpio_v2_line_event>.size
    /// The size of one read: the kernel's default buffer for one line.
    static let burstSize = 16 * recordSize

    private var bytes = ByteBuffer()
    private var last: UInt32 = 0

    mutating func read(_ more: ByteBuffer) -> [Found] {
        bytes.writeImmutableBuffer(more)
        var found: [Found] = []
        while let record = bytes.readSlice(length: Self.recordSize) {
            let event = record.withUnsafeReadableBytes { $0.loadUnaligned(as: gpio_v2_line_event.self) }
            if event.line_seqno != last &+ 1 { found.append(.gap) }
            last = event.line_seqno
            let isActive = event.id == UInt32(GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue)
            found.append(.edge(isActive: isActive, at: .nanoseconds(Int64(clamping: event.timestamp_ns))))
        }
        bytes.discardReadBytes()
        return found
    }
}

private final class EdgeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private weak var button: ButtonLine?
    private var error = SystemError(code: ENODEV)

    init(button: ButtonLine) {
        self.button = button
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        button?.received(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        button?.ended(context.channel, error)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { self.error = SystemError(code: error.errnoCode) }
        context.close(promise: nil)
    }
}
