import NIOCore
import PTP

/// Passes the bytes of one connection to the server. Stops reading while the initiator does not accept written bytes.
final class SimulatorConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let id: ConnectionID
    private let server: SimulatorServer

    init(_ id: ConnectionID, server: SimulatorServer) {
        self.id = id
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) {
        server.opened(id)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        server.received(id, unwrapInboundIn(data))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        _ = context.channel.setOption(.autoRead, value: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.closed(id)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
