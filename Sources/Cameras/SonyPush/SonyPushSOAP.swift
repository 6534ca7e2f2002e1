import NIOCore

/// The calls of a Sony body in the mode "Send to Smartphone": UPnP services with SOAP (rocc, alpharemote).
enum SonyPushCall: Equatable, Sendable {
    /// The body shows that the transfer runs.
    case start
    /// The selected pictures from this position on.
    case browse(from: Int)
    /// The body shows the end of the transfer. Without this call it keeps "Connecting…".
    case end

    /// The names of the services without their makers' prefixes.
    static let pushList = "XPushList:1"
    static let contents = "ContentDirectory:1"
    /// The folder with the selected pictures (rocc).
    private static let folder = "PushRoot"
    /// The pictures of a page. Bodies allow 50; a page of 20 keeps the reply short.
    static let pageMax = 20

    var service: String {
        switch self {
        case .start, .end: Self.pushList
        case .browse: Self.contents
        }
    }

    var action: String {
        switch self {
        case .start: "X_TransferStart"
        case .browse: "Browse"
        case .end: "X_TransferEnd"
        }
    }

    /// - Parameter type: the full type of the service, as the body describes it.
    func headers(_ type: String) -> [HTTPHeader] {
        [
            HTTPHeader("Content-Type", "text/xml; charset=\"utf-8\""),
            HTTPHeader("SOAPAction", "\"\(type)#\(action)\""),
        ]
    }

    func body(_ type: String) -> ByteBuffer {
        let arguments: String
        switch self {
        case .start: arguments = ""
        case .browse(let from):
            arguments =
                "<ObjectID>\(Self.folder)</ObjectID><BrowseFlag>BrowseDirectChildren</BrowseFlag><Filter>*</Filter>"
                + "<StartingIndex>\(from)</StartingIndex><RequestedCount>\(Self.pageMax)</RequestedCount>"
                + "<SortCriteria></SortCriteria>"
        case .end: arguments = "<ErrCode>0</ErrCode>"
        }
        return ByteBuffer(
            string: "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
                + "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" "
                + "s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body>"
                + "<u:\(action) xmlns:u=\"\(type)\">\(arguments)</u:\(action)></s:Body></s:Envelope>"
        )
    }
}

/// A page of the selected pictures.
struct SonyPushPage: Equatable, Sendable {
    var pictures: [SonyHTTPContent] = []
    /// The number of entries in the page, also of those that are no pictures.
    var count = 0
    /// The number of all selected pictures.
    var total = 0

    /// Reads the reply to `Browse`. The list is a document in the text of an element.
    static func read(_ reply: ByteBuffer) throws(DescriptionFault) -> SonyPushPage {
        let envelope = try DescriptionReader.read(reply, textLengthMax: DescriptionReader.byteCountMax)
        func number(_ name: String) -> Int? { envelope.descendants(named: name).first.flatMap { Int($0.text) } }
        guard let text = envelope.descendants(named: "Result").first?.text, let count = number("NumberReturned"),
            let total = number("TotalMatches"), (0...total).contains(count)
        else { throw DescriptionFault(line: 1, reason: "the reply is not a list of pictures") }
        let list = try DescriptionReader.read(ByteBuffer(string: text))
        let pictures = list.descendants(named: "item").compactMap { item -> SonyHTTPContent? in
            // The sizes of a picture; the first one is the largest (UNSURE: no source says that this is a rule).
            item["res"].map { resource in
                let name = DeviceDescription.shown(item["title"])
                return SonyHTTPContent(
                    file: CameraFile(
                        uri: resource.text,
                        name: name,
                        kinds: [.jpeg],
                        time: Self.time(DeviceDescription.shown(item["date"]))
                    ),
                    files: [SonyHTTPContent.File(url: resource.text, name: name, kind: .jpeg)]
                )
            }
        }
        return SonyPushPage(pictures: pictures, count: count, total: total)
    }

    /// A time in the form of the list of a card: `20260101T120100` is `2026-01-01T12:01:00`. Others do not change.
    private static func time(_ text: String) -> String {
        let digits = Array(text)
        guard digits.count == 15, digits[8] == "T", digits.count(where: { $0.isASCII && $0.isNumber }) == 14 else {
            return text
        }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let date = [part(0..<4), part(4..<6), part(6..<8)].joined(separator: "-")
        return "\(date)T\([part(9..<11), part(11..<13), part(13..<15)].joined(separator: ":"))"
    }
}
