import Bodies
import NIOCore
import Varlink

/// The messages that broken, outdated or hostile clients send.
enum InvalidCalls {
    private static let frames = [
        "", "{", "[]", "null", "{\"method\":1}", "{\"method\":\"io.bracketd.Shoot\"",
        "{\"method\":\"io.bracketd.Nothing\"}", "{\"method\":\"org.other.Thing\"}", "{\"method\":\"\"}",
        "{\"method\":\"io.bracketd.Shoot\",\"parameters\":{\"plan\":{\"frames\":\"five\"}}}",
        "{\"method\":\"io.bracketd.Shoot\",\"parameters\":{\"plan\":{\"shadow\":\"1/0\"}}}",
        "{\"method\":\"io.bracketd.Shoot\",\"parameters\":{\"plan\":{\"frames\":-1}}}",
        "{\"method\":\"io.bracketd.Plan\",\"parameters\":{\"plan\":{\"spacing\":1e308}}}",
        "{\"method\":\"io.bracketd.Watch\"}", "{\"method\":\"io.bracketd.Pause\",\"upgrade\":true}",
        "{\"method\":\"io.bracketd.Cancel\",\"more\":true,\"oneway\":true}",
        "{\"method\":\"io.bracketd.GetHistory\",\"parameters\":{\"limit\":0}}",
        "{\"method\":\"io.bracketd.GetShoot\",\"parameters\":{\"id\":99999999999999999999}}",
        "{\"method\":\"io.bracketd.GetShoot\",\"parameters\":{\"id\":-1}}",
        "{\"method\":\"io.bracketd.Connect\",\"parameters\":{\"camera\":\"\"}}",
        "{\"method\":\"io.bracketd.SetProperty\",\"parameters\":{\"name\":\"iso\",\"value\":\"\u{1F4F7}\"}}",
        "{\"method\":\"org.varlink.service.GetInfo\"}",
        "{\"method\":\"io.bracketd.GetStatus\",\"parameters\":{}}",
    ]

    /// Returns one of the messages, sometimes with an inverted bit.
    static func frame(_ number: UInt64) -> ByteBuffer {
        var chance = SeededGenerator(seed: number)
        var bytes = ByteBuffer(string: chance.pick(from: frames))
        if bytes.readableBytes > 0, chance.chance(oneIn: 3) {
            let place = chance.next(below: bytes.readableBytes)
            let byte = bytes.getInteger(at: place, as: UInt8.self) ?? 0
            bytes.setInteger(byte ^ 1 << UInt8(chance.next(below: 8)), at: place)
        }
        bytes.writeInteger(UInt8(0))
        return bytes
    }
}
