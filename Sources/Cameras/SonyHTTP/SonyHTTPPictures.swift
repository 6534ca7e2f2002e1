import NIOCore
import PrintableText

/// A picture that waits for its transfer.
struct SonyHTTPPicture: Sendable {
    let url: DescriptionURL
    /// The id of the body that offered the URL. Other bodies have the same address and can have the same URL.
    let bodyID: String?
    let capture: Ticket?
    /// The name and the kind by the list of the card; nil: by the URL.
    var file: SonyHTTPContent.File?
    /// Whether a client requested the picture, so that it is transferred whatever the policy.
    var isWanted: Bool { file != nil }
    /// How often the transfer failed.
    var failures = 0

    var info: PictureInfo { info(byteCount: nil) }

    func info(byteCount: UInt64?) -> PictureInfo {
        PictureInfo(
            name: file.flatMap { $0.name.isEmpty ? nil : $0.name } ?? Self.name(url.path),
            kind: file?.kind ?? Self.kind(Self.name(url.path)),
            byteCount: byteCount,
            captureDate: "",
            capture: capture
        )
    }

    /// The name in a URL or a path: the last part, without the query.
    static func name(_ path: String) -> String {
        let name = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        return PrintableText.clean(name, lengthMax: SonyHTTPLimits.textLengthMax, replacement: "_")
    }

    /// Bodies send only JPEG as post-view pictures (API Reference v2.40). A name without an extension counts as JPEG.
    static func kind(_ name: String) -> PictureInfo.Kind {
        let name = name.lowercased()
        let rawEndings = [".arw", ".sr2"]
        return rawEndings.contains { name.hasSuffix($0) } ? .raw : .jpeg
    }
}

/// The pictures that the body offered and that are not transferred yet, and the running transfer.
struct SonyHTTPPictures: Sendable {
    /// The request of a picture. A picture has a number from the head of its reply on.
    struct Transfer: Sendable {
        let request: HTTPRequestID
        var number: PictureID?
    }

    var request = PictureRequest(policy: .none)
    private(set) var waiting: [SonyHTTPPicture] = []
    private(set) var transfer: Transfer?
    /// How many pictures that a client requested were not transferred, since the last question.
    private var wantedFailures = 0
    private var lastNumber: UInt32 = 0
    /// The earliest time of the next transfer.
    var notBefore: Duration = .zero

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func nextNumber() -> PictureID {
        lastNumber &+= 1
        return PictureID(rawValue: lastNumber)
    }

    /// Adds a picture. If too many wait, the oldest one is given up; it stays on the camera's card.
    mutating func add(_ picture: SonyHTTPPicture, in turn: inout DriverTurn) {
        guard !waiting.contains(where: { $0.url == picture.url && $0.bodyID == picture.bodyID }) else { return }
        if waiting.count >= SonyHTTPLimits.picturesMax { skip(at: transfer == nil ? 0 : 1, .tooMany, in: &turn) }
        waiting.append(picture)
    }

    /// Gives up a picture and reports that. The picture stays on the camera's card.
    mutating func skip(at index: Int = 0, _ reason: PictureSkip, in turn: inout DriverTurn) {
        guard waiting.indices.contains(index) else { return }
        let picture = waiting.remove(at: index)
        if picture.isWanted { wantedFailures += 1 }
        turn.append(.picture(nextNumber(), .skipped(picture.info, reason)))
    }

    /// Reports a picture whose URL is not at the camera's address.
    mutating func skipForeign(
        _ text: String,
        _ file: SonyHTTPContent.File?,
        capture: Ticket?,
        in turn: inout DriverTurn
    ) {
        if file != nil { wantedFailures += 1 }
        let name = SonyHTTPPicture.name(text)
        let kind = file?.kind ?? SonyHTTPPicture.kind(name)
        let info = PictureInfo(name: name, kind: kind, byteCount: nil, captureDate: "", capture: capture)
        turn.append(.picture(nextNumber(), .skipped(info, .foreign)))
    }

    /// Gives up the pictures of other bodies. Their URLs are not valid on this body.
    mutating func skipOthers(than bodyID: String, in turn: inout DriverTurn) {
        while let index = waiting.firstIndex(where: { $0.bodyID != bodyID }) {
            skip(at: index, .ofOtherCamera, in: &turn)
        }
    }

    /// Whether a requested picture was not transferred since the last question.
    mutating func takeFailure() -> Bool {
        defer { wantedFailures = 0 }
        return wantedFailures > 0
    }

    mutating func removeUnwanted() { waiting.removeAll { !$0.isWanted } }

    /// Ends the transfers that a client requested.
    mutating func removeWanted(in turn: inout DriverTurn) {
        if waiting.first?.isWanted == true { cancel(in: &turn) }
        waiting.removeAll { $0.isWanted }
        wantedFailures = 0
    }

    mutating func removeFirst() { if !waiting.isEmpty { waiting.removeFirst() } }

    mutating func begin(_ request: HTTPRequestID) { transfer = Transfer(request: request) }

    mutating func announce() -> PictureID {
        let number = nextNumber()
        transfer?.number = number
        return number
    }

    mutating func end() { transfer = nil }

    mutating func noteFailure() { if !waiting.isEmpty { waiting[0].failures += 1 } }
}
