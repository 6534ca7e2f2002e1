import Glibc
import NIOCore
import NIOPosix

/// Reports when the node of a GPIO chip disappears or its permissions change (inotify(7)).
///
/// A new node is reported when udev sets its group, because the daemon cannot open the node earlier. Before Linux 6.6
/// the kernel does not wake readers of a line when its chip disappears, but it removes the chip's node.
final class DeviceWatch {
    /// The maximum number of bytes of one read.
    private static let burstSize = 16_384

    private var channel: (any Channel)?

    /// - Parameters:
    ///   - onNews: called on the loop after a chip's node disappeared or changed.
    ///   - onFailure: called once on the loop when the watch fails.
    init(
        _ directory: String,
        on eventLoop: any EventLoop,
        onUpdate: @escaping () -> Void,
        onFailure: @escaping () -> Void
    ) throws(SystemError) {
        let descriptor = try check { inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)) }
        do throws(SystemError) {
            let watchedEvents = UInt32(IN_ATTRIB) | UInt32(IN_DELETE) | UInt32(IN_ONLYDIR)
            try check { inotify_add_watch(descriptor, directory, watchedEvents) }
        } catch {
            close(descriptor)
            throw error
        }
        let onUpdate = NIOLoopBound(onUpdate, eventLoop: eventLoop)
        let identity = OpenFileIdentity(descriptor)
        NIOPipeBootstrap(group: eventLoop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.burstSize))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DeviceHandler(onUpdate: onUpdate.value))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenComplete { [weak self] result in
                switch result {
                case .success(let channel):
                    if let self { self.channel = channel } else { channel.close(promise: nil) }
                case .failure:
                    identity?.closeIfLeft(descriptor)
                    onFailure()
                }
            }
    }

    deinit { channel?.close(promise: nil) }
}

private final class DeviceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onUpdate: () -> Void

    init(onUpdate: @escaping () -> Void) {
        self.onUpdate = onUpdate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if Self.concernsChip(unwrapInboundIn(data)) { onUpdate() }
    }

    /// Whether records concern a chip. The kernel returns whole records: four numbers, then a name padded with zeros
    /// (inotify(7)).
    private static func concernsChip(_ bytes: ByteBuffer) -> Bool {
        var bytes = bytes
        while let numbers = bytes.readMultipleIntegers(endianness: .host, as: (Int32, UInt32, UInt32, UInt32).self) {
            let mask = numbers.1
            guard let name = bytes.readBytes(length: Int(numbers.3)) else { return true }
            // After an overflow, one of the lost events may concern a chip.
            if mask & UInt32(IN_Q_OVERFLOW) != 0 || name.starts(with: KernelGPIO.prefix.utf8) { return true }
        }
        return false
    }
}
