import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests that settings change the pictures.
struct SettingsEffectTests {
    private func shot(_ change: (VirtualInitiator) -> Void) throws -> ByteBuffer {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        change(initiator)
        initiator.advance(.seconds(4))
        initiator.press()
        initiator.advance(.seconds(2))
        return try #require(initiator.fetch()).data
    }

    @Test func `the file contains sensitivity, aperture, compensation and white balance`() throws {
        let picture = try shot {
            #expect($0.set(.sonyISO, .uint32(0x1001_9000)) == .ok)
            #expect($0.set(.fNumber, .uint16(280)) == .ok)
            #expect($0.set(.exposureBiasCompensation, .int16(-5_000)) == .ok)
            #expect($0.set(.whiteBalance, .uint16(0x8010)) == .ok)
        }
        let fields = try ExifReader(picture)
        #expect(fields.number(0x8832) == 102_400)
        #expect(fields.rational(0x829D) == [28, 10])
        #expect(fields.rational(0x9204) == [-50, 10])
        #expect(fields.number(0xA403) == 1)
        #expect(try JPEGReader.greys(picture).allSatisfy { $0 == 255 })
    }

    @Test func `with auto ISO the body chooses, and compensation shifts it`() throws {
        func iso(_ speed: String, compensation: Int16) throws -> Int? {
            let picture = try shot {
                #expect((try? $0.setSpeed(speed)) == .ok)
                #expect($0.set(.sonyISO, .uint32(0xFF_FFFF)) == .ok)
                #expect($0.set(.exposureBiasCompensation, .int16(compensation)) == .ok)
            }
            return try ExifReader(picture).number(0x8832)
        }
        #expect(try iso("1/60", compensation: 0) == 100)
        #expect(try iso("1/250", compensation: 0) == 400)
        #expect(try iso("1/250", compensation: 1_000) == 800)
        #expect(try iso("1/8000", compensation: 0) == 6_400)
    }

    @Test func `with the save target card no file is delivered, with host none is written`() throws {
        for (target, files, isWritten) in [(UInt16(0x10), 0, true), (0x01, 1, false), (0x11, 1, true)] {
            let initiator = try VirtualInitiator()
            try initiator.connect()
            _ = initiator.set(.sonySaveTarget, .uint16(target))
            initiator.advance(.seconds(1))
            initiator.press()
            initiator.advance(.seconds(2))
            #expect(try initiator.fileInfo() == (files == 0 ? .empty : .ready(files)))
            #expect((initiator.camera.card.first?.written != nil) == isWritten)
        }
    }

    @Test(arguments: [(UInt8(1), "ARW JPG"), (2, "JPG"), (3, "ARW")])
    func `of RAW and JPEG the host gets what 0xD269 selects`(choice: UInt8, endings: String) throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = initiator.set(.sonyFileFormat, .uint8(2))
        _ = initiator.set(.sonyRawAndJPEGTransfer, .uint8(choice))
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(2))
        var names: [String] = []
        while let reply = initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage), reply.code == .ok {
            names.append(String(try ObjectInfo(decoding: reply.data).filename.suffix(3)))
            _ = initiator.fetch()
        }
        #expect(names.sorted().joined(separator: " ") == endings)
    }

    @Test func `a full-frame body's lists are as long as a real one's`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        let dataset = try initiator.readAll()
        for (code, count) in [
            (PropertyCode.sonyISO, 60), (.fNumber, 19), (.exposureBiasCompensation, 31), (.whiteBalance, 15),
            (.stillCaptureMode, 53), (.sonyShutterSpeed, 56), (.focusMode, 5),
        ] {
            #expect(dataset[code]?.settableValues.count == count, "\(code)")
        }
    }
}
