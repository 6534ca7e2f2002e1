import Foundation
import Testing

/// The result of Wireshark's `ptpip` dissector, with one row for each packet.
struct Dissection {
    /// A field as tshark prints it; empty if missing.
    enum Field: String, CaseIterable {
        case length = "ptpip.len"
        case type = "ptpip.pktType"
        case guid = "ptpip.guid"
        case name = "ptpip.name"
        case version = "ptpip.version"
        case connection = "ptpip.connection"
        case phase = "ptpip.phaseinfo"
        /// The operation code of a request, or the response code of a response.
        case operation = "ptpip.opcode"
        case session = "ptpip.opcode.param.sessionid"
        case event = "ptpip.eventcode"
        case transaction = "ptpip.transactionID"
        case dataLength = "ptpip.datalen"
        case malformed = "_ws.malformed"
    }

    let rows: [[Field: String]]

    init(of packets: [RecordingProxy.Packet], in studio: ForeignFixture) throws {
        var capture = CaptureFile()
        for packet in packets { capture.append(packet) }
        let file = studio.file("packets.pcap")
        try capture.write(to: file)
        let fields = Field.allCases.flatMap { ["-e", $0.rawValue] }
        let result = try studio.run(
            "/usr/bin/tshark",
            ["-r", file.path, "-d", "tcp.port==15740,ptpip", "-T", "fields", "-E", "separator=|"] + fields
        )
        try #require(result.status == 0, "\(result)")
        rows = result.output.split(separator: "\n").map { line in
            let values = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return Dictionary(uniqueKeysWithValues: zip(Field.allCases, values))
        }
        try #require(rows.count == packets.count, "\(result)")
    }
}

extension [Dissection.Field: String] {
    /// A field's number, as tshark writes it with or without 0x.
    func number(_ field: Dissection.Field) -> UInt64? {
        guard let text = self[field], !text.isEmpty else { return nil }
        return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
}
