import PTP

/// The deviations of a body. They are values of a table, never branches in the code.
package struct NikonQuirks: Hashable, Sendable {
    /// Whether the body crashes if it is asked for its own properties.
    package var skipsVendorList = false
    /// The number of parameters of 0x9207.
    package var captureParameters = 2
    /// Whether live view must be on for a release.
    package var needsLiveView = false
    /// Whether the body rejects a release without autofocus (0xA004), and then accepts one with autofocus.
    package var needsAutofocus = false
    /// The shortest time from the open session to its close.
    package var sessionMin: Duration = .zero
    /// The pause before the next connection.
    package var reconnectPause: Duration = .zero

    package init() {}

    package init(model: String) {
        for row in Self.rows(of: model) {
            switch row.quirk {
            case .crashesOnVendorList: skipsVendorList = true
            case .takesOneCaptureParameter: captureParameters = 1
            case .releasesInLiveView: needsLiveView = true
            case .releasesWithAutofocus: needsAutofocus = true
            case .needsSession(let time): sessionMin = time
            case .needsPause(let time): reconnectPause = time
            }
        }
    }

    /// One known deviation.
    package enum Quirk: Hashable, Sendable {
        /// The body crashes on 0x90CA.
        case crashesOnVendorList
        /// The body rejects the second parameter of 0x9207 (0x2006).
        case takesOneCaptureParameter
        /// The body releases only in live view.
        case releasesInLiveView
        /// The body may reject a release without autofocus.
        case releasesWithAutofocus
        /// If a session is closed earlier than this, the body does not answer the next connection.
        case needsSession(Duration)
        /// If the body is connected again earlier than this, it does not answer.
        case needsPause(Duration)
    }

    /// A deviation, the models that have it, and the source.
    package struct Row: Sendable {
        package var quirk: Quirk
        /// The beginnings of the names in DeviceInfo, without the maker's name; empty: every body.
        package var models: [String]
        package var source: String
    }

    /// All known deviations.
    package static let table: [Row] = [
        Row(
            quirk: .crashesOnVendorList,
            models: ["V1", "J1", "J2"],
            source: "libgphoto2 library.c (0x90CA crashes these bodies)"
        ),
        Row(
            quirk: .takesOneCaptureParameter,
            models: ["D3X"],
            source: "libgphoto2 library.c (0x9207 with two parameters is rejected)"
        ),
        Row(
            quirk: .releasesInLiveView,
            models: nikon1,
            source: "libgphoto2 library.c (Nikon 1 releases only in live view)"
        ),
        Row(
            quirk: .releasesWithAutofocus,
            models: nikon1,
            source: "libgphoto2 library.c (Nikon 1 rejects a release without autofocus)"
        ),
        // No source names the bodies that need the pauses.
        Row(
            quirk: .needsSession(.seconds(1)),
            models: [],
            source: "airnef (after a shorter session the next connection is not answered)"
        ),
        Row(
            quirk: .needsPause(.milliseconds(1200)),
            models: [],
            source: "OpenZCine (a ZR needs 1.2 s between two connections)"
        ),
    ]

    /// The rows that hold for a model. Names have the forms `J1`, `NIKON D3X` and `NIKON 1 J1`.
    package static func rows(of model: String) -> [Row] {
        var name = model.uppercased()[...]
        for prefix in ["NIKON ", "1 "] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        return table.filter { row in
            row.models.isEmpty
                || row.models.contains { beginning in
                    // "J1" is not the beginning of "J10".
                    name.hasPrefix(beginning) && name.dropFirst(beginning.count).first?.isNumber != true
                }
        }
    }

    private static let nikon1 = ["V1", "V2", "V3", "J1", "J2", "J3", "J4", "J5", "S1", "S2", "AW1"]
}
