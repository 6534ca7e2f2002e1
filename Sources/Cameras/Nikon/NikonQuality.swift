import PTP

/// Property 0x5004: the files of a picture, and the compression of the JPEG.
///
/// There are two numberings. libgphoto2 knows the older one, which ends at 7. Bodies with optimal quality (★) list
/// numbers beyond 7, and libgphoto2 shows wrong names for them. Their lists show the newer numbering: a Z 30 without ★
/// lists its seven qualities as 0, 2, 4, 7, 8, 10, 12, and only bodies that record TIFF list 6 (LGD, 12 bodies).
package struct NikonQuality: Hashable, Sendable {
    package enum Numbering: Hashable, Sendable {
        case older
        case newer

        /// The numbering of a body with this list.
        package init(_ choices: [Int64]) { self = choices.contains { $0 > 7 } ? .newer : .older }

        fileprivate var names: [String] {
            switch self {
            case .older: NikonQuality.older
            case .newer: NikonQuality.newer
            }
        }
    }

    package let number: Int64
    package let numbering: Numbering

    package init(_ number: Int64, _ numbering: Numbering) {
        self.number = number
        self.numbering = numbering
    }

    /// `RAW+JPEG fine`; nil: the number has no meaning.
    package var text: String? {
        let names = numbering.names
        return Int(exactly: number).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }

    /// The kinds of files; nil: not known.
    package var kinds: Set<PictureInfo.Kind>? {
        guard let text else { return nil }
        var kinds: Set<PictureInfo.Kind> = []
        if text.hasPrefix("RAW") { kinds.insert(.raw) }
        if text.contains("JPEG") { kinds.insert(.jpeg) }
        return kinds.isEmpty ? [.other] : kinds
    }

    private static let older = [
        "JPEG basic", "JPEG normal", "JPEG fine", "TIFF", "RAW", "RAW+JPEG basic", "RAW+JPEG normal", "RAW+JPEG fine",
    ]

    private static let newer = [
        "JPEG basic", "JPEG basic*", "JPEG normal", "JPEG normal*", "JPEG fine", "JPEG fine*", "TIFF", "RAW",
        "RAW+JPEG basic", "RAW+JPEG basic*", "RAW+JPEG normal", "RAW+JPEG normal*", "RAW+JPEG fine",
        "RAW+JPEG fine*",
    ]
}
