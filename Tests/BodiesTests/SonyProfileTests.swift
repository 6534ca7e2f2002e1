import Bodies
import Cameras
import Foundation
import NIOCore
import PTP
import Testing

/// The lists of real bodies, from libgphoto2's dumps in `Fixtures/sony-profiles.json`, compared with those of the
/// simulated bodies.
@Suite struct SonyProfileTests {
    private struct Profile: Decodable {
        let formats: [String]
        let operations: [UInt16]
        let properties: [Property]
        let qualities: Qualities?
    }

    private struct Property: Decodable {
        let code: UInt16
        /// The type of the property; nil: not in the dump.
        let type: UInt16?
        let form: String
        let current: Int64
        /// The two ends of a range, and its step.
        let values: [Int64]?
    }

    private struct Qualities: Decodable {
        let numbers: [UInt8]
        let names: [String]
    }

    private static func profiles() throws -> [String: Profile] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/sony-profiles.json"))
        return try JSONDecoder().decode([String: Profile].self, from: data)
    }

    /// Lists that depend on the lens and the mode. For these, a simulated body lists more values than the dump.
    private static let depending: [String: [UInt16]] = ["ZV-E10": [0x5004, 0x5013, 0xD229]]

    private static func initiator(_ model: String) throws -> VirtualInitiator {
        let initiator = try VirtualInitiator(model: try #require(SonyModel.named(model)))
        try initiator.connect()
        #expect(initiator.perform(.sdioGetExtDeviceInfo, 0x00C8)?.code == .ok)
        return initiator
    }

    private static func dataset(_ model: String) throws -> SonyPropertyDataset {
        let reply = try #require(try initiator(model).perform(.sdioGetAllExtDevicePropInfo, 0))
        return SonyPropertyDataset(decoding: reply.data, version: .version2)
    }

    @Test(arguments: ["ILCE-7M4", "ZV-E10", "DSC-RX100M7"])
    func `a body lists the codes, types, forms and values of a real one`(model: String) throws {
        let profile = try #require(try Self.profiles()[model])
        let dataset = try Self.dataset(model)
        #expect(dataset.damage == nil && dataset.flaws.isEmpty)
        #expect(profile.properties.count >= 25)
        for property in profile.properties {
            let name = property.code.hexadecimal
            let record = try #require(dataset[PropertyCode(rawValue: property.code)], "\(name) is missing")
            #expect(record.type.rawValue == property.type, "\(name)")
            let values = (property.values ?? []).map { PTPValue($0, as: record.type) }
            switch record.form {
            case .none: #expect(property.form == "none", "\(name)")
            case .range(let min, let max, let step): #expect(values == [min, max, step], "\(name)")
            case .enumeration(let settable, let supported):
                #expect(property.form == "enum" && supported == nil, "\(name)")
                if Self.depending[model]?.contains(property.code) == true {
                    #expect(values.allSatisfy { settable.contains($0 ?? .string("")) }, "\(name)")
                } else {
                    #expect(settable == values, "\(name)")
                }
            }
        }
    }

    @Test func `an ILCE-6400 lists nothing that the real one does not`() throws {
        let profile = try #require(try Self.profiles()["ILCE-6400"])
        let dataset = try Self.dataset("ILCE-6400")
        let real = { (code: UInt16) in profile.properties.first { $0.code == code }?.values }
        for code in [0x5004, 0xD222] as [UInt16] {
            let record = try #require(dataset[PropertyCode(rawValue: code)])
            #expect(record.settableValues.compactMap(\.integer) == real(code))
        }
        for code in [0x5005, 0x500B, 0xD203, 0xD21E, 0xD2C1, 0xD2C2, 0xD2C7] as [UInt16] {
            let record = try #require(dataset[PropertyCode(rawValue: code)])
            let extra = Set(record.settableValues.compactMap(\.integer)).subtracting(real(code) ?? [])
            #expect(extra.isEmpty, "\(code.hexadecimal): \(extra)")
        }
    }

    @Test(arguments: ["ILCE-7M4", "ZV-E10", "DSC-RX100M7"])
    func `DeviceInfo has the real body's formats, and no operation that the real body lacks`(model: String) throws {
        let names: [String: UInt16] = [
            "Association/Directory": 0x3001, "JPEG": 0x3801, "ARW": 0xB101, "MPEG": 0x300B, "Unknown(b982)": 0xB982,
            "Unknown(b110)": 0xB110, "Unknown(b301)": 0xB301,
        ]
        let profile = try #require(try Self.profiles()[model])
        let reply = try #require(try Self.initiator(model).perform(.getDeviceInfo))
        let info = try DeviceInfo(decoding: reply.data)
        #expect(info.imageFormats == profile.formats.map { names[$0] })
        guard !profile.operations.isEmpty else { return }
        #expect(Set(info.operations.map(\.rawValue)).subtracting(profile.operations).isEmpty)
        #expect(info.operations.contains(.sendObject))
    }

    @Test func `a ZV-E10 takes 1/8000 and 30 seconds`() throws {
        let initiator = try VirtualInitiator(model: .zvE10)
        try initiator.connect()
        for (sent, shown) in [(0x0001_1F40, 0x0001_1F40), (0x001E_0001, 0x012C_000A)] as [(UInt32, UInt32)] {
            #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(sent)) == .ok)
            initiator.advance(.seconds(1))
            #expect(try initiator.speed().rawValue == shown)
        }
    }

    @Test(arguments: ["ZV-E10", "DSC-RX100M7"])
    func `the absolute sensitivity and compensation of version 2 are those of the body`(model: String) throws {
        let initiator = try Self.initiator(model)
        #expect(initiator.set(PropertyCode(rawValue: 0xD226), .uint32(400)) == .ok)
        #expect(initiator.set(PropertyCode(rawValue: 0xD224), .int16(-300)) == .ok)
        initiator.advance(.seconds(1))
        let reply = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 0))
        let dataset = SonyPropertyDataset(decoding: reply.data, version: .version2)
        for code in [0xD21E, 0xD226] as [UInt16] {
            #expect(dataset[PropertyCode(rawValue: code)]?.currentValue == .uint32(400))
        }
        for code in [0x5010, 0xD224] as [UInt16] {
            #expect(dataset[PropertyCode(rawValue: code)]?.currentValue == .int16(-300))
        }
    }

    @Test func `format and quality set as one number of version 2 are the two properties of version 3`() throws {
        let initiator = try Self.initiator("ILCE-7M4")
        #expect(initiator.set(.compressionSetting, .uint8(0x14)) == .ok)
        initiator.advance(.seconds(1))
        let reply = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 0))
        let dataset = SonyPropertyDataset(decoding: reply.data, version: .version2)
        #expect(dataset[.compressionSetting]?.currentValue == .uint8(0x14))
        #expect(initiator.camera.card.isEmpty)
        #expect(initiator.perform(.sdioGetExtDeviceInfo, 0x012C)?.code == .ok)
        #expect(try initiator.property(.sonyFileFormat).currentValue == .uint8(2))
        #expect(try initiator.property(.sonyJPEGQuality).currentValue == .uint8(1))
    }

    @Test(arguments: ["ILCE-6400", "ILCE-6700", "ZV-E10", "DSC-RX100M7"])
    func `the driver's names for 0x5004 mean the same as libgphoto2's`(model: String) throws {
        let words = ["Fine": "fine", "X.Fine": "extra fine", "Extra Fine": "extra fine", "Std": "standard"]
        let qualities = try #require(try Self.profiles()[model]?.qualities)
        #expect(qualities.numbers.count == qualities.names.count)
        for (number, name) in zip(qualities.numbers, qualities.names) {
            let quality = name.replacing("RAW+JPEG (", with: "").replacing(")", with: "")
            let ours =
                name == "RAW"
                ? "RAW" : (quality == name ? "JPEG " : "RAW+JPEG ") + (words[quality] ?? quality.lowercased())
            #expect(SonyCompression(rawValue: number).description == ours)
            #expect(SonyPropertyText.compression.parse(ours) == Int64(number))
        }
    }
}
