// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import Testing

/// Bytes of real Sony bodies and the values of Sony's documents; the fixture names the source of each.
enum SonyVectors {
    static func object(_ key: String) -> [String: Any] { root()[key] as! [String: Any] }

    static func list(_ key: String) -> [[String: Any]] { root()[key] as! [[String: Any]] }

    static var sections: [String] { Array(root().keys) }

    /// The complete answer of an RX100 VII to 0x9209: 78 records.
    static let propertiesOfRX100M7 = ByteBuffer(hex: object("ptp_property_all_rx100m7")["bytes"] as! String)

    /// The single records of that answer, decoded by hand.
    static var records: [SonyRecordVector] {
        let vectors = object("ptp_property_records_v3")["records"] as! [[String: Any]]
        let unitTest = object("ptp_property_record_colour_temp_unit_test")
        var decoded = unitTest["decode"] as! [String: Any]
        decoded["name"] = "colour temperature of a unit test"
        decoded["bytes"] = unitTest["bytes"]
        decoded["range"] = ["min": decoded["min"]!, "max": decoded["max"]!, "step": decoded["step"]!]
        return (vectors + [decoded]).map(SonyRecordVector.init)
    }

    private static func root() -> [String: Any] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try! Data(contentsOf: folder.appending(path: "Fixtures/sony-vectors.json"))
        return try! JSONSerialization.jsonObject(with: data) as! [String: Any]
    }
}

/// One property record as captured, and its decoded fields.
struct SonyRecordVector: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let json: [String: Any]

    init(_ json: [String: Any]) {
        self.json = json
    }

    var testDescription: String { json["name"] as! String }
    var bytes: ByteBuffer { ByteBuffer(hex: json["bytes"] as! String) }
    var code: UInt16 { UInt16(hexNumber(json["code"])!) }
    var type: UInt16 { UInt16(hexNumber(json["datatype"])!) }
    var getSet: UInt8 { (json["get_set"] as! NSNumber).uint8Value }
    var isEnabled: UInt8 { (json["is_enabled"] as! NSNumber).uint8Value }
    var form: Int { json["form"] as! Int }
    var current: Int64? { (json["current"] as? NSNumber)?.int64Value }
    var currentText: String? { json["current"] as? String }
    var defaultNumber: Int64? { (json["default"] as? NSNumber)?.int64Value }
    var settable: [Int64] { numbers("set_list") }
    var supported: [Int64] { numbers("get_set_list") }
    var range: [Int64]? {
        guard let range = json["range"] as? [String: NSNumber] else { return nil }
        return ["min", "max", "step"].map { range[$0]!.int64Value }
    }

    private func numbers(_ key: String) -> [Int64] { (json[key] as? [NSNumber] ?? []).map(\.int64Value) }
}

/// The number in a text of the form `0x…`.
func hexNumber(_ value: Any?) -> UInt64? {
    (value as? String).flatMap { UInt64($0.dropFirst(2), radix: 16) }
}

extension ByteBuffer {
    init(hex: String) {
        let digits = Array(hex.filter { !$0.isWhitespace })
        precondition(digits.count % 2 == 0)
        self.init(
            bytes: stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
        )
    }

    var hex: String { readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// A SplitMix64 generator. Its random bytes are the same each time.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> ByteBuffer {
        ByteBuffer(bytes: (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) })
    }
}
