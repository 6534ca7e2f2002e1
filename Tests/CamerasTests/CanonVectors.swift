// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import Testing

/// Bytes of real EOS bodies and values of the sources; the fixtures name the source of each.
enum CanonVectors {
    /// Payloads of real bodies.
    static let payloads: [CanonVector] = (json("canon-vectors") as! [[String: Any]]).map(CanonVector.init)

    /// The decoded first event lists of some bodies, by the name of the body.
    static let dumps: [CanonDump] = (json("canon-decoded-first-dumps") as! [String: [[String: Any]]])
        .map { CanonDump($0.key, $0.value) }.sorted { $0.name < $1.name }

    /// The operations that real bodies list.
    static let operations: [CanonOperations] = (json("canon-operations") as! [String: [String: Any]])
        .map { CanonOperations(name: $0.key, json: $0.value) }.sorted { $0.name < $1.name }

    /// The event lists among the payloads that are complete.
    static let lists: [CanonVector] =
        payloads.filter { $0.name.contains("get_event") && !$0.name.contains("truncated") }
        + section("payloads").filter { $0.name.hasPrefix("canon_get_event") }

    /// The payload with this name.
    static func bytes(_ name: String) -> ByteBuffer {
        (payloads + section("payloads") + section("malformed")).first { $0.name == name }!.bytes
    }

    /// A section of the Canon part of the vectors about PTP/IP.
    static func section(_ name: String) -> [CanonVector] {
        ((json("canon-ptpip-vectors") as! [String: Any])[name] as! [[String: Any]]).map(CanonVector.init)
    }

    /// A table of Canon's values.
    static func table(_ name: String) -> [[String: Any]] {
        let root = json("canon-ptpip-vectors") as! [String: Any]
        return (root["canon"] as! [String: Any])[name] as! [[String: Any]]
    }

    /// The lists of speeds of real bodies, by the name of the body.
    static func speedLists() -> [[UInt32]] {
        let root = json("canon-ptpip-vectors") as! [String: Any]
        let lists = (root["canon"] as! [String: Any])["tv_real_lists"] as! [String: [String]]
        return lists.values.map { $0.map { UInt32(hexNumber($0)!) } }
    }

    private static func json(_ name: String) -> Any {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try! Data(contentsOf: folder.appending(path: "Fixtures/\(name).json"))
        return try! JSONSerialization.jsonObject(with: data)
    }
}

/// One vector: its bytes, and for some vectors its decoded fields.
struct CanonVector: CustomTestStringConvertible, @unchecked Sendable {
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
    var sent: [ByteBuffer] {
        (json["steps"] as! [[String: Any]]).filter { $0["direction"] as! String == "initiator->responder" }
            .map { ByteBuffer(hex: $0["hex"] as! String) }
    }
    /// The decoded records of an event list.
    var records: [[String: Any]] { fields["records"] as? [[String: Any]] ?? [] }
}

/// The decoded records of a body's first event list. Some records of the source have no property.
struct CanonDump: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let name: String
    let records: [[String: Any]]

    init(_ name: String, _ records: [[String: Any]]) {
        self.name = name
        self.records = records
    }

    var testDescription: String { name }

    /// The numbers of a property's records of one type, in hexadecimal in the source; nil: not one number.
    func number(_ property: String) -> UInt32? {
        let record = records.first { $0["rec"] as? String == "C189" && $0["prop"] as? String == property }
        if let bytes = record?["bytes"] as? String {
            return ByteBuffer(hex: bytes).getInteger(at: 0, endianness: .little, as: UInt32.self)
        }
        return (record?["value"] as? String).flatMap { UInt32($0, radix: 16) }
    }
}

/// The operations that a real body lists.
struct CanonOperations: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let name: String
    let json: [String: Any]

    var testDescription: String { name }
    var model: String { json["model"] as! String }
    var codes: [UInt16] { (json["operations"] as! [String]).map { UInt16($0, radix: 16)! } }
}
