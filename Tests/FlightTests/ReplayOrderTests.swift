import Controller
import Flight
import Testing

/// Tests recordings that no daemon can have written.
@Suite struct ReplayOrderTests {
    private func record(_ number: Int, _ input: Input) -> FlightRecord {
        FlightRecord(number: number, time: .zero, content: .input(input), transitions: [])
    }

    @Test func `inputs before a core's start, and a second start, are not replayed`() throws {
        let header = FlightHeader(
            version: Version.current,
            configuration: ReplayTests.configuration(),
            charts: Core.chartDigests,
            began: 0,
            clock: .zero
        )
        var replay = FlightReplay(header)
        let early = replay.take(record(1, .request(RequestID(rawValue: 1), .getStatus)))
        #expect(throws: FlightDifference.self) { try early.get() }
        #expect(throws: Never.self) { try replay.take(record(1, .started)).get() }
        let second = replay.take(record(2, .started))
        #expect(throws: FlightDifference.self) { try second.get() }
        #expect(replay.recordCount == 1)
    }
}
