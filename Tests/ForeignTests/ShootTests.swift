import Testing

/// bracketd fires with a simulated body through a recording proxy, and tshark reads the recording.
/// docs/foreign/tshark.md lists the limits of tshark.
@Suite(.serialized) struct `A captured shoot, read by Wireshark` {
    private static func recordedShoot(
        in studio: ForeignFixture,
        on model: String = "ILCE-7M4",
        maker: String = "sony"
    ) throws -> [RecordingProxy.Packet] {
        try studio.startCamera(model, maker: maker, ["--save-time", "50ms"])
        let proxy = try RecordingProxy(to: studio.cameraPort)
        try studio.startDaemon(cameraAt: proxy.port)
        let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3", "--yes"]
        let shoot = try studio.client(["shoot"] + plan)
        try #require(shoot.lines.last == "3 of 3 exposures captured", "\(shoot)")
        studio.stopDaemon()
        let (packets, bytesLeft) = try proxy.packets()
        #expect(bytesLeft == 0, "the stream ends inside a packet")
        return packets
    }

    @Test func `no packet is malformed, and the operations are in order`() throws {
        let studio = try ForeignFixture()
        let packets = try Self.recordedShoot(in: studio)
        let dissection = try Dissection(of: packets, in: studio)
        Self.expectReadable(packets, dissection.rows)
        let steps = Self.steps(packets, dissection.rows)
        #expect(steps.filter { $0 != Self.reading } == Self.expected)
        Self.expectReadings(in: steps)
        #expect(Self.unanswered(packets, dissection.rows).isEmpty)
    }

    @Test(arguments: ["eos-60d", "eos-80d", "eos-m50", "eos-r6m2", "eos-1300d"])
    func `no packet of a Canon body is malformed`(model: String) throws {
        let studio = try ForeignFixture()
        let packets = try Self.recordedShoot(in: studio, on: model, maker: "canon")
        let dissection = try Dissection(of: packets, in: studio)
        Self.expectReadable(packets, dissection.rows)
    }

    @Test(arguments: ["d850", "z6-2", "z8", "zr"])
    func `no packet of a Nikon body is malformed`(model: String) throws {
        let studio = try ForeignFixture()
        let packets = try Self.recordedShoot(in: studio, on: model, maker: "nikon")
        let dissection = try Dissection(of: packets, in: studio)
        Self.expectReadable(packets, dissection.rows)
    }

    // MARK: Packets

    private static func expectReadable(_ packets: [RecordingProxy.Packet], _ rows: [[Dissection.Field: String]]) {
        for (index, (packet, row)) in zip(packets, rows).enumerated() {
            #expect(row[.malformed] == "", "packet \(index): \(row)")
            #expect(row.number(.type) == UInt64(packet.type), "packet \(index): \(row)")
            #expect(row.number(.length) == UInt64(packet.bytes.count), "packet \(index): \(row)")
        }
    }

    // MARK: Operations

    private static let reading = "0x9209"

    private static let opening = [
        "init", "init events", "0x1002", "0x1001", "0x9201(1)", "0x9201(2)", "0x9202", "0x9201(3)",
    ]

    private static let press = ["0x9207(d2c1)=2", "0x9207(d2c2)=2", "0x9207(d2c2)=1", "0x9207(d2c1)=1"]

    private static var expected: [String] {
        let frames = speeds.flatMap { ["0x9205(d20d)=\($0)"] + press + ["0x1008", "0x1009"] }
        return opening + frames + ["0x1003"]
    }

    /// The speeds 1/250, 1/125 and 1/60, as 0xD20D encodes them.
    private static let speeds = ["100fa", "1007d", "1003c"]

    /// The initiator's packets. tshark reads the operations. Our own decoder reads the parameters and the data, which
    /// tshark does not read.
    private static func steps(_ packets: [RecordingProxy.Packet], _ rows: [[Dissection.Field: String]]) -> [String] {
        var steps: [String] = []
        for (packet, row) in zip(packets, rows) where packet.isFromInitiator {
            let parameter = packet.bytes.integer(at: 18) as UInt32
            switch (row.number(.type), row.number(.operation)) {
            case (1, _): steps.append("init")
            case (3, _): steps.append("init events")
            case (6, 0x9201): steps.append("0x9201(\(parameter))")
            case (6, 0x9205), (6, 0x9207):
                steps.append("\(row[.operation] ?? "")(\(String(parameter, radix: 16)))")
            case (6, _): steps.append(row[.operation] ?? "")
            case (10, _) where packet.bytes.count > 12, (12, _) where packet.bytes.count > 12:
                steps[steps.count - 1] += "=" + value(packet.bytes.dropFirst(12))
            default: break
            }
        }
        return steps
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 16)
    }

    /// Checks the rule *Confirm, never assume*: the driver reads the properties after the set, before it requests the
    /// picture, and after the picture.
    private static func expectReadings(in steps: [String]) {
        for (index, step) in steps.enumerated() {
            switch step {
            case _ where step.hasPrefix("0x9205"): #expect(steps[index + 1] == reading, "after \(step)")
            case "0x9207(d2c1)=2", "0x1008": #expect(steps[index - 1] == reading, "before \(step)")
            case "0x1009": #expect(steps[index + 1] == reading, "after \(step)")
            default: break
            }
        }
    }

    /// The transactions that did not get the response OK, as tshark reads them.
    private static func unanswered(
        _ packets: [RecordingProxy.Packet],
        _ rows: [[Dissection.Field: String]]
    ) -> [String] {
        let asked = rows.filter { $0.number(.type) == 6 }.compactMap { $0[.transaction] }
        let answered = rows.filter { $0.number(.type) == 7 && $0.number(.operation) == 0x2001 }
        return asked.filter { transaction in !answered.contains { $0[.transaction] == transaction } }
    }
}
