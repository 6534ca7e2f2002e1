import JSON

/// A running `.files`.
struct SonyHTTPContentsWork: Sendable {
    enum Step: Sendable {
        /// The body changes to the function that lists its files.
        case entering
        case schemes
        case sources([String])
        case count(source: String)
        case page(source: String, from: Int, count: Int)
        /// The pictures are in transfer, one after the other: the number of the next one, and how many failed.
        case fetching(next: Int, failed: Int)
        /// The body changes back, and then the driver reports this event.
        case returning(CameraEvent)
    }

    let ticket: Ticket
    let request: CameraFileRequest
    var step = Step.entering
    var until: Duration
    /// Whether the driver asked for the function of the present step.
    var hasSetFunction = false
    /// The earliest time of the next call.
    var notBefore: Duration = .zero
    /// Whether the card has more entries than the driver reads.
    var isCut = false
    var found: [SonyHTTPContent] = []

    /// Whether no more pages are needed.
    var isComplete: Bool {
        switch request {
        case .list(_, let limit): found.count >= limit
        case .get(let uris): uris.allSatisfy { uri in found.contains { $0.file.uri == uri } }
        case .listSelected, .getSelected: true
        }
    }

    /// Adds the entries of a page.
    ///
    /// - Returns: whether an entry was too old, so that no later page is needed. The newest entries come first.
    mutating func add(_ entries: [SonyHTTPContent]) -> Bool {
        for entry in entries {
            switch request {
            case .list(let since, let limit):
                // Both texts begin with the date and the time, so they can be compared as texts.
                if let since, !entry.file.time.isEmpty, entry.file.time.prefix(since.count) < since { return true }
                if found.count < limit { found.append(entry) }
            case .get(let uris):
                if uris.contains(entry.file.uri) { found.append(entry) }
            case .listSelected, .getSelected: break
            }
        }
        return false
    }
}

/// One picture of a list (API Reference v2.40, getContentList 1.3).
package struct SonyHTTPContent: Hashable, Sendable {
    package var file: CameraFile
    /// The files of the picture. Real URLs have no name of a file (`/contentstransfer/org/index…`), so the list gives
    /// it.
    package var files: [File]

    package struct File: Hashable, Sendable {
        package var url: String
        /// The name; can be empty.
        package var name: String
        package var kind: PictureInfo.Kind
    }

    init(file: CameraFile, files: [File]) {
        self.file = file
        self.files = files
    }

    /// nil: the entry is no picture, or has no usable name.
    package init?(_ value: JSONValue) {
        guard let uri = value["uri"]?.shownURL, value["contentKind"]?.stringValue != "directory" else { return nil }
        let originals = value["content"]?["original"]?.arrayValue?.prefix(Self.originalsMax) ?? []
        files = originals.compactMap { original in
            guard let url = original["url"]?.shownURL else { return nil }
            let name = original["fileName"]?.shownText ?? ""
            return File(url: url, name: name, kind: Self.kind(original["stillObject"]?.stringValue, name))
        }
        guard !files.isEmpty else { return nil }
        file = CameraFile(
            uri: uri,
            name: originals.lazy.compactMap { $0["fileName"]?.shownText }.first ?? "",
            kinds: files.map(\.kind),
            time: value["createdTime"]?.shownText ?? ""
        )
    }

    /// A picture has a JPEG file, a RAW file or both.
    private static let originalsMax = 8

    /// The kind can be an empty text (API Reference v2.40), and then the name decides.
    private static func kind(_ text: String?, _ name: String) -> PictureInfo.Kind {
        switch text {
        case "jpeg": .jpeg
        case "raw": .raw
        case "" where !name.isEmpty: SonyHTTPPicture.kind(name)
        default: .other
        }
    }
}

extension SonyHTTPLimits {
    /// The most entries of a page (API Reference v2.40).
    static let pageMax = 100
    /// The greatest number of entries of a card that the driver reads.
    static let contentsMax = 20_000
}
