import Cameras

@testable import bracketctl

extension Examples {
    static let snapshot: [String] = [
        SnapshotSentences.emptyName,
        SnapshotSentences.needsFile,
        SnapshotSentences.jsonNeedsFile,
        SnapshotSentences.countNeedsFollow,
        SnapshotSentences.notBase64,
        SnapshotSentences.unknownSize("huge"),
        SnapshotSentences.written("view.jpg", width: 640, height: 424, size: "38 kB", exposure: .shown),
        SnapshotSentences.written("view.jpg", width: 640, height: 424, size: "38 kB", exposure: .notShown),
        SnapshotSentences.written("view.jpg", width: 1056, height: 704, size: "464 kB", exposure: .unknown),
    ]
}
