import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Releases of a Nikon body.
struct NikonShutterTests {
    typealias Event = VirtualInitiator.ListedEvent

    @Test func `DeviceReady is busy for the exposure and the saving, and the events come afterwards`() throws {
        let initiator = try VirtualInitiator.nikon { $0.saveTime = .seconds(1) }
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "01000100") == .ok)
        initiator.advance(.seconds(1))
        _ = try initiator.listEvents()
        #expect(initiator.release() == .ok)
        for _ in 0..<20 {
            #expect(initiator.readiness == .deviceBusy)
            #expect(try initiator.listPictures().isEmpty)
            initiator.advance(.milliseconds(100))
        }
        initiator.advance(.milliseconds(100))
        #expect(initiator.readiness == .ok)
        #expect(try initiator.listPictures().last == Event(0x400D))
    }

    @Test(arguments: [("z6-2", 0x2019), ("d850", 0xA207), ("z8", 0xA004)] as [(String, UInt16)])
    func `a release while the body works is rejected`(name: String, code: UInt16) throws {
        let initiator = try VirtualInitiator.nikon(model: try #require(NikonModel.named(name)))
        try initiator.connectNikon()
        #expect(initiator.release() == .ok)
        #expect(initiator.release() == ResponseCode(rawValue: code))
        #expect(initiator.write(0xD100, "f4010100") == .deviceBusy)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `Bulb lasts until the initiator ends it, with its own code`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "ffffffff") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.perform(.nikonTerminateCapture, 0, 0)?.code == ResponseCode(rawValue: 0xA004))
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(100))
        #expect(initiator.readiness == ResponseCode(rawValue: 0xA200))
        #expect(initiator.camera.isButtonHeld)
        #expect(initiator.perform(.nikonTerminateCapture, 0, 0)?.code == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.readiness == .ok)
        #expect(initiator.camera.card.map(\.label) == ["Bulb"])
    }

    @Test func `Bulb ends when the initiator disconnects`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "ffffffff") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(1))
        initiator.hangUp(initiator.command)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.count == 1 && !initiator.camera.isButtonHeld)
    }

    @Test func `with autofocus the release waits for the focus, and the next DeviceReady reports a failure`() throws {
        let initiator = try VirtualInitiator.nikon("no-focus@1")
        try initiator.connectNikon()
        for count in [0, 1] {
            #expect(initiator.perform(.nikonCapture, 0xFFFF_FFFE, 0)?.code == .ok)
            #expect(initiator.readiness == .deviceBusy)
            initiator.advance(.seconds(2))
            #expect(initiator.readiness == (count == 0 ? ResponseCode(rawValue: 0xA002) : .ok))
            #expect(initiator.readiness == .ok)
            #expect(initiator.camera.card.count == count)
        }
    }

    @Test func `noise reduction takes a dark frame as long as the exposure`() throws {
        let initiator = try VirtualInitiator.nikon { $0.noiseReduction = true }
        try initiator.connectNikon()
        #expect(initiator.value(of: 0xD06B) == "01")
        #expect(initiator.write(0xD100, "01000400") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(8))
        #expect(initiator.readiness == .deviceBusy)
        initiator.advance(.seconds(1))
        #expect(initiator.readiness == .ok)
    }

    @Test func `the parameters of 0x9207 choose card, memory or both`() throws {
        for (model, handle) in [(NikonModel.z62, 0xFFFF_0001), (.d850, 0)] as [(NikonModel, UInt32)] {
            let initiator = try VirtualInitiator.nikon(model: model)
            try initiator.connectNikon()
            #expect(initiator.release(to: 3) == .invalidParameter)
            #expect(initiator.perform(.nikonCapture, 5, 0)?.code == .invalidParameter)
            #expect(initiator.release(to: 1) == .ok)
            while initiator.readiness != .ok { initiator.advance(.milliseconds(50)) }
            #expect(try initiator.listPictures() == [Event(0xC101, handle), Event(0xC102)])
            // The picture in memory blocks the next one until it is deleted.
            #expect(initiator.release() == model.notReady)
            #expect(initiator.perform(.getObjectInfo, 0xFFFF_0001)?.code == .ok)
            #expect(initiator.perform(.getObject, 0xFFFF_0001)?.code == .ok)
            #expect(initiator.perform(OperationCode(rawValue: 0x90C3), 0xFFFF_0001)?.code == .ok)
            #expect(initiator.perform(.getObject, 0xFFFF_0001)?.code == .invalidObjectHandle)
            #expect(initiator.release(to: 2) == .ok)
            initiator.advance(.seconds(2))
            let codes = try initiator.listPictures().map(\.code)
            #expect(codes == [0x4002, 0x4002, 0xC101, 0x400D, 0xC102])
            #expect(initiator.camera.card.map { $0.written != nil } == [false, true])
        }
    }

    @Test func `the other releases work too, and the standard one obeys the recording medium`() throws {
        let initiator = try VirtualInitiator.nikon { $0.saveTarget = .host }
        try initiator.connectNikon()
        for code: UInt16 in [0x90C0, 0x90CB, 0x100E] {
            #expect(initiator.perform(OperationCode(rawValue: code), 0xFFFF_FFFF)?.code == .ok)
            initiator.advance(.seconds(2))
            #expect(try initiator.listPictures().map(\.code) == [0xC101, 0xC102])
            #expect(initiator.perform(OperationCode(rawValue: 0x90C3), 0xFFFF_0001)?.code == .ok)
        }
    }

    @Test func `a full card takes no picture`() throws {
        let initiator = try VirtualInitiator.nikon { $0.shotsLeft = 1 }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.release() == .storeFull)
    }

    @Test func `the first file of a card comes after its folder, and a deleted file is gone`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        #expect(initiator.perform(.getObjectHandles, .max, 0, 0)?.data.hex == "0100000000000100")
        try initiator.expose("f4010100")
        #expect(try initiator.listPictures().map(\.code) == [0x4002, 0x4002, 0x400D])
        try initiator.expose("fa000100")
        #expect(try initiator.listPictures() == [Event(0x4002, 0x2064_0002), Event(0x400D)])
        #expect(initiator.perform(.getNumObjects, .max, 0x3801, 0)?.parameters == [2])
        #expect(initiator.perform(OperationCode(rawValue: 0x100B), 0x2064_0001)?.code == .ok)
        #expect(try initiator.listPictures() == [Event(0x4003, 0x2064_0001)])
        #expect(initiator.perform(.getObjectHandles, .max, 0, 0x0064_0000)?.data.hex == "0100000002006420")
        #expect(initiator.perform(.getObjectInfo, 0x2064_0001)?.code == .invalidObjectHandle)
    }

    @Test func `a D850 announces RAW before JPEG and describes the files later`() throws {
        let initiator = try VirtualInitiator.nikon(model: .d850) { $0.fileFormat = .rawAndJPEG }
        try initiator.connectNikon()
        #expect(initiator.release() == .ok)
        while initiator.readiness != .ok { initiator.advance(.milliseconds(50)) }
        #expect(try initiator.listPictures().map(\.parameter) == [0x0064_0000, 0x1064_0001, 0x2064_0001, 0])
        #expect(initiator.perform(.getObjectInfo, 0x2064_0001)?.code == .generalError)
        initiator.advance(.milliseconds(600))
        #expect(initiator.perform(.getObjectInfo, 0x2064_0001)?.code == .ok)
    }

    @Test func `0x9431 answers reads beyond 4 GiB with no byte, and 0x9421 has the size of a file`() throws {
        let initiator = try VirtualInitiator.nikon { $0.pictureSize = 30_000 }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        let whole = try #require(initiator.perform(.getObject, 0x2064_0001)).data
        let part = try #require(initiator.perform(.nikonGetPartialObjectEx, 0x2064_0001, 20_000, 0, 0x10_0000, 0))
        #expect(part.data == whole.getSlice(at: 20_000, length: 10_000) && part.parameters == [10_000])
        let beyond = initiator.perform(.nikonGetPartialObjectEx, 0x2064_0001, 0, 1, 0x10_0000, 0)
        #expect(beyond?.data.readableBytes == 0 && beyond?.code == .ok)
        #expect(initiator.perform(.nikonGetObjectSize, 0x2064_0001)?.data.hex == "3075000000000000")
    }

    @Test func `live view has pictures and allows releases without autofocus alone`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        let picture = OperationCode(rawValue: 0x9203)
        #expect(initiator.perform(picture)?.code == ResponseCode(rawValue: 0xA00B))
        #expect(initiator.perform(.nikonStartLiveView)?.code == .ok)
        #expect(initiator.value(of: 0xD1A2) == "01")
        let data = try #require(initiator.perform(picture)).data
        #expect(data.getBytes(at: 384, length: 2) == [0xFF, 0xD8])
        #expect(initiator.perform(.nikonCapture, 0xFFFF_FFFE, 0)?.code == ResponseCode(rawValue: 0xA004))
        #expect(initiator.release() == .ok)
        #expect(initiator.perform(.nikonEndLiveView)?.code == .ok)
        #expect(initiator.value(of: 0xD1A2) == "00")
    }

    @Test func `a body without power keeps its card and forgets the picture in work`() throws {
        let initiator = try VirtualInitiator.nikon {
            $0.shotsLeft = 10
            $0.slotHold = .zero
        }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.write(0xD100, "01000400") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(1))
        var actions: [BodyAction] = []
        initiator.camera.powerOff(at: initiator.now, into: &actions)
        initiator.advance(.seconds(20))
        try initiator.connectNikon()
        #expect(initiator.value(of: 0xD1F1) == "09000000")
        #expect(initiator.camera.card.count == 1)
    }
}
