// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import JSON

/// Values of real Sony bodies and of Sony's documents about the Camera Remote API; the fixture names the source of
/// each.
enum SonyHTTPVectors {
    static func object(_ key: String) -> [String: JSONValue] { root[key]!.objectValue! }

    static func list(_ key: String) -> [JSONValue] { root[key]!.arrayValue! }

    static var sections: [String] { root.keys.sorted() }

    /// The texts of a member that is a list.
    static func texts(_ value: JSONValue?) -> [String] { value!.arrayValue!.map { $0.stringValue! } }

    private static let root: [String: JSONValue] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try! Data(contentsOf: folder.appending(path: "Fixtures/sony-http-vectors.json"))
        return try! JSONValue(parsing: data).objectValue!
    }()
}
