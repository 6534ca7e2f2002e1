import Cameras
import Exposure
import NIOCore
import PTP

/// The menu "Send to Smartphone": the user has selected pictures on the body, and a client fetches them by the services
/// XPushList and ContentDirectory (rocc, alpharemote).
extension SonyHTTPBody {
    struct Push: Equatable, Sendable {
        /// The number of selected pictures.
        let count: Int
        /// Whether a client has begun, or has ended, the transfer.
        var state = State.waiting

        enum State: Equatable, Sendable {
            case waiting, running, over
        }

        init(count: Int) { self.count = count }

        /// A selected picture; nil: no such picture.
        func frame(_ number: Int) -> CardFrame? {
            guard (1...count).contains(number) else { return nil }
            return CardFrame(
                number: number,
                speed: BodySpeed(.slowest),
                at: .seconds(60 * number),
                exposure: .seconds(1),
                settings: FrameSettings(iso: 100, aperture: 800)
            )
        }
    }

    /// The greatest number of entries of a page.
    private static let pageMax = 50
    /// The folder with the selected pictures.
    private static let pushFolder = "PushRoot"

    mutating func answerPush(_ request: ServedRequest, on id: ConnectionID) {
        let text = String(buffer: request.body)
        let action = request["SOAPAction"]?.split(separator: "#").last.map { $0.prefix { $0 != "\"" } } ?? ""
        switch action {
        case "X_TransferStart":
            push?.state = .running
            soap("X_TransferStart", of: SonyAnnouncement.pushList, on: id)
        case "X_TransferEnd":
            push?.state = .over
            outputs.append(.log("the transfer has ended: the screen shows the end"))
            soap("X_TransferEnd", of: SonyAnnouncement.pushList, on: id)
        case "Browse" where push?.state == .running: browse(text, on: id)
        // Without X_TransferStart the body shows no pictures.
        case "Browse": refuse(500, on: id)
        default: refuse(404, on: id)
        }
    }

    private mutating func browse(_ text: String, on id: ConnectionID) {
        guard let push else { return refuse(404, on: id) }
        let start = Int(Self.element("StartingIndex", in: text)) ?? 0
        let wanted = Int(Self.element("RequestedCount", in: text)) ?? 0
        let count = min(wanted > 0 ? wanted : Self.pageMax, Self.pageMax)
        let numbers = (1...push.count).dropFirst(max(0, start)).prefix(count)
        let items = numbers.compactMap { number in push.frame(number).map(item) }.joined()
        let list = """
            <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" \
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">\
            \(items)</DIDL-Lite>
            """
        let result =
            "<Result>\(Self.escaped(list))</Result><NumberReturned>\(numbers.count)</NumberReturned>"
            + "<TotalMatches>\(push.count)</TotalMatches><UpdateID>0</UpdateID>"
        soap("Browse", of: SonyAnnouncement.contentDirectory, result, on: id)
    }

    /// The sizes of a picture with the names that DLNA gives them.
    private static let profiles: [(size: PictureSize, name: String)] = [
        (.originalJPEG, ""), (.screen, "JPEG_LRG"), (.vga, "JPEG_SM"), (.thumbnail, "JPEG_TN"),
    ]

    /// A picture with its sizes, the largest first. Only JPEGs are sent this way.
    private func item(_ frame: CardFrame) -> String {
        let resources = Self.profiles.map { size, profile in
            let name = profile.isEmpty ? "*" : "DLNA.ORG_PN=\(profile);DLNA.ORG_CI=1"
            return "<res protocolInfo=\"http-get:*:image/jpeg:\(name)\">\(url(of: frame, size))</res>"
        }
        return "<item id=\"\(frame.number)\" parentID=\"\(Self.pushFolder)\" restricted=\"1\">"
            + "<dc:title>\(Self.escaped(fileName(of: frame, .jpeg)))</dc:title>"
            + "<dc:date>\(BodyClock(frame.at).ptp)</dc:date>"
            + "<upnp:class>object.item.imageItem.photo</upnp:class>\(resources.joined())</item>"
    }

    private mutating func soap(_ action: String, of service: String, _ result: String = "", on id: ConnectionID) {
        let text = """
            <?xml version="1.0" encoding="utf-8"?>
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
            s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>\
            <u:\(action)Response xmlns:u="\(service)">\(result)</u:\(action)Response></s:Body></s:Envelope>
            """
        let head = HTTPHead(status: 200, headers: [HTTPHeader("Content-Type", "text/xml; charset=\"utf-8\"")] + closing)
        outputs.append(.reply(id, HTTPReply(head, body: ByteBuffer(string: text))))
    }

    /// The text of the first element with this name; empty: no such element.
    private static func element(_ name: String, in text: String) -> String {
        guard let start = text.firstRange(of: "<\(name)") else { return "" }
        let rest = text[start.upperBound...].drop { $0 != ">" }.dropFirst()
        return String(rest.prefix { $0 != "<" })
    }

    private static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
