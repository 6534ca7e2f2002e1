import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct SonySessionTests {
    // MARK: Sessions

    @Test func `the same inputs give the same outputs`() throws {
        func run() throws -> ([String], [Duration], [CardFrame]) {
            let initiator = try VirtualInitiator("ignore-set@3", "jump@2", latency: .milliseconds(5))
            try initiator.connect()
            for text in ["1/1000", "1/60", "2s"] { try initiator.shoot(text) }
            return (initiator.log, initiator.events.map(\.time), initiator.camera.card)
        }
        let (first, second) = (try run(), try run())
        #expect(first.0 == second.0)
        #expect(first.1 == second.1)
        #expect(first.2 == second.2)
    }

    @Test func `an exposure continues when the connection breaks, and the picture waits`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = try initiator.setSpeed("4s")
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(1))
        initiator.hangUp(initiator.command)
        #expect(initiator.closed == [initiator.event])
        #expect(!initiator.handshake())
        initiator.advance(.seconds(10))
        #expect(initiator.camera.card.map(\.label) == ["4\""])
        #expect(initiator.camera.card[0].exposure == .seconds(4))
        try initiator.connect()
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(initiator.fetch()?.code == .ok)
    }

    @Test func `some bodies forget pictures that were not fetched`() throws {
        let initiator = try VirtualInitiator(model: .ilce1M2)
        try initiator.connect()
        initiator.press()
        initiator.advance(.seconds(1))
        #expect(try initiator.fileInfo() == .ready(1))
        #expect(initiator.perform(.closeSession)?.code == .ok)
        initiator.hangUp(initiator.command)
        try initiator.connect()
        #expect(try initiator.fileInfo() == .empty)
    }

    @Test func `buttons are released when the initiator disappears`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        _ = initiator.set(.sonyShutterSpeed, SonyShutterSpeed.bulb.value)
        initiator.advance(.seconds(1))
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.seconds(5))
        initiator.hangUp(initiator.event)
        initiator.advance(.seconds(3))
        #expect(initiator.camera.card.count == 1)
        try initiator.connect()
        #expect(initiator.control(.fullPress, .pressed) == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `the place stays taken for as long as the options say`() throws {
        let initiator = try VirtualInitiator { $0.slotHold = .seconds(30) }
        try initiator.connect()
        initiator.hangUp(initiator.command)
        initiator.advance(.seconds(29))
        #expect(!initiator.handshake(answerTime: .zero))
        initiator.advance(.seconds(1))
        #expect(initiator.handshake())
    }

    @Test func `an ordered close frees the place at once`() throws {
        let initiator = try VirtualInitiator { $0.slotHold = .seconds(30) }
        try initiator.connect()
        #expect(initiator.perform(.closeSession)?.code == .ok)
        #expect(!initiator.camera.isSessionOpen)
        initiator.hangUp(initiator.event)
        initiator.hangUp(initiator.command)
        try initiator.connect()
        #expect(initiator.camera.isSessionOpen)
    }

    @Test func `an ILCE-7CM2 leaves ten seconds after the last command`() throws {
        let initiator = try VirtualInitiator(model: .ilce7CM2)
        try initiator.connect()
        initiator.advance(.seconds(9))
        _ = try initiator.readAll()
        initiator.advance(.seconds(9))
        #expect(initiator.closed.isEmpty)
        initiator.advance(.seconds(1))
        #expect(initiator.closed == [initiator.command, initiator.event])
    }

    @Test func `latency is added to each answer and each event`() throws {
        let initiator = try VirtualInitiator(latency: .milliseconds(5))
        try initiator.connect()
        let before = initiator.now
        _ = try initiator.readAll()
        #expect(initiator.now - before == .milliseconds(5))
        _ = try initiator.setSpeed("1/500")
        initiator.advance(.seconds(1))
        let change = try #require(initiator.events.last)
        #expect(change.time == before + .milliseconds(10 - 5 + 150 + 20 + 5))
    }
}
