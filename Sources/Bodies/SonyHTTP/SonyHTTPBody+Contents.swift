import Cameras
import JSON

/// The list of the card: the service avContent (API Reference v2.40).
extension SonyHTTPBody {
    private static let source = "storage:memoryCard1"
    private static let pageMax = 100

    mutating func performContents(_ waiter: Waiter, at now: Duration) {
        let params = waiter.call.params.first ?? .null
        if waiter.call.method == "getSchemeList" {
            return reply([[["scheme": "storage"]]], to: waiter, at: now)
        }
        guard function == .contents else { return reply(.notAvailable, to: waiter, at: now) }
        switch waiter.call.method {
        case "getSourceList":
            guard params["scheme"]?.stringValue == "storage" else {
                return reply(.illegalArgument, to: waiter, at: now)
            }
            reply([[["source": .string(Self.source)]]], to: waiter, at: now)
        case "getContentCount":
            guard let list = contents(params, isDescending: false) else {
                return reply(.illegalArgument, to: waiter, at: now)
            }
            reply([["count": .int(list.count)]], to: waiter, at: now)
        case "getContentList": listContents(params, waiter, at: now)
        case "deleteContent": delete(params["uri"]?.arrayValue ?? [], waiter, at: now)
        default: reply(.noSuchMethod, to: waiter, at: now)
        }
    }

    private mutating func listContents(_ params: JSONValue, _ waiter: Waiter, at now: Duration) {
        let isDescending = params["sort"]?.stringValue == "descending"
        guard let start = params["stIdx"]?.intValue, start >= 0, let count = params["cnt"]?.intValue,
            (1...Self.pageMax).contains(count), let list = contents(params, isDescending: isDescending)
        else { return reply(.illegalArgument, to: waiter, at: now) }
        reply([.array(Array(list.dropFirst(start).prefix(count)))], to: waiter, at: now)
    }

    /// The entries of a place: all pictures, the folders of days, or the pictures of a day; nil: no such place.
    private func contents(_ params: JSONValue, isDescending: Bool) -> [JSONValue]? {
        let stored = card.filter { $0.written != nil && !deleted.contains($0.number) }
        let frames = isDescending ? stored.reversed() : stored
        guard let place = params["uri"]?.stringValue, place.hasPrefix(Self.source) else { return nil }
        let day = place.dropFirst(Self.source.count)
        if day.hasPrefix("?path=") {
            let wanted = day.dropFirst("?path=".count)
            return frames.filter { BodyClock($0.at).dayText == wanted }.map(entry)
        }
        guard day.isEmpty else { return nil }
        guard params["view"]?.stringValue == "date" else { return frames.map(entry) }
        var days: [String] = []
        for frame in frames where days.last != BodyClock(frame.at).dayText { days.append(BodyClock(frame.at).dayText) }
        return days.map(folder)
    }

    private func folder(_ day: String) -> JSONValue {
        [
            "uri": .string("\(Self.source)?path=\(day)"), "title": .string(day.replacing("-", with: "")),
            "createdTime": "", "contentKind": "directory", "folderNo": "", "fileNo": "", "isPlayable": "false",
            "isBrowsable": "true", "isProtected": "", "remotePlayType": .null, "content": .null,
        ]
    }

    private func entry(_ frame: CardFrame) -> JSONValue {
        let digits = String(frame.number % 10_000)
        let originals = frame.fileKinds.map { kind -> JSONValue in
            [
                "fileName": .string(fileName(of: frame, kind)), "stillObject": kind == .raw ? "raw" : "jpeg",
                "url": .string(url(of: frame, kind == .raw ? .original : .originalJPEG)),
            ]
        }
        return [
            "uri": .string(Self.uri(of: frame.number)), "title": "",
            "createdTime": .string("\(BodyClock(frame.at).dayText)T\(BodyClock(frame.at).timeText)+00:00"),
            "contentKind": "still", "folderNo": "100",
            "fileNo": .string(String(repeating: "0", count: 4 - digits.count) + digits), "isPlayable": "false",
            "isBrowsable": "false", "isProtected": "", "remotePlayType": .null,
            "content": [
                "original": .array(originals), "largeUrl": .string(url(of: frame, .screen)),
                "smallUrl": .string(url(of: frame, .vga)),
                "thumbnailUrl": .string(url(of: frame, .thumbnail)),
            ],
        ]
    }

    private static func uri(of number: Int) -> String { "image:content?contentId=\(number)" }

    private mutating func delete(_ uris: [JSONValue], _ waiter: Waiter, at now: Duration) {
        guard (1...Self.pageMax).contains(uris.count) else { return reply(.illegalArgument, to: waiter, at: now) }
        let numbers = uris.compactMap { uri in
            card.first { .string(Self.uri(of: $0.number)) == uri && !deleted.contains($0.number) }?.number
        }
        deleted.formUnion(numbers)
        shotsLeft += numbers.count
        showCounter(shotsShown + numbers.count)
        numbers.count == uris.count
            ? reply([], to: waiter, at: now) : reply(.someNotDeleted, to: waiter, at: now)
    }
}

extension BodyClock {
    /// The day: `2026-01-01`.
    fileprivate var dayText: String { String(exif.prefix { $0 != " " }).replacing(":", with: "-") }
    /// The time of the day: `12:00:00`.
    fileprivate var timeText: String { String(exif.drop { $0 != " " }.dropFirst()) }
}
