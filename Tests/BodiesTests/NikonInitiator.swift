import Bodies
import Cameras
import Exposure
import Foundation
import NIOCore
import PTP
import Testing

/// What an initiator does with a Nikon body.
extension VirtualInitiator {
    /// An event as a body lists it: the code and the first parameter.
    struct ListedEvent: Hashable, CustomStringConvertible {
        let code: UInt16
        let parameter: UInt32

        var description: String { String(code, radix: 16) + ":" + String(parameter, radix: 16) }

        init(_ code: UInt16, _ parameter: UInt32 = 0) {
            self.code = code
            self.parameter = parameter
        }
    }

    static func nikon(
        _ faults: String...,
        model: NikonModel = .z62,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> VirtualInitiator {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "nikon") }
        change(&options)
        return VirtualInitiator(SimulatedCamera(model: model, options: options))
    }

    /// Does everything up to the application mode, which only some bodies have.
    func connectNikon() throws {
        try #require(handshake())
        #expect(perform(.openSession, 1)?.code == .ok)
        let code = perform(.nikonChangeApplicationMode, 1)?.code
        #expect(code == .ok || code == .operationNotSupported)
        _ = perform(.nikonChangeCameraMode, 1)
    }

    func description(of code: UInt16) throws -> DevicePropDesc {
        let reply = try #require(perform(.getDevicePropDesc, UInt32(code)))
        #expect(reply.code == .ok)
        return try DevicePropDesc(decoding: reply.data)
    }

    /// The bytes of a value in hexadecimal.
    func value(of code: UInt16) -> String? { perform(.getDevicePropValue, UInt32(code))?.data.hex }

    func write(_ code: UInt16, _ hex: String) -> ResponseCode? {
        perform(.setDevicePropValue, UInt32(code), data: bytes(hex))?.code
    }

    /// Reads a list of events, by 0x90C7 or by 0x941C.
    func listEvents(extended: Bool = false) throws -> [ListedEvent] {
        let reply = try #require(perform(extended ? .nikonGetEventEx : .nikonGetEvent))
        #expect(reply.code == .ok)
        var reader = DatasetReader(reply.data)
        let count = UInt32(
            extended ? try reader.integer("count") : UInt32(try reader.integer("count", as: UInt16.self))
        )
        var events: [ListedEvent] = []
        while reader.bytesLeft > 0 {
            let code: UInt16 = try reader.integer("code")
            let size = extended ? Int(try reader.integer("size", as: UInt16.self)) : 1
            let words: [UInt32] = try (0..<size).map { _ in try reader.integer("parameter") }
            events.append(ListedEvent(code, words.first ?? 0))
        }
        #expect(events.count == Int(count))
        return events
    }

    /// The events of pictures alone.
    func listPictures(extended: Bool = false) throws -> [ListedEvent] {
        try listEvents(extended: extended).filter { $0.code != 0x4006 }
    }

    /// The event list that the body has.
    var hasShortLists: Bool { perform(.nikonGetEvent)?.code == .ok }

    /// Releases without autofocus, to the card.
    @discardableResult
    func release(to media: UInt32 = 0) -> ResponseCode? { perform(.nikonCapture, 0xFFFF_FFFF, media)?.code }

    var readiness: ResponseCode? { perform(.nikonDeviceReady)?.code }

    /// Sets a speed by its wire value, fires, and waits until the picture is saved.
    func expose(_ hex: String, for time: Duration = .seconds(2)) throws {
        #expect(write(0xD100, hex) == .ok)
        advance(.milliseconds(100))
        #expect(value(of: 0xD100) == hex)
        #expect(release() == .ok)
        advance(time)
        #expect(readiness == .ok)
    }
}

/// Bytes of real and constructed Nikon packets.
enum NikonFixture {
    private struct Vector: Decodable {
        let name: String
        let hex: String
    }

    /// The description of a property, built from the dump of a real body.
    static func hex(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "../CamerasTests/Fixtures/nikon-constructed.json"))
        return try #require(try JSONDecoder().decode([Vector].self, from: data).first { $0.name == name }).hex
    }
}
