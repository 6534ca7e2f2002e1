import NIOCore
import Testing

@testable import PTP

/// The bytes of a connection that a recording keeps.
@Suite struct RecordableBytesTests {
    /// The bytes that are kept, with zeros in place of the others.
    private func kept(_ bytes: [UInt8], in stream: inout RecordableBytes, dataset: UInt32? = 9) -> [UInt8] {
        var kept = [UInt8](repeating: 0, count: bytes.count)
        for part in stream.parts(of: ByteBuffer(bytes: bytes), dataset: dataset) {
            for index in part { kept[index] = bytes[index] }
        }
        return kept
    }

    private func kept(_ bytes: [UInt8], dataset: UInt32? = 9) -> [UInt8] {
        var stream = RecordableBytes()
        return kept(bytes, in: &stream, dataset: dataset)
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
    private let zeros: [UInt8] = Array(repeating: 0, count: 100)

    @Test func `a dataset is kept`() {
        #expect(kept(answer(data)) == answer(data))
    }

    @Test func `a picture is not kept, however it is cut, and the bytes around it are`() {
        let bytes = answer(data)
        for size in 1...bytes.count {
            var stream = RecordableBytes()
            var all: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                all += kept(piece, in: &stream, dataset: nil)
            }
            #expect(all == answer(zeros), "\(size)")
        }
    }

    @Test func `data of another transaction is not kept`() {
        #expect(kept(answer(data, 9), dataset: 8) == answer(zeros, 9))
        // The driver requests a dataset and then a picture.
        var stream = RecordableBytes()
        #expect(kept(answer(data, 9), in: &stream, dataset: 9) == answer(data, 9))
        #expect(kept(answer(data, 10), in: &stream, dataset: nil) == answer(zeros, 10))
    }

    @Test func `nothing is kept behind an invalid packet`() {
        let bad: [UInt8] = [7, 0, 0, 0, 7, 0, 0, 0]
        #expect(kept(bad + answer(data)) == bad + Array(repeating: 0, count: answer(data).count))
        let short: [UInt8] = [11, 0, 0, 0, 12, 0, 0, 0, 9, 0, 0, 0]
        #expect(kept(short + data) == short + zeros)
    }

    @Test func `a packet of no kind, or longer than its kind, is not kept`() {
        for type: UInt8 in [0, 15, 77, 7, 1] {
            let length: [UInt8] = [type == 1 ? 1 : 108, type == 1 ? 8 : 0, 0, 0]
            let head = length + [type, 0, 0, 0]
            #expect(kept(head + data) == head + zeros, "\(type)")
        }
    }

    // MARK: The session

    /// A session in which this operation runs; nil: no operation.
    private func session(_ operation: PTP.Operation?) throws -> InitiatorSession {
        var session = InitiatorSession(guid: try #require(GUID(bytes: Array(1...16))), name: "test")
        var actions: [InitiatorSession.Action] = []
        session.connect(at: .zero, into: &actions)
        session.opened(.command, at: .zero, into: &actions)
        let ack = InitCommandAck(connectionNumber: 1, guid: try #require(GUID(bytes: Array(1...16))), name: "camera")
        session.received(PTPIPPacket.initCommandAck(ack).encoded(), on: .command, at: .zero, into: &actions)
        session.opened(.event, at: .zero, into: &actions)
        session.received(PTPIPPacket.initEventAck.encoded(), on: .event, at: .zero, into: &actions)
        #expect(session.isReady)
        if let operation { session.start(operation, at: .zero, into: &actions) }
        return session
    }

    private func kept(
        _ bytes: [UInt8],
        in session: inout InitiatorSession,
        _ channel: InitiatorSession.Channel = .command
    ) -> [UInt8] {
        var actions: [InitiatorSession.Action] = []
        session.received(ByteBuffer(bytes: bytes), on: channel, at: .zero, into: &actions)
        var kept = [UInt8](repeating: 0, count: bytes.count)
        for part in session.takeRecordableParts() { for index in part { kept[index] = bytes[index] } }
        #expect(session.takeRecordableParts().isEmpty)
        return kept
    }

    private static let timeout = PTP.Operation.Timeout(.seconds(1))

    @Test(arguments: [OperationCode.getDeviceInfo, .getObjectInfo, .getDevicePropValue])
    func `the answer to a request for a dataset is kept`(code: OperationCode) throws {
        var session = try session(PTP.Operation(code, timeout: Self.timeout))
        #expect(kept(answer(data, 0), in: &session) == answer(data, 0))
    }

    @Test(arguments: [OperationCode.getObject, .getPartialObject, .getThumb, OperationCode(rawValue: 0x9999)])
    func `the answer to another request is kept only if a driver names the operation`(code: OperationCode) throws {
        var picture = try session(PTP.Operation(code, timeout: Self.timeout))
        #expect(kept(answer(data, 0), in: &picture) == answer(zeros, 0))
        var dataset = try session(PTP.Operation(code, timeout: Self.timeout, hasRecordableData: true))
        #expect(kept(answer(data, 0), in: &dataset) == answer(data, 0))
    }

    @Test func `data without a request is not kept`() throws {
        var silent = try session(nil)
        #expect(kept(answer(data, 0), in: &silent) == answer(zeros, 0))
        var event = try session(PTP.Operation(.getDeviceInfo, timeout: Self.timeout))
        #expect(kept(answer(data, 0), in: &event, .event) == answer(zeros, 0))
        // The data on the event connection ended the session, so nothing more is kept.
        #expect(kept(answer(data, 0), in: &event) == Array(repeating: 0, count: answer(data, 0).count))
    }
}
