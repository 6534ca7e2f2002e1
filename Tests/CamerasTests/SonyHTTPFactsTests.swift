import Exposure
import Foundation
import JSON
import Testing

@testable import Cameras

/// Compares the driver's tables with values of real bodies and of Sony's documents.
struct SonyHTTPFactsTests {
    /// What reads each section of the vectors.
    private static let users: [String: String] = [
        "http_shutter_speed_strings": "SonyHTTPFactsTests",
        "shutter_http_to_ptp": "SonyHTTPFactsTests",
        "http_get_event_positions": "SonyHTTPFactsTests",
        "http_error_codes": "SonyHTTPFactsTests",
        "http_camera_status_values": "SonyHTTPFactsTests",
        "http_real_replies": "SonyHTTPReplyTests",
        "http_live_view_packet_derived": "SonyHTTPBodyTests",
    ]

    @Test func `a suite reads every section of the vectors`() throws {
        #expect(SonyHTTPVectors.sections == Self.users.keys.sorted())
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        for (section, suite) in Self.users {
            // The simulated bodies send what the driver does not read.
            let folder = suite == "SonyHTTPBodyTests" ? "BodiesTests" : "CamerasTests"
            let text = try String(contentsOf: tests.appending(path: "\(folder)/\(suite).swift"), encoding: .utf8)
            #expect(text.contains("\"\(section)\""), "\(suite) does not read \(section)")
        }
    }

    // MARK: Shutter speeds

    @Test func `the speeds of a real ILCE-5000 are distinct, and all but BULB are on the scale`() {
        let list = SonyHTTPVectors.texts(SonyHTTPVectors.object("http_shutter_speed_strings")["manual_a5000"])
        let speeds = list.map { SonyHTTPShutterSpeed(rawValue: $0) }
        #expect(speeds.first == .bulb && SonyHTTPShutterSpeed.bulb.shutterSpeed == nil)
        #expect(SonyHTTPShutterSpeed.bulb.reading == .other("BULB"))
        let timed = speeds.dropFirst().compactMap(\.shutterSpeed)
        #expect(timed.count == list.count - 1)
        #expect(timed == timed.sorted().reversed() && Set(timed).count == timed.count)
        // The driver's own form of each speed is the body's form.
        #expect(timed.map { SonyHTTPShutterSpeed($0).rawValue } == Array(list.dropFirst()))
    }

    @Test func `the texts mean the same speeds as the numbers of PTP bodies`() throws {
        for pair in SonyHTTPVectors.object("shutter_http_to_ptp")["pairs"]?.arrayValue ?? [] {
            let text = try #require(pair["http"]?.stringValue)
            let raw = UInt32(try #require(hexNumber(pair["ptp_raw_hex"]?.stringValue)))
            let number = SonyShutterSpeed(rawValue: raw)
            #expect(SonyHTTPShutterSpeed(rawValue: text).shutterSpeed == number.shutterSpeed, "\(text)")
            #expect(number.description == text)
        }
    }

    @Test func `a speed that cannot be set is still shown`() throws {
        let modes = try #require(SonyHTTPVectors.object("http_shutter_speed_strings")["non_settable_modes"])
        for mode in ["aperture_priority", "program"] {
            let result = try #require(modes[mode]?.arrayValue)
            let value = try #require(SonyHTTPPropertyRow.shutterSpeed.value(in: result))
            #expect(value.candidates == [])
            let state = SonyHTTPPropertyRow.shutterSpeed.state(value, hasSetter: true)
            #expect(state == PropertyState(property: .shutterSpeed, value: "0.4\""))
        }
    }

    @Test(arguments: ["1/10000", "1/32000", "1/90", "x", ""])
    func `another text is shown as it is`(text: String) {
        let speed = SonyHTTPShutterSpeed(rawValue: text)
        #expect(speed.shutterSpeed == nil)
        #expect(speed.reading == (text.isEmpty ? nil : .other(text)))
    }

    // MARK: Events, errors, status

    @Test func `the places of an event and their number by version are those of a real body`() throws {
        let vector = SonyHTTPVectors.object("http_get_event_positions")
        #expect(SonyHTTPEventSlot.types == SonyHTTPVectors.texts(vector["positions"]))
        let counts = try #require(vector["array_length_by_version"]?.objectValue)
        #expect(counts.count == SonyHTTPEventSlot.counts.count)
        for (version, count) in SonyHTTPEventSlot.counts { #expect(counts[version]?.intValue == count) }
        let lists = vector["array_valued_positions"]?.arrayValue?.compactMap(\.intValue) ?? []
        #expect(SonyHTTPEventSlot.listPositions == Set(lists))
        // Each property has a place.
        for row in SonyHTTPPropertyRow.table { #expect(SonyHTTPEventSlot.position(of: row.type) != nil, "\(row.type)") }
    }

    @Test func `every documented error has its name`() throws {
        let vector = SonyHTTPVectors.object("http_error_codes")
        let codes = try #require(vector["codes"]?.objectValue)
        for (number, name) in codes {
            let error = SonyHTTPError(rawValue: try #require(Int(number)))
            #expect(error.description.lowercased() == "\(number) (\(name.stringValue ?? ""))".lowercased())
        }
        for number in try #require(vector["only_in_kz_remote_api"]?.objectValue).keys {
            #expect(SonyHTTPError.names.contains { "\($0.value.rawValue)" == number })
        }
        #expect(SonyHTTPError(rawValue: 99).description == "99")
    }

    @Test func `every documented status is known, and only IDLE lets the body shoot`() {
        let values = SonyHTTPVectors.texts(SonyHTTPVectors.object("http_camera_status_values")["values"])
        #expect(Set(SonyHTTPCameraStatus.all.map(\.rawValue)) == Set(values))
        for value in values + ["Unknown"] {
            var state = SonyHTTPState()
            let event: [JSONValue] = [
                ["type": "availableApiList", "names": ["actTakePicture"]],
                ["type": "cameraStatus", "cameraStatus": .string(value)],
            ]
            state.adopt(event, askedAt: .zero, isWhole: true, at: .zero)
            #expect(state.isReadyToShoot == (value == "IDLE"))
        }
    }
}
