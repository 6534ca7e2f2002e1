import Cameras
import Controller
import NIOCore
import PTP
import Testing

@testable import Flight

/// Which bytes of a connection are kept.
@Suite struct PictureMaskTests {
    private static let generation = LinkGeneration(rawValue: 3)

    /// What is kept of what comes, zeros for the rest.
    private func kept(_ bytes: [UInt8], in mask: inout PictureMask, channel: LinkID = .command) -> [UInt8] {
        mask.look(at: .link(Self.generation, .received(channel, ByteBuffer(bytes: bytes))))
        var kept = bytes
        for blank in mask.blanks { for index in blank { kept[index] = 0 } }
        return kept
    }

    private func opened(asking code: OperationCode? = nil, _ transaction: UInt32 = 9) -> PictureMask {
        var mask = PictureMask()
        mask.opens(Self.generation, .command)
        mask.opens(Self.generation, .event)
        if let code { ask(code, transaction, &mask) }
        return mask
    }

    private func ask(_ code: OperationCode, _ transaction: UInt32, _ mask: inout PictureMask) {
        let request = OperationRequest(dataPhase: .noneOrIn, code: code, transaction: transaction, parameters: [1])
        mask.sends(Self.generation, .command, PTPIPPacket.operationRequest(request).encoded())
    }

    /// The packets of an answer with data.
    private func answer(_ data: [UInt8], _ transaction: UInt32 = 9) -> [UInt8] {
        let half = data.count / 2
        let packets: [PTPIPPacket] = [
            .startData(transaction: transaction, totalLength: UInt64(data.count)),
            .data(transaction: transaction, payload: ByteBuffer(bytes: data.prefix(half))),
            .endData(transaction: transaction, payload: ByteBuffer(bytes: data.dropFirst(half))),
            .operationResponse(OperationResponse(code: .ok, transaction: transaction, parameters: [])),
        ]
        return packets.flatMap { Array($0.encoded().readableBytesView) }
    }

    private let data: [UInt8] = Array(repeating: 0xAB, count: 100)

    @Test(arguments: [OperationCode.getDeviceInfo, .sdioGetAllExtDevicePropInfo, .getObjectInfo])
    func `a dataset is kept`(code: OperationCode) {
        var mask = opened(asking: code)
        #expect(kept(answer(data), in: &mask) == answer(data))
    }

    @Test(arguments: [OperationCode.getObject, .getPartialObject, .getThumb, OperationCode(rawValue: 0x9999)])
    func `a picture is not, however it is cut, and what stands around it is`(code: OperationCode) {
        let bytes = answer(data)
        let bare = answer(Array(repeating: 0, count: 100))
        for size in 1...bytes.count {
            var mask = opened(asking: code)
            var all: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                all += kept(Array(bytes[start..<min(start + size, bytes.count)]), in: &mask)
            }
            #expect(all == bare, "\(size)")
        }
    }

    @Test func `data that nobody asked for is not kept`() {
        var asking = opened(asking: .getDeviceInfo, 8)
        #expect(kept(answer(data, 9), in: &asking) == answer(Array(repeating: 0, count: 100), 9))
        var silent = opened()
        #expect(kept(answer(data), in: &silent) == answer(Array(repeating: 0, count: 100)))
        var event = opened(asking: .getDeviceInfo)
        #expect(kept(answer(data), in: &event, channel: .event) == answer(Array(repeating: 0, count: 100)))
        // A dataset is asked for, then a picture.
        var both = opened(asking: .getDeviceInfo)
        ask(.getObject, 10, &both)
        #expect(kept(answer(data, 10), in: &both) == answer(Array(repeating: 0, count: 100), 10))
    }

    @Test func `nothing is kept of a connection that is not known`() {
        var mask = PictureMask()
        #expect(kept(data, in: &mask) == Array(repeating: 0, count: 100))
        mask = opened(asking: .getDeviceInfo)
        mask.closes(Self.generation, .command)
        #expect(kept(data, in: &mask) == Array(repeating: 0, count: 100))
        mask = opened(asking: .getDeviceInfo)
        mask.look(at: .link(Self.generation, .closed(.command, reason: nil)))
        #expect(kept(data, in: &mask) == Array(repeating: 0, count: 100))
    }

    @Test func `nothing is kept behind a packet that is none`() {
        var mask = opened(asking: .getDeviceInfo)
        let bad: [UInt8] = [7, 0, 0, 0, 7, 0, 0, 0]
        #expect(kept(bad + answer(data), in: &mask) == bad + Array(repeating: 0, count: answer(data).count))
        mask = opened(asking: .getDeviceInfo)
        let short: [UInt8] = [11, 0, 0, 0, 12, 0, 0, 0, 9, 0, 0, 0]
        #expect(kept(short + data, in: &mask) == short + Array(repeating: 0, count: 100))
    }

    @Test func `what is of no kind, or longer than its kind, is not kept`() {
        for type: UInt8 in [0, 15, 77, 7, 1] {
            let length: [UInt8] = [type == 1 ? 1 : 108, type == 1 ? 8 : 0, 0, 0]
            let head = length + [type, 0, 0, 0]
            var mask = opened(asking: .getDeviceInfo)
            #expect(kept(head + data, in: &mask) == head + Array(repeating: 0, count: 100), "\(type)")
        }
    }

    @Test func `what we send and is no whole packet lets nothing be kept`() {
        var mask = opened(asking: .getDeviceInfo)
        mask.sends(Self.generation, .command, ByteBuffer(bytes: [1, 2, 3]))
        #expect(kept(answer(data), in: &mask) == answer(Array(repeating: 0, count: 100)))
        mask = opened(asking: .getDeviceInfo)
        mask.sends(Self.generation, .command, ByteBuffer(bytes: [200, 0, 0, 0, 6, 0, 0, 0]))
        #expect(kept(answer(data), in: &mask) == answer(Array(repeating: 0, count: 100)))
    }

    @Test func `connections without end are not remembered`() {
        var mask = PictureMask()
        for number in 0..<1000 { mask.opens(LinkGeneration(rawValue: UInt32(number)), .command) }
        mask.look(at: .link(LinkGeneration(rawValue: 999), .received(.command, ByteBuffer(bytes: data))))
        #expect(mask.blanks == [0..<100])
    }
}
