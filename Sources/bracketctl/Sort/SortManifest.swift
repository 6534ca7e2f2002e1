import Varlink

/// A manifest that this program wrote; docs/manifest.md says what stands in it.
struct SortManifest {
    static let name = "manifest.json"
    static let author = "bracketctl sort"
    static let version = 1

    /// The files that were linked: where, and the path of the original as seen from the manifest's folder.
    let links: [(path: String, original: String)]

    /// Nil: it is no manifest, or another program's.
    init?(bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), value["writtenBy"]?.stringValue == SortManifest.author else {
            return nil
        }
        let files = (value["frames"]?.arrayValue ?? []).flatMap { $0["files"]?.arrayValue ?? [] }
        links = files.compactMap { file in
            guard let path = file["path"]?.stringValue, let original = file["original"]?.stringValue else { return nil }
            // The system would cut such a name, and it would be the name of another file.
            return path.utf8.contains(0) || original.utf8.contains(0) ? nil : (path, original)
        }
    }
}
