import Cameras
import JSON
import NIOCore
import PTP

/// The pictures of frames, and their URLs.
extension SonyHTTPBody {
    /// The sizes in which the body serves a picture.
    enum PictureSize: String, CaseIterable, Sendable {
        /// The whole RAW file.
        case original = "org"
        /// The whole JPEG.
        case originalJPEG = "orgjpeg"
        /// About 2 megapixels.
        case screen = "scn"
        case vga
        case thumbnail = "thumb"

        /// The megapixels, for files as large as real ones; nil: those of the body.
        var megapixels: Int? {
            switch self {
            case .original, .originalJPEG: nil
            case .screen: 2
            case .vga, .thumbnail: 0
            }
        }
    }

    static let liveViewPath = "/liveview/liveviewstream"
    private static let postviewPath = "/postview/"
    private static let contentPath = "/contentstransfer/"
    /// The query of URLs of bodies on port 10000 (sonycam).
    private static let query = "?%211234%21http%2dget%3a%2a%3aimage%2fjpeg%3a%2a%21%21%21%21%21"

    /// The kinds of files of a picture.
    var fileKinds: [PictureInfo.Kind] {
        switch values["StillQuality"] {
        case "RAW+JPEG": [.jpeg, .raw]
        case "RAW": [.raw]
        default: [.jpeg]
        }
    }

    /// The address and port of the URLs in replies.
    private var urlAuthority: String { has(.foreignURLs) ? Self.foreignHost : authority }

    /// The URL of a frame's postview. RAW files have none, so a RAW picture has the URL of its JPEG.
    func url(of frame: CardFrame) -> String {
        let date = BodyClock(frame.at).ptp.replacing("T", with: "_")
        let name = "pict\(date)_\(frame.number).JPG"
        guard model.port == 8080 else { return "http://\(urlAuthority)/\(name)\(Self.query)" }
        let folder = values["PostviewImageSize"] == "Original" ? "memory/" : ""
        return "http://\(urlAuthority)\(Self.postviewPath)\(folder)\(name)"
    }

    /// The URL of a file on the card. Like that of a real body, it has neither the name nor the ending of the file.
    func url(of frame: CardFrame, _ size: PictureSize) -> String {
        "http://\(urlAuthority)\(Self.contentPath)\(size.rawValue)/\(Self.indexPrefix)\(frame.number)"
    }

    private static let indexPrefix = "index%3A%2F%2F1000%2F"

    /// The name of a file on the card.
    func fileName(of frame: CardFrame, _ kind: PictureInfo.Kind) -> String {
        let digits = String(frame.number % 100_000)
        let number = String(repeating: "0", count: 5 - digits.count) + digits
        return model.filePrefix + number + model.fileSuffix + (kind == .raw ? ".ARW" : ".JPG")
    }

    // MARK: Serving

    mutating func serve(_ request: ServedRequest, on id: ConnectionID, at now: Duration) {
        let path = request.path.prefix { $0 != "?" }
        if path == SonyHTTPDescription.path { return serveDescription(on: id) }
        if path == Self.liveViewPath { return startLiveView(on: id, at: now) }
        if faults.takeBusy(during: currentFrame, { $0 == .object }) { return refuse(503, on: id) }
        if path.hasPrefix(Self.contentPath) { return serveContent(path, on: id, at: now) }
        // `pict20260101_120003_7.JPG` is the picture of frame 7. Other paths are forbidden (SR).
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("pict"), let number = Int(name.dropLast(4).split(separator: "_").last ?? "") else {
            return refuse(403, on: id)
        }
        let isExpired = faults.first { $0 == .expiredURL(frame: number) ? true : nil } ?? false
        guard !isExpired, postviews.contains(number), let index = card.firstIndex(where: { $0.number == number }) else {
            return refuse(404, on: id)
        }
        let isWhole = path.contains("/memory/") || values["PostviewImageSize"] == "Original"
        send(index, .jpeg, isWhole ? .original : .screen, on: id, at: now)
    }

    /// `/contentstransfer/orgjpeg/index%3A%2F%2F1000%2F7` is the JPEG of frame 7.
    private mutating func serveContent(_ path: Substring, on id: ConnectionID, at now: Duration) {
        let parts = path.dropFirst(Self.contentPath.count).split(separator: "/")
        guard parts.count == 2, let size = PictureSize(rawValue: String(parts[0])),
            parts[1].hasPrefix(Self.indexPrefix), let number = Int(parts[1].dropFirst(Self.indexPrefix.count))
        else { return refuse(403, on: id) }
        let kind: PictureInfo.Kind = size == .original ? .raw : .jpeg
        if let push { return send(push.frame(number), kind, size, on: id, at: now) }
        guard function == .contents, !deleted.contains(number),
            let index = card.firstIndex(where: { $0.number == number && $0.written != nil })
        else { return refuse(404, on: id) }
        send(index, kind, size, on: id, at: now)
    }

    private mutating func serveDescription(on id: ConnectionID) {
        let place = authority.split(separator: ":")
        let host = place.first.flatMap { IPAddress(String($0)) } ?? IPAddress(bytes: [192, 168, 122, 1])
        let port = place.last.flatMap { UInt16($0) } ?? model.port
        let description = SonyHTTPDescription(
            model,
            host: host,
            service: port == Self.descriptionPort ? model.port : port,
            isPushing: push != nil
        )
        let head = HTTPHead(status: 200, headers: [HTTPHeader("Content-Type", "text/xml; charset=\"utf-8\"")] + closing)
        outputs.append(.reply(id, HTTPReply(head, body: ByteBuffer(string: description.document))))
    }

    private mutating func send(
        _ index: Int,
        _ kind: PictureInfo.Kind,
        _ size: PictureSize,
        on id: ConnectionID,
        at now: Duration
    ) {
        card[index].isFetched = true
        send(card[index], kind, size, on: id, at: now)
    }

    /// Sends a file in pieces. A fault can break the link in the middle.
    private mutating func send(
        _ frame: CardFrame?,
        _ kind: PictureInfo.Kind,
        _ size: PictureSize,
        on id: ConnectionID,
        at now: Duration
    ) {
        guard let frame else { return refuse(404, on: id) }
        var content = picture(of: frame, kind, size)
        let length = HTTPHeader("Content-Length", "\(content.count)")
        let type = HTTPHeader("Content-Type", kind == .raw ? "application/octet-stream" : "image/jpeg")
        outputs.append(.begin(id, HTTPHead(status: 200, headers: [type, length] + closing)))
        let end = faults.takeTransferBreak(of: frame.number, from: 0, count: content.count)
        if let end { content = content.part(from: 0, count: end.after) }
        let count = content.count
        while content.count > 0 {
            outputs += content.read(upTo: Self.pieceByteCount).map { .piece(id, $0) }
        }
        guard let end else { return outputs.append(.end(id)) }
        outputs.append(.log("fault: the link breaks after \(count) bytes of frame \(frame.number)"))
        let rate = options.pace.map { Duration.nanoseconds(count * 1_000_000_000 / $0) } ?? .zero
        schedule.plan(.linkFails(.broken(back: end.back)), at: now + options.latency + rate)
    }

    private static let pieceByteCount = 64 << 10

    private func picture(of frame: CardFrame, _ kind: PictureInfo.Kind, _ size: PictureSize) -> ResponderContent {
        let small = size.megapixels.map { SimulatedPicture.realSize(of: .jpeg, megapixels: $0) }
        let real = options.filesHaveRealSize ? small ?? model.fileSize(of: kind) : nil
        var picture = SimulatedPicture(
            model: model.name,
            firmware: model.firmware,
            frame: frame,
            byteCount: small == nil ? options.pictureSize ?? real : real
        )
        picture.scene = options.scene
        return kind == .raw ? picture.raw() : picture.jpeg()
    }

    // MARK: Settings of a frame

    /// The body's present settings, for an exposure at this speed.
    func frameSettings(at speed: SonyHTTPShutterSpeed) -> FrameSettings {
        let sensitivity = values["IsoSpeedRate"]?.stringValue ?? ""
        var settings = FrameSettings(
            iso: Int(sensitivity) ?? 100,
            isAutoISO: sensitivity == "AUTO",
            aperture: values["FNumber"]?.stringValue.flatMap { Double($0) }.map { Int(($0 * 100).rounded()) },
            compensation: compensationThousandths,
            mode: mode,
            // The settings have the numbers of PTP: 2 is auto, 4 is daylight.
            whiteBalance: values["WhiteBalance"] == "Auto WB" ? 2 : 4
        )
        guard settings.isAutoISO else { return settings }
        settings.chooseISO(from: SonyHTTPSetting.sensitivities, over: speed.exposureTime ?? .seconds(1))
        return settings
    }

    /// Exposure compensation × 1000. Bodies round the thirds to 300 and 700.
    private var compensationThousandths: Int {
        let thirds = values["ExposureCompensation"]?.intValue ?? 0
        return thirds.signum() * (abs(thirds) / 3 * 1_000 + [0, 300, 700][abs(thirds) % 3])
    }
}
