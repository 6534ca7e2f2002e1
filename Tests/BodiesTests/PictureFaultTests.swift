import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Faults of pictures, and their effects.
struct PictureFaultTests {
    private static let handle = SonyObjectHandle.shotImage

    private func name(_ initiator: VirtualInitiator) throws -> String? {
        guard let reply = initiator.perform(.getObjectInfo, Self.handle), reply.code == .ok else { return nil }
        return try ObjectInfo(decoding: reply.data).filename
    }

    private func connected(
        _ fault: String,
        options: @escaping (inout BodyOptions) -> Void = { _ in }
    ) throws -> VirtualInitiator {
        let initiator = try VirtualInitiator(fault, options: options)
        try initiator.connect()
        return initiator
    }

    @Test func `stale delivers the previous frame's file before the frame's own`() throws {
        let initiator = try connected("stale@2")
        try initiator.shoot("1/60")
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .ready(2))
        #expect(try name(initiator) == "DSC00001.JPG")
        #expect(initiator.fetch()?.code == .ok)
        #expect(try name(initiator) == "DSC00002.JPG")
        #expect(initiator.fetch()?.code == .ok)
        #expect(try initiator.fileInfo() == .empty)
    }

    @Test func `stale with a time delivers the previous file alone first`() throws {
        let initiator = try connected("stale@1=2s")
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(try name(initiator) == "DSC00000.JPG")
        #expect(initiator.fetch()?.code == .ok)
        #expect(try initiator.fileInfo() == .empty)
        initiator.advance(.seconds(2))
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(try name(initiator) == "DSC00001.JPG")
    }

    @Test(arguments: [("jump@2=BULB", [2, 10]), ("jump@2=1/4", [1, 4])])
    func `jump with a speed shows only in the exposure`(fault: String, exposure: [Int]) throws {
        let initiator = try connected(fault)
        try initiator.shoot("1/60")
        #expect(try initiator.setSpeed("1/125") == .ok)
        initiator.advance(.seconds(1))
        _ = initiator.control(.halfPress, .pressed)
        #expect(try initiator.speed().label == "1/125")
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.milliseconds(240))
        _ = initiator.control(.fullPress, .released)
        _ = initiator.control(.halfPress, .released)
        initiator.advance(.seconds(1))
        let picture = try #require(initiator.fetch()).data
        #expect(try ExifReader(picture).rational(0x829A) == exposure)
        #expect(initiator.camera.card[1].exposure >= .milliseconds(199))
        // The next frame can be set, and keeps its speed.
        try initiator.shoot("1/125")
        #expect(initiator.camera.card.last?.label == "1/125")
    }

    @Test func `stuck-buffer saves the frame and delivers nothing until it ends`() throws {
        let initiator = try connected("stuck-buffer@1,back=20s") { $0.shotsLeft = 5 }
        initiator.press()
        initiator.advance(.seconds(10))
        #expect(try initiator.fileInfo() == .inPreparation)
        #expect(try initiator.property(.sonySlot1ShotsLeft).currentValue == .uint32(4))
        #expect(initiator.fetch()?.code == .invalidObjectHandle)
        #expect(try initiator.setSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        initiator.advance(.seconds(10))
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(initiator.count(.sonyObjectAdded) == 1)
        let forEver = try connected("stuck-buffer@1")
        forEver.press()
        forEver.advance(.seconds(3_600))
        #expect(try forEver.fileInfo() == .inPreparation)
    }

    @Test func `object-info is refused for a while after the file was announced`() throws {
        let initiator = try connected("object-info@1=1s")
        initiator.press()
        while try initiator.fileInfo() != .ready(1) { initiator.advance(.milliseconds(10)) }
        #expect(initiator.perform(.getObjectInfo, Self.handle)?.code == .accessDenied)
        initiator.advance(.seconds(1))
        #expect(try name(initiator) == "DSC00001.JPG")
    }

    @Test func `transfer-breaks breaks the link after its number of bytes, and the picture stays`() throws {
        let initiator = try connected("transfer-breaks@1=150kB,back=2s") { $0.pictureSize = 400_000 }
        initiator.press()
        initiator.advance(.seconds(1))
        initiator.packets[initiator.command] = []
        #expect(initiator.fetch() == nil)
        let received = initiator.packets[initiator.command, default: []].reduce(0) { sum, packet in
            if case .data(_, let payload) = packet { sum + payload.readableBytes } else { sum }
        }
        // The simulated link is cut between packets, so the packet in which the limit is reached is complete.
        #expect(received == 150_000)
        #expect(initiator.aborted.contains(initiator.command))
        #expect(initiator.dial() == nil)
        initiator.advance(.seconds(3))
        try initiator.connect()
        #expect(try initiator.fileInfo() == .ready(1))
        let rest = try #require(initiator.perform(.getPartialObject, Self.handle, 150_000, 1_000_000))
        #expect(rest.parameters == [250_000])
        #expect(try initiator.fileInfo() == .empty)
    }

    @Test func `slow-transfer sends files at its pace, and the picture is removed with its last byte`() throws {
        let initiator = try connected("slow-transfer=1MB") { $0.pictureSize = 900_000 }
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(1))
        initiator.events = []
        let start = initiator.now
        let picture = try #require(initiator.fetch())
        #expect(picture.data.readableBytes == 900_000)
        #expect((Duration.milliseconds(890)...Duration.milliseconds(910)).contains(initiator.now - start))
        initiator.advance(.seconds(1))
        let removed = try #require(initiator.events.first { $0.event.code == .sonyObjectRemoved })
        #expect(removed.time - start >= .milliseconds(890))
    }

    @Test func `partial-only and whole-only each accept one way of fetching`() throws {
        for (fault, missing, there) in [
            ("partial-only", OperationCode.getObject, OperationCode.getPartialObject),
            ("whole-only", .getPartialObject, .getObject),
        ] {
            let initiator = try connected(fault)
            initiator.press()
            initiator.advance(.seconds(1))
            let info = try DeviceInfo(decoding: try #require(initiator.perform(.getDeviceInfo)).data)
            #expect(!info.operations.contains(missing))
            #expect(info.operations.contains(there))
            #expect(initiator.perform(missing, Self.handle, 0, 1_000_000)?.code == .operationNotSupported)
            #expect(initiator.perform(there, Self.handle, 0, 1_000_000)?.code == .ok)
            #expect(try initiator.fileInfo() == .empty)
        }
    }

    // MARK: Settings and link

    @Test(arguments: [
        (CameraProperty.iso, PropertyCode.sonyISO, PTPValue.uint32(400)),
        (.aperture, .fNumber, .uint16(560)),
        (.exposureCompensation, .exposureBiasCompensation, .int16(-1_000)),
        (.whiteBalance, .whiteBalance, .uint16(4)),
        (.drive, .stillCaptureMode, .uint32(0x1_0002)),
        (.focusMode, .focusMode, .uint16(2)),
        (.quality, .sonyFileFormat, .uint8(2)),
        (.saveTarget, .sonySaveTarget, .uint16(0x10)),
        (.shutterSpeed, .sonyShutterSpeed, .uint32(0x0001_00FA)),
    ])
    func `ignore-property answers OK and changes nothing, and otherwise the property is set`(
        property: CameraProperty,
        code: PropertyCode,
        value: PTPValue
    ) throws {
        let initiator = try connected("ignore-property=\(property.rawValue):1")
        let before = try initiator.property(code).currentValue
        #expect(before != value)
        #expect(initiator.set(code, value) == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.property(code).currentValue == before)
        #expect(initiator.set(code, value) == .ok)
        initiator.advance(.milliseconds(149))
        #expect(try initiator.property(code).currentValue == before)
        initiator.advance(.milliseconds(1))
        #expect(try initiator.property(code).currentValue == value)
    }

    @Test func `busy-storm affects about half of the commands, the same ones each time`() throws {
        func pattern() throws -> [Bool] {
            let initiator = try VirtualInitiator("busy-storm=64")
            #expect(initiator.handshake())
            #expect(initiator.perform(.openSession, 1)?.code == .ok)
            return (0..<70).map { _ in initiator.perform(.getStorageIDs)?.code == .deviceBusy }
        }
        let hits = try pattern()
        #expect((20...44).contains(hits.count { $0 }))
        #expect(!hits[64...].contains(true))
        #expect(try hits == pattern())
    }

    @Test func `idle-drop drops both connections, but not during a transfer`() throws {
        let initiator = try VirtualInitiator("idle-drop=2s", "slow-transfer=100kB") { $0.pictureSize = 500_000 }
        try initiator.connect()
        initiator.press()
        initiator.advance(.seconds(1))
        initiator.packets[initiator.command] = []
        initiator.send(
            .operationRequest(OperationRequest(code: .getObject, transaction: 100, parameters: [Self.handle])),
            on: initiator.command
        )
        initiator.advance(.milliseconds(5_100))
        guard case .operationResponse(let response) = initiator.packets[initiator.command]?.last else {
            Issue.record("the file was not sent to its end")
            return
        }
        #expect(response.code == .ok)
        #expect(initiator.closed.isEmpty)
        initiator.advance(.milliseconds(2_100))
        #expect(initiator.closed.contains(initiator.command))
        #expect(initiator.closed.contains(initiator.event))
    }

    @Test func `refuse-after-unclean-end refuses connects, or says busy, until its time is over`() throws {
        let initiator = try connected("refuse-after-unclean-end=30s")
        initiator.hangUp(initiator.command)
        #expect(initiator.dial() == nil)
        initiator.advance(.milliseconds(29_999))
        #expect(initiator.dial() == nil)
        initiator.advance(.milliseconds(1))
        try initiator.connect()
        // After an orderly end the body refuses nothing.
        #expect(initiator.perform(.closeSession)?.code == .ok)
        initiator.hangUp(initiator.command)
        initiator.hangUp(initiator.event)
        try initiator.connect()

        let busy = try connected("refuse-after-unclean-end=30s:busy")
        busy.hangUp(busy.command)
        busy.advance(.seconds(29))
        #expect(!busy.handshake())
        let last = try #require(busy.closed.last)
        #expect(busy.packets[last]?.first == .initFail(.busy))
        busy.advance(.seconds(1))
        try busy.connect()
    }
}
