// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import Testing

/// The published vectors: packets, payloads and malformed input. Most of them were captured from real cameras.
enum Vectors {
    static let packets = list("packets")
    static let malformed = list("malformed")
    static let sequences = list("sequences")
    static let payloads = list("payloads")

    static func payload(_ name: String) -> Vector {
        payloads.first { $0.name == name }!
    }

    private static func list(_ key: String) -> [Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try! Data(contentsOf: folder.appending(path: "Fixtures/ptpip-vectors.json"))
        let root = try! JSONSerialization.jsonObject(with: data) as! [String: Any]
        return (root[key] as! [[String: Any]]).map(Vector.init)
    }
}

struct Vector: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let json: [String: Any]

    init(_ json: [String: Any]) {
        self.json = json
    }

    var name: String { json["name"] as! String }
    var testDescription: String { name }
    var bytes: ByteBuffer { ByteBuffer(hex: json["hex"] as! String) }
    var fields: [String: Any] { json["fields"] as? [String: Any] ?? [:] }
    var level: String { json["level"] as? String ?? "" }

    /// The packets of a sequence.
    var steps: [(isOurs: Bool, bytes: ByteBuffer)] {
        (json["steps"] as! [[String: Any]]).map { step in
            (step["direction"] as! String == "initiator->responder", ByteBuffer(hex: step["hex"] as! String))
        }
    }

    /// Reads a field. Vectors write numbers as numbers or as `0x…`, sometimes followed by a remark.
    func number(_ field: String) -> UInt64? { Self.number(fields[field]) }

    func numbers(_ field: String) -> [UInt64]? { (fields[field] as? [Any])?.compactMap(Self.number) }

    func text(_ field: String) -> String? { fields[field] as? String }

    static func number(_ value: Any?) -> UInt64? {
        if let number = value as? NSNumber { return number.uint64Value }
        guard let word = (value as? String)?.split(separator: " ").first else { return nil }
        return word.hasPrefix("0x") ? UInt64(word.dropFirst(2), radix: 16) : UInt64(word)
    }
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
