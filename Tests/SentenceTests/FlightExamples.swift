@testable import Flight

extension Examples {
    /// Recordings and their replay.
    static var flight: [String] {
        let transition = FlightTransition(chart: "connection", from: "idle", to: "connecting", event: "found")
        let record = FlightRecord(number: 812, time: .seconds(90), content: .message, transitions: [transition])
        return [
            FlightError.notARecording.sentence,
            FlightError.otherFormat(6, version: "0.0.9").sentence,
            FlightError.otherFormat(8, version: nil).sentence,
            FlightError.damaged(offset: 16_410, "the checksum of a block is wrong").sentence,
            ReplaySentences.versionDiffers("0.0.9", from: "0.1.0"),
            ReplaySentences.chartsDiffer(["connection", "shooting"]),
            FlightDifference(record, .transitions(came: [])).sentence,
            FlightDifference(record, .noMessage).sentence,
            FlightDifference(record, .omitted).sentence,
        ]
    }
}
