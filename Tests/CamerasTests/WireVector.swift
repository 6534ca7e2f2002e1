// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import Testing

/// The JSON file of a fixture.
func fixture(_ name: String) -> Any {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try! Data(contentsOf: folder.appending(path: "Fixtures/\(name).json"))
    return try! JSONSerialization.jsonObject(with: data)
}

/// One vector: its bytes, and for some vectors its decoded fields.
struct WireVector: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let json: [String: Any]

    init(_ json: [String: Any]) {
        self.json = json
    }

    var name: String { json["name"] as! String }
    var testDescription: String { name }
    var bytes: ByteBuffer { ByteBuffer(hex: json["hex"] as! String) }
    var fields: [String: Any] { json["fields"] as? [String: Any] ?? [:] }
    /// The packets of a sequence that this computer sends.
    var sent: [ByteBuffer] { steps("initiator->responder") }
    /// The packets of a sequence that the camera sends.
    var received: [ByteBuffer] { steps("responder->initiator") }
    /// The decoded records of an event list.
    var records: [[String: Any]] { fields["records"] as? [[String: Any]] ?? [] }

    private func steps(_ direction: String) -> [ByteBuffer] {
        (json["steps"] as! [[String: Any]]).filter { $0["direction"] as! String == direction }
            .map { ByteBuffer(hex: $0["hex"] as! String) }
    }
}
