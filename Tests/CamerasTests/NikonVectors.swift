// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Bytes and values of real Nikon bodies and of the sources; the fixtures name the source of each.
enum NikonVectors {
    /// The descriptors of properties of seven bodies, built from their dumps, and packets.
    static let constructed: [WireVector] = (fixture("nikon-constructed") as! [[String: Any]]).map(WireVector.init)

    /// The descriptors among them.
    static let descriptors = constructed.filter { $0.name.contains("_prop_desc_") }

    /// The properties of 21 bodies.
    static let profiles: [NikonProfile] = (fixture("nikon-profiles") as! [String: [String: Any]])
        .map { NikonProfile(name: $0.key, json: $0.value) }.sorted { $0.name < $1.name }

    static func profile(_ name: String) -> NikonProfile { profiles.first { $0.name == name }! }

    /// A section of the Nikon part of the vectors about PTP/IP.
    static func section(_ name: String) -> [WireVector] {
        (vectors[name] as! [[String: Any]]).map(WireVector.init)
    }

    /// The tables of the Nikon part.
    static func table(_ name: String) -> Any { (vectors["nikon"] as! [String: Any])[name]! }

    /// The values of a list of numbers, decimal or as texts in hexadecimal.
    static func numbers(_ value: Any?) -> [UInt32] {
        (value as! [Any]).map { UInt32(hexNumber($0) ?? ($0 as! NSNumber).uint64Value) }
    }

    static func vector(_ name: String) -> WireVector {
        let all = constructed + ["malformed", "packets", "sequences", "payloads"].flatMap(section)
        return all.first { $0.name == name }!
    }

    private static var vectors: [String: Any] { fixture("nikon-ptpip-vectors") as! [String: Any] }
}

extension WireVector {
    /// The property of a descriptor, which is the end of its name.
    var property: PropertyCode { PropertyCode(rawValue: UInt16(name.suffix(4), radix: 16)!) }
}

/// The description and the used properties of a real body, from a dump of gphoto2.
struct NikonProfile: CustomTestStringConvertible, @unchecked Sendable {
    // Immutable JSON values only, so tests may share them.
    let name: String
    let json: [String: Any]

    var testDescription: String { name }
    var model: String { json["model"] as! String }
    /// Empty in dumps without the description of the body.
    var operations: [OperationCode] {
        (json["operations"] as! [String]).map { OperationCode(rawValue: UInt16($0, radix: 16)!) }
    }
    var recordsTIFF: Bool { (json["capture_formats"] as! String).contains("TIFF") }

    var descriptors: [DevicePropDesc] { (json["properties"] as! [[String: Any]]).map(Self.descriptor) }

    func descriptor(_ code: PropertyCode) -> DevicePropDesc? { descriptors.first { $0.code == code } }

    private static func descriptor(_ json: [String: Any]) -> DevicePropDesc {
        let type = PTPDataType(rawValue: (json["type"] as! NSNumber).uint16Value)
        let value = { (number: Any) in PTPValue((number as! NSNumber).int64Value, as: type)! }
        let values = (json["values"] as? [Any])?.map(value)
        let range = (json["range"] as? [Any])?.map(value)
        return DevicePropDesc(
            code: PropertyCode(rawValue: UInt16(json["code"] as! String, radix: 16)!),
            type: type,
            isWritable: json["writable"] as! Bool,
            defaultValue: value(json["value"]!),
            currentValue: value(json["value"]!),
            form: values.map { .enumeration($0) } ?? range.map { .range(min: $0[0], max: $0[1], step: $0[2]) } ?? .none
        )
    }

    /// The store after the body described all its properties.
    var store: NikonPropertyStore {
        var store = NikonPropertyStore()
        for descriptor in descriptors { store.describe(descriptor) }
        return store
    }
}

extension NikonPropertyStore {
    /// Notes a descriptor that a test builds.
    mutating func describe(_ descriptor: DevicePropDesc, at time: Duration = .zero) {
        try! note(descriptor: descriptor.encoded(), of: descriptor.code, at: time)
    }
}

extension DevicePropDesc {
    /// A descriptor of a test: a list of values, or no list.
    init(
        _ code: PropertyCode,
        _ type: PTPDataType,
        _ value: Int64,
        _ choices: [Int64] = [],
        isWritable: Bool = true
    ) {
        let values = choices.map { PTPValue($0, as: type)! }
        self.init(
            code: code,
            type: type,
            isWritable: isWritable,
            defaultValue: PTPValue(value, as: type)!,
            currentValue: PTPValue(value, as: type)!,
            form: values.isEmpty ? .none : .enumeration(values)
        )
    }
}
