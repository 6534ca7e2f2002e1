// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import Testing

/// Bytes of real EOS bodies and values of the sources; the fixtures name the source of each.
enum CanonVectors {
    /// Payloads of real bodies.
    static let payloads: [WireVector] = (fixture("canon-vectors") as! [[String: Any]]).map(WireVector.init)

    /// The decoded first event lists of some bodies, by the name of the body.
    static let dumps: [CanonDump] = (fixture("canon-decoded-first-dumps") as! [String: [[String: Any]]])
        .map { CanonDump($0.key, $0.value) }.sorted { $0.name < $1.name }

    /// The operations that real bodies list.
    static let operations: [CanonOperations] = (fixture("canon-operations") as! [String: [String: Any]])
        .map { CanonOperations(name: $0.key, json: $0.value) }.sorted { $0.name < $1.name }

    /// The event lists among the payloads that are complete.
    static let lists: [WireVector] =
        payloads.filter { $0.name.contains("get_event") && !$0.name.contains("truncated") }
        + section("payloads").filter { $0.name.hasPrefix("canon_get_event") }

    /// The payload with this name.
    static func bytes(_ name: String) -> ByteBuffer {
        (payloads + section("payloads") + section("malformed")).first { $0.name == name }!.bytes
    }

    /// A section of the Canon part of the vectors about PTP/IP.
    static func section(_ name: String) -> [WireVector] {
        ((fixture("canon-ptpip-vectors") as! [String: Any])[name] as! [[String: Any]]).map(WireVector.init)
    }

    /// A table of Canon's values.
    static func table(_ name: String) -> [[String: Any]] {
        let root = fixture("canon-ptpip-vectors") as! [String: Any]
        return (root["canon"] as! [String: Any])[name] as! [[String: Any]]
    }

    /// The lists of speeds of real bodies, by the name of the body.
    static func speedLists() -> [[UInt32]] {
        let root = fixture("canon-ptpip-vectors") as! [String: Any]
        let lists = (root["canon"] as! [String: Any])["tv_real_lists"] as! [String: [String]]
        return lists.values.map { $0.map { UInt32(hexNumber($0)!) } }
    }
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
