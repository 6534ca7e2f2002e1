import Cameras
import Exposure
import Foundation
import NIOCore
import PTP
import Testing

/// Checks that a test reads every section of the vectors about bodies with PTP/IP, or about the search for any body.
struct SonyVectorUseTests {
    /// The suite that reads each section.
    private static let users: [String: String] = [
        "ptp_shutter_speed_0xD20D": "SonyFactsTests",
        "ptp_exposure_program_0x500E": "SonyFactsTests",
        "ptp_drive_mode_0x5013": "SonyPropertyTextTests",
        "ptp_enums": "SonyPropertyTextTests",
        "ptp_controls_0x9207": "SonyFactsTests",
        "ptp_relative_step_v2": "SonyVectorUseTests",
        "ptp_property_records_v3": "SonyFactsTests",
        "ptp_property_all_rx100m7": "SonyFactsTests",
        "ptp_property_record_colour_temp_unit_test": "SonyFactsTests",
        "ptpip_packets_from_camera": "SonyFactsTests",
        "ptpip_packets_to_camera": "SonyFactsTests",
        "ptp_device_info_ilce9": "SonyFactsTests",
        "ptp_ext_device_info_0x9202_ilce9": "SonyFactsTests",
        "ptp_live_view_frame_header_rx100m7": "SonyDatasetDamageTests",
        "ptp_live_view_size_field_values_seen": "SonyDatasetDamageTests",
        "ssdp": "SSDPMessageTests",
        "dd_xml_scalar_hx400v": "DeviceDescriptionTests",
    ]

    /// The names of `SonyVectors` through which suites read some sections.
    private static let names = [
        "ptp_property_all_rx100m7": "propertiesOfRX100M7",
        "ptp_property_record_colour_temp_unit_test": "SonyVectors.records",
    ]

    @Test func `every section of the vectors is read by its suite`() throws {
        let sections = Set(SonyVectors.sections).subtracting(["_about"])
        #expect(sections == Set(Self.users.keys))
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        for (section, suite) in Self.users {
            let text = try String(contentsOf: folder.appending(path: "\(suite).swift"), encoding: .utf8)
            #expect(text.contains("struct \(suite)"))
            // The name of the section in the table above does not count as a use.
            let uses = text.components(separatedBy: Self.names[section] ?? "SonyVectors.object(\"\(section)\")").count
            let isList = text.contains("SonyVectors.list(\"\(section)\")")
            #expect(uses > 1 || isList, "\(suite) does not read \(section)")
        }
    }

    @Test func `a notch of version 2 is one signed byte`() throws {
        let vector = SonyVectors.object("ptp_relative_step_v2")
        #expect(PTPValue.int8(1).encoded() == ByteBuffer(hex: try #require(vector["faster_by_one"] as? String)))
        #expect(PTPValue.int8(-1).encoded() == ByteBuffer(hex: try #require(vector["slower_by_one"] as? String)))
    }

    @Test func `the speeds agree with the documents' notes`() throws {
        let vector = SonyVectors.object("ptp_shutter_speed_0xD20D")
        let special = try #require(vector["special"] as? [String: String])
        #expect(special.count == 2)
        #expect(special["0x00000000"] == SonyShutterSpeed.bulb.description)
        #expect(SonyShutterSpeed.nothing.rawValue == 0xFFFF_FFFF)
        // An ILCE-7M4 writes 30/1 (LGD sony-a7m4), an RX100 VII 300/10.
        let whole = SonyShutterSpeed(rawValue: 0x001E_0001)
        #expect(whole.shutterSpeed == .slowest && whole.description == "30\"")
        #expect(whole.isSameTime(as: SonyShutterSpeed(.slowest)) && !whole.isSameTime(as: .bulb))
        #expect(SonyShutterSpeed(rawValue: 0x0001_0001).description == "1\"")
        #expect(!SonyShutterSpeed.nothing.isSameTime(as: SonyShutterSpeed(rawValue: 0x0001_0001)))
        let examples = try #require(vector["doc_examples"] as? [[String: Any]])
        #expect(
            try examples.map { SonyShutterSpeed(rawValue: UInt32(try #require(hexNumber($0["raw_hex"])))).description }
                == ["1.5\"", "1/1000"]
        )
    }

    @Test func `an exposure program's low half is the version 2 value, and the core ones are known`() throws {
        let vector = SonyVectors.object("ptp_exposure_program_0x500E")
        let list = try #require(vector["rx100m7_supported_list"] as? [String])
        let dataset = SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3)
        guard case .enumeration(_, let supported?)? = dataset[.exposureProgramMode]?.form else {
            Issue.record("no list")
            return
        }
        #expect(supported.compactMap(\.integer) == list.map { Int64(hexNumber($0) ?? 0) })
        let core = try #require(vector["core"] as? [String: Any])
        for raw in core.values.compactMap({ hexNumber($0) }) {
            #expect(!SonyExposureProgram(rawValue: UInt32(raw)).description.hasPrefix("mode 0x"))
        }
    }
}
