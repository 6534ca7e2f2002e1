import Bodies
import Cameras
import Exposure
import Foundation
import NIOCore
import PTP
import Testing

/// What an initiator does with a Canon body.
extension VirtualInitiator {
    static func canon(
        _ faults: String...,
        model: CanonModel = .eosR6Mark2,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> VirtualInitiator {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "canon") }
        change(&options)
        return VirtualInitiator(SimulatedCamera(model: model, options: options))
    }

    /// Does everything up to the first event list, and returns its records.
    @discardableResult
    func connectEOS() throws -> [CanonRecord] {
        try #require(handshake())
        #expect(perform(.openSession, 1)?.code == .ok)
        #expect(perform(.canonSetRemoteMode, 1)?.code == .ok)
        #expect(perform(.canonSetEventMode, 1)?.code == .ok)
        // A 60D does not have this operation.
        _ = perform(.canonRequestDisplayInfo, 0x1FFF)
        return try readList()
    }

    func readList() throws -> [CanonRecord] {
        let reply = try #require(perform(.canonGetEvent))
        #expect(reply.code == .ok)
        let list = CanonEventList(decoding: reply.data)
        #expect(list.damage == nil && list.shortRecords.isEmpty)
        return list.records
    }

    func write(_ code: PropertyCode, _ words: UInt32...) -> ResponseCode? {
        perform(.canonSetProperty, data: CanonPropertyWrite(code, words).encoded)?.code
    }

    func writeSpeed(_ text: String) throws -> ResponseCode? {
        write(.canonShutterSpeed, CanonShutterSpeed(try ShutterSpeed(parsing: text)).rawValue)
    }

    /// Presses both stages of the button without autofocus, and releases them at once.
    ///
    /// - Returns: the answer to the press.
    @discardableResult
    func pressBoth() -> ResponseCode? {
        let code = perform(.canonPress, 3, 1)?.code
        _ = perform(.canonRelease, 3)
        return code
    }

    /// Sets a speed, waits until the body shows it, fires, and waits until the picture is saved.
    ///
    /// - Returns: the records after the press.
    @discardableResult
    func fire(_ text: String) throws -> [CanonRecord] {
        #expect(try writeSpeed(text) == .ok)
        advance(.milliseconds(100))
        _ = try readList()
        #expect(pressBoth() == .ok)
        advance(try ShutterSpeed(parsing: text).exposureTime + .seconds(2))
        return try readList()
    }
}

extension [CanonRecord] {
    /// The last value of a property that is one number; nil: the list does not have the property.
    func value(of code: PropertyCode) -> UInt32? {
        compactMap { record -> UInt32? in
            if case .value(code, let words) = record { words.first } else { nil }
        }
        .last
    }

    /// The last choices of a property; nil: the list has none.
    func choices(of code: PropertyCode) -> [UInt32]? {
        compactMap { record -> [UInt32]? in
            if case .choices(code, _, let words) = record { words } else { nil }
        }
        .last
    }

    var objects: [CanonObject] {
        compactMap { record -> CanonObject? in
            if case .objectAdded(let object) = record { object } else { nil }
        }
    }

    var statuses: [Bool] {
        compactMap { record -> Bool? in
            if case .status(let isBusy) = record { isBusy } else { nil }
        }
    }

    /// The states of the focus in the display data of a body with this version.
    func focus(version: UInt32?) -> [CanonFocus] {
        compactMap { record -> CanonFocus? in
            guard case .displayInfo(let bytes) = record else { return nil }
            return CanonDisplayInfo(decoding: bytes, version: version).focus
        }
    }
}

/// Bytes of real EOS bodies.
enum CanonFixture {
    private struct Vector: Decodable {
        let name: String
        let hex: String
    }

    private struct Sections: Decodable {
        let payloads: [Vector]
    }

    /// The payload with this name.
    static func hex(_ name: String) throws -> String {
        let vectors =
            try JSONDecoder().decode([Vector].self, from: data("canon-vectors"))
            + JSONDecoder().decode(Sections.self, from: data("canon-ptpip-vectors")).payloads
        return try #require(vectors.first { $0.name == name }).hex
    }

    private static func data(_ name: String) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try Data(contentsOf: folder.appending(path: "../CamerasTests/Fixtures/\(name).json"))
    }
}
