@testable import bracketctl

extension Examples {
    private static let first = "flight-000042-0000.rec"
    private static let second = "flight-000042-0001.rec"

    static let replay: [String] = [
        ReplaySentences.run(version: "0.9.0", began: "2026-11-22 03:34:19"),
        ReplaySentences.identical((inputs: 1, transitions: 1), isWhole: true),
        ReplaySentences.identical((inputs: 4211, transitions: 873), isWhole: false),
        ReplaySentences.differs("the transition is missing.", record: 812, seconds: "12.345"),
        ReplaySentences.incomplete(first, lastBytes: 37),
        ReplaySentences.damaged(first, "Record 812 is damaged.", after: (inputs: 811, transitions: 96)),
        ReplaySentences.recordsMissing(second, first: 812, last: 1200, after: (inputs: 811, transitions: 96)),
        ReplaySentences.doesNotFollow(second, after: (inputs: 811, transitions: 96)),
        ReplaySentences.notARecording("notes.txt", "It is not a recording."),
        ReplaySentences.noRecording(in: "/var/lib/bracketd/flight"),
        ReplaySentences.tooLarge("disk.img"),
        ReplaySentences.otherRun("flight-000043-0000.rec", than: first),
        ReplaySentences.beginsLate(second, part: 1, first: first),
        ReplaySentences.partMissing("flight-000042-0002.rec", part: 2, before: second),
        ReplaySentences.partMissing("recording", part: 2, before: ReplaySentences.fileOfRun(1)),
    ]
}
