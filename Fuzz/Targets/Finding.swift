import Cameras
import Controller
import NIOCore
import NIOEmbedded

@testable import Host

private let camera = DescriptionURL(host: IPAddress(bytes: [192, 168, 122, 1]), port: 64321, path: "/dd.xml")

/// Fuzzes an SSDP datagram, which any device in the network can send.
func fuzzSSDP(_ bytes: [UInt8]) {
    guard let message = try? SSDPMessage.parse(ByteBuffer(bytes: bytes)) else { return }
    if let location = message.location {
        checkURL(location)
        expect(message.isCredible(by: location.host), "a description is at the address of its sender")
        expect(
            !message.isCredible(by: IPAddress(bytes: [10, 9, 8, 7])) || location.host.bytes == [10, 9, 8, 7],
            "a lie"
        )
    }
    if let udn = message.udn { expect(UDN(udn.description) == udn, "a UDN that cannot be read again: \(udn)") }
}

/// Checks that an accepted URL can be read again and contains no line end.
private func checkURL(_ url: DescriptionURL) {
    expect((try? DescriptionURL.parse(url.description)) == url || url.path.utf8.count > 900, "no URL: \(url)")
    expect(url.path.hasPrefix("/") && url.path.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "no path: \(url.path)")
}

/// Fuzzes both XML descriptions of a body, which any device can send.
func fuzzDescription(_ bytes: [UInt8]) {
    let buffer = ByteBuffer(bytes: bytes)
    if let description = try? DeviceDescription.read(buffer) {
        for text in [
            description.friendlyName, description.manufacturer, description.modelName, description.modelDescription,
        ] { checkShown(text) }
        let sony = SonyDeviceDescription(description)
        expect(description.services.count + sony.scalarServices.count <= 1024, "services without end")
        if case .fit(let offers)? = DiscoveryTable.standard.fitness(of: description, at: camera) {
            for offer in offers { expect(offer.address.host == "\(camera.host)", "calls would go to another machine") }
        }
    }
}

private func checkShown(_ text: String) {
    expect(text.unicodeScalars.count <= 128, "\(text.unicodeScalars.count) characters to be shown")
    expect(!text.unicodeScalars.contains { $0.value < 0x20 }, "a control character to be shown")
}

/// Fuzzes a device's HTTP answer to the request for a description.
func fuzzHTTPAnswer(_ bytes: [UInt8]) {
    let whole = fetch([ByteBuffer(bytes: bytes)])
    var cuts = FuzzCuts(bytes)
    let cut = fetch(cuts.cut(bytes[...]))
    // The reasons for invalid HTTP may differ, because the first error ends the reading.
    if case .reply(let one) = whole, case .reply(let other) = cut {
        expect(one == other, "the reply depends on where its bytes are cut")
    } else if case .reply = whole {
        expect(false, "cut, it fails: \(cut)")
    } else if case .reply = cut {
        expect(false, "whole, it fails: \(whole)")
    }
}

private let fileSizeMax = 4096

private func fetch(_ pieces: [ByteBuffer]) -> HTTPEvent {
    let channel = EmbeddedChannel()
    var events: [HTTPEvent] = []
    let address = CameraAddress(host: camera.host.description, port: camera.port)
    let request = HTTPRequest(
        .get,
        address,
        path: camera.path,
        replyBytesMax: fileSizeMax,
        timeout: .seconds(1)
    )
    let exchange = HTTPExchange(request, limits: CameraLinks.Limits(), on: channel.eventLoop) { report in
        if case .event(let event, _) = report { events.append(event) }
    }
    guard (try? exchange.prepare(channel)) != nil, let address = try? SocketAddress(unixDomainSocketPath: "/fuzz"),
        (try? channel.connect(to: address).wait()) != nil
    else { preconditionFailure("an embedded channel takes handlers, and connects") }
    exchange.opened(channel)
    channel.embeddedEventLoop.run()
    for piece in pieces where channel.isActive {
        // An error of a handler also arrives through the pipeline, so it is ignored here.
        _ = try? channel.writeInbound(piece)
        channel.embeddedEventLoop.run()
    }
    _ = try? channel.finish(acceptAlreadyClosed: true)
    channel.embeddedEventLoop.run()
    expect(events.count == 1, "\(events.count) events of one request")
    if case .reply(let reply)? = events.first {
        expect(reply.body.readableBytes <= fileSizeMax, "more than was asked for")
    }
    return events[0]
}
