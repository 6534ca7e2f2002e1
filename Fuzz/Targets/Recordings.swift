import NIOCore

@testable import Flight

/// Fuzzes a recording from any daemon: as a file, and as blocks with valid checksums.
func fuzzFlight(_ bytes: [UInt8]) {
    readRecording(ByteBuffer(bytes: bytes))
    var script = FuzzBytes(bytes)
    var file = ByteBuffer(bytes: FlightFormat.mark + [FlightFormat.version])
    while !script.isEmpty { FlightBlock.write(Array(script.piece()), into: &file) }
    readRecording(file)
}

private let recordsMax = 2_000
private let replayedMax = 100

private func readRecording(_ file: ByteBuffer) {
    guard var reader = try? FlightReader(file) else { return }
    var replay: FlightReplay? = FlightReplay(reader.header)
    var (number, time) = (reader.recordsBefore, Duration.zero)
    for count in 0..<recordsMax {
        guard let record = try? reader.next() else { break }
        expect(record.number == number + 1, "record \(record.number) follows \(number)")
        expect(count == 0 || record.time >= time, "time goes back in record \(record.number)")
        (number, time) = (record.number, record.time)
        if count < replayedMax, let taken = replay?.take(record), case .failure = taken { replay = nil }
    }
    expect(reader.tornByteCount <= file.readableBytes, "more is torn than there is")
}
