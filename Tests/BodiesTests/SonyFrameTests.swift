import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct SonyFrameTests {
    // MARK: Frames

    @Test func `a frame runs from the press to the buffer, each step in its time`() throws {
        let initiator = try VirtualInitiator { $0.shotsLeft = 10 }
        try initiator.connect()
        #expect(try initiator.setSpeed("2s") == .ok)
        initiator.advance(.seconds(1))
        initiator.events = []
        let pressed = initiator.now
        initiator.press()
        // The frame takes 40 ms of lag, 2 s of exposure and 500 ms of saving.
        initiator.advance(pressed + .milliseconds(2_039) - initiator.now)
        #expect(initiator.camera.card.isEmpty)
        #expect(try initiator.fileInfo() == .empty)
        #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))
        initiator.advance(.milliseconds(1))
        #expect(initiator.exposed.map(\.label) == ["2\""])
        #expect(initiator.exposed.first?.at == pressed + .milliseconds(40))
        #expect(initiator.exposed.first?.exposure == .seconds(2))
        #expect(try initiator.fileInfo() == .inPreparation)
        #expect(initiator.camera.card.first?.written == nil)
        initiator.advance(.milliseconds(500))
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(initiator.camera.card.first?.written == pressed + .milliseconds(2_540))
        #expect(try initiator.property(.sonySlot1ShotsLeft).currentValue == .uint32(9))
        initiator.advance(.milliseconds(20))
        let captured = initiator.events.first { $0.event.code == .sonyCaptured }
        #expect(captured?.time == pressed + .milliseconds(2_060))
        let added = initiator.events.first { $0.event.code == .sonyObjectAdded }
        #expect(added?.time == pressed + .milliseconds(2_560))
        #expect(added?.event.parameters == [0xFFFF_C001])
        #expect(added?.event.transaction == 0xFFFF_FFFF)
    }

    @Test(arguments: [("30s", Int64(32_000)), ("15s", 16_000), ("1s", 1_000), ("1/2", 500), ("1/60", 15)])
    func `exposures take their true time`(text: String, milliseconds: Int64) throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        try initiator.shoot(text)
        let frame = try #require(initiator.camera.card.first)
        #expect(DurationText.milliseconds(frame.exposure) == milliseconds)
        #expect(frame.isFetched)
    }

    @Test func `noise reduction doubles the busy time from one second on`() throws {
        func busyTime(_ text: String, reduces: Bool) throws -> Duration {
            let initiator = try VirtualInitiator { $0.noiseReduction = reduces }
            try initiator.connect()
            _ = try initiator.setSpeed(text)
            initiator.advance(.seconds(1))
            let pressed = initiator.now
            initiator.press()
            initiator.advance(.seconds(70))
            let added = try #require(initiator.events.first { $0.event.code == .sonyObjectAdded })
            return added.time - pressed - .milliseconds(40 + 500 + 20)
        }
        #expect(try busyTime("30s", reduces: true) == .seconds(64))
        #expect(try busyTime("30s", reduces: false) == .seconds(32))
        #expect(try busyTime("1s", reduces: true) == .seconds(2))
        #expect(try busyTime("0.8s", reduces: true) < .seconds(1))
    }

    @Test func `a body of the newest kind reports noise reduction, and can set it`() throws {
        let initiator = try VirtualInitiator(model: .ilce1M2) { $0.noiseReduction = true }
        try initiator.connect()
        #expect(try initiator.property(.sonyLongExposureNoiseReduction).currentValue == .uint8(2))
        #expect(initiator.set(.sonyLongExposureNoiseReduction, .uint8(1)) == .ok)
        _ = try initiator.setSpeed("4s")
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(5))
        #expect(initiator.count(.sonyObjectAdded) == 1)
        let older = try VirtualInitiator()
        try older.connect()
        #expect(try older.readAll()[.sonyLongExposureNoiseReduction] == nil)
    }

    @Test func `a picture is fetched by the one handle, and only then the body continues`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .ready(1))
        // The buffer is full. The body answers settings and shutter commands with OK, and ignores them.
        #expect(try initiator.setSpeed("1/500") == .ok)
        #expect(initiator.press() == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        #expect(initiator.camera.card.count == 1)
        #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))

        let info = try ObjectInfo(
            decoding: try #require(initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage)).data
        )
        #expect(info.format == 0x3801)
        #expect(info.filename == "DSC00001.JPG")
        #expect(info.sequenceNumber == 1)
        initiator.events = []
        let picture = try #require(initiator.fetch()).data
        #expect(picture.readableBytes == Int(info.compressedSize))
        #expect(picture.getInteger(at: picture.readerIndex) == UInt16(0xFFD8))
        initiator.advance(.milliseconds(20))
        #expect(initiator.count(.sonyObjectRemoved) == 1)
        #expect(try initiator.fileInfo() == .empty)
        #expect(try initiator.property(.sonyShutterSpeed).isWritable)
        #expect(initiator.camera.card[0].isFetched)
        #expect(initiator.fetch()?.code == .invalidObjectHandle)
        #expect(initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage)?.code == .invalidObjectHandle)
        #expect(initiator.perform(.getObject, 0xFFFF_C003)?.code == .invalidObjectHandle)
    }

    @Test func `a picture can be fetched in parts`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        initiator.press()
        initiator.advance(.seconds(1))
        let handle = SonyObjectHandle.shotImage
        let first = try #require(initiator.perform(.getPartialObject, handle, 0, 100))
        #expect(first.parameters == [100])
        #expect(try initiator.fileInfo() == .ready(1))
        let rest = try #require(initiator.perform(.getPartialObject, handle, 100, 1_000_000))
        var whole = first.data
        whole.writeImmutableBuffer(rest.data)
        let frame = try #require(initiator.camera.card.first)
        #expect(whole == SimulatedPicture(model: "ILCE-7M4", firmware: "3.00", frame: frame).jpeg().joined())
        #expect(try initiator.fileInfo() == .empty)
        #expect(initiator.perform(.getPartialObject, handle)?.code == .invalidParameter)
    }

    @Test func `RAW and JPEG are two files with one event, the JPEG first`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.set(.sonyFileFormat, .uint8(2)) == .ok)
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .ready(2))
        #expect(initiator.count(.sonyObjectAdded) == 1)
        var names: [String] = []
        for _ in 0..<2 {
            let reply = try #require(initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage))
            names.append(try ObjectInfo(decoding: reply.data).filename)
            #expect(initiator.fetch()?.code == .ok)
        }
        #expect(names == ["DSC00001.JPG", "DSC00001.ARW"])
        #expect(try initiator.fileInfo() == .empty)
    }

    @Test func `with the card as target the buffer stays empty`() throws {
        let initiator = try VirtualInitiator {
            $0.saveTarget = .card
            $0.shotsLeft = 5
        }
        try initiator.connect()
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.milliseconds(300))
        #expect(try initiator.fileInfo() == .empty)
        #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))
        initiator.advance(.seconds(1))
        #expect(initiator.count(.sonyObjectAdded) == 0)
        #expect(initiator.count(.sonyCaptured) == 1)
        #expect(try initiator.property(.sonySlot1ShotsLeft).currentValue == .uint32(4))
        #expect(try initiator.property(.sonyShutterSpeed).isWritable)
        #expect(initiator.camera.card[0].written != nil)
    }

    @Test func `with the host as target the card stays unchanged`() throws {
        let initiator = try VirtualInitiator {
            $0.saveTarget = .host
            $0.shotsLeft = 0
        }
        try initiator.connect()
        try initiator.shoot("1/60")
        #expect(initiator.camera.card.count == 1)
        #expect(initiator.camera.card[0].written == nil)
        #expect(initiator.camera.card[0].isFetched)
        #expect(try initiator.property(.sonySlot1ShotsLeft).currentValue == .uint32(0))
    }

    @Test func `a full card takes no picture`() throws {
        let initiator = try VirtualInitiator { $0.shotsLeft = 1 }
        try initiator.connect()
        try initiator.shoot("1/60")
        try initiator.shoot("1/60")
        #expect(initiator.camera.card.count == 1)
        #expect(initiator.log.contains("full press ignored: the card is full"))
    }

    @Test func `the save target can be set`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.set(.sonySaveTarget, .uint16(0x10)) == .ok)
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .empty)
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `an RX100M7 stores on its card although it shows the host as target`() throws {
        let initiator = try VirtualInitiator(model: .dscRX100M7)
        try initiator.connect()
        initiator.advance(.seconds(4))
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.first?.written != nil)
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(try initiator.property(.sonySlot1ShotsLeft).currentValue == .uint32(115))
    }

    // MARK: The button

    @Test func `the full press needs the half press first`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.control(.fullPress, .pressed) == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.isEmpty)
        _ = initiator.control(.halfPress, .pressed)
        #expect(initiator.control(.fullPress, .pressed) == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `a press that is too short takes no picture`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.milliseconds(39))
        _ = initiator.control(.fullPress, .released)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.isEmpty)
        #expect(try initiator.property(.sonyShutterSpeed).isWritable)
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `one shot needs no other button`() throws {
        for control in [SonyControl.oneShot, .halfAndFullPress] {
            let initiator = try VirtualInitiator()
            try initiator.connect()
            #expect(initiator.control(control, .pressed) == .ok)
            initiator.advance(.seconds(1))
            #expect(initiator.control(control, .released) == .ok)
            #expect(initiator.camera.card.count == 1)
        }
    }

    @Test func `a press during an exposure does nothing`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = try initiator.setSpeed("4s")
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(initiator.press() == .ok)
        #expect(try initiator.setSpeed("1/60") == .ok)
        initiator.advance(.seconds(10))
        #expect(initiator.camera.card.count == 1)
        #expect(try initiator.speed().label == "4\"")
    }

    @Test func `the shutter uses the body's speed, not the requested one`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = try initiator.setSpeed("1/500")
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.map(\.label) == ["1/60"])
    }

    @Test func `BULB exposes as long as the button is held`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.set(.sonyShutterSpeed, SonyShutterSpeed.bulb.value) == .ok)
        initiator.advance(.seconds(1))
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.milliseconds(7_040))
        _ = initiator.control(.fullPress, .released)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.map(\.label) == ["BULB"])
        #expect(initiator.camera.card.map(\.exposure) == [.seconds(7)])
    }

    @Test func `in autofocus the half press focuses, and the shutter waits for it`() throws {
        let initiator = try VirtualInitiator(model: .dscRX100M7)
        try initiator.connect()
        initiator.advance(.seconds(3))
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.milliseconds(299))
        #expect(try initiator.property(.sonyFocusIndication).currentValue == .uint8(1))
        initiator.advance(.milliseconds(1))
        #expect(try initiator.property(.sonyFocusIndication).currentValue == .uint8(2))
        #expect(initiator.camera.card.isEmpty)
        initiator.advance(.milliseconds(200))
        #expect(initiator.camera.card.count == 1)
        _ = initiator.control(.fullPress, .released)
        _ = initiator.control(.halfPress, .released)
        #expect(try initiator.property(.sonyFocusIndication).currentValue == .uint8(1))
    }

    @Test
    func `right after connecting a body that has to focus takes no picture, and one in manual focus does`() throws {
        let automatic = try VirtualInitiator(model: .dscRX100M7)
        try automatic.connect()
        automatic.advance(.milliseconds(2_900))
        automatic.press()
        automatic.advance(.seconds(2))
        #expect(automatic.camera.card.isEmpty)
        let manual = try VirtualInitiator()
        try manual.connect()
        manual.press()
        manual.advance(.seconds(1))
        #expect(manual.camera.card.count == 1)
    }

    @Test func `several frames keep their order and their speeds`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        let plan = ["1/1000", "1/500", "1/250", "1/125", "1/60", "1/4", "2s"]
        for text in plan { try initiator.shoot(text) }
        let labels = try plan.map { try ShutterSpeed(parsing: $0).label }
        #expect(initiator.camera.card.map(\.label) == labels)
        #expect(initiator.camera.card.map(\.number) == Array(1...plan.count))
        #expect(initiator.exposed.map(\.number) == Array(1...plan.count))
        #expect(initiator.camera.card.allSatisfy { $0.written != nil && $0.isFetched })
    }
}
