import Interface
import Varlink

/// The manifest that `bracketctl sort` writes. docs/manifest.md describes it.
enum SortManifest {
    static let name = "manifest.json"
    static let author = "bracketctl sort"
    static let version = 1

    static func isManifest(_ bytes: [UInt8]) -> Bool {
        (try? JSONValue(parsing: bytes))?["writtenBy"]?.stringValue == author
    }
}
