@testable import bracketctl

extension Examples {
    static let history: [String] = [
        HistorySentences.noShoot,
        HistorySentences.noEarlierShoot,
        HistorySentences.written(shoot: 7, to: "shoot-7.json"),
        HistorySentences.running,
        HistorySentences.outcome("partial", captured: 8, of: 15),
        HistorySentences.firedAgain("captured", reason: "command"),
        HistorySentences.restDropped,
        HistorySentences.restDroppedByDismiss,
        HistorySentences.restDropped(by: 8),
        HistorySentences.restDropped(byShootOfButton: 8),
        HistorySentences.place(set: 2, frame: 3, speed: "1/15"),
        HistorySentences.place(set: 2, frame: 3, speed: nil),
        HistorySentences.paused("link-lost", until: "03:34:19.123"),
        HistorySentences.paused("command", until: nil),
        HistorySentences.interrupted(until: "03:34:19.123"),
        HistorySentences.interrupted(until: nil),
        HistorySentences.inDoubt("no-picture", answer: HistorySentences.doubtFired),
        HistorySentences.inDoubt("no-picture", answer: HistorySentences.doubtNotFired),
        HistorySentences.inDoubt("interrupted", answer: HistorySentences.doubtOpen),
        HistorySentences.inDoubt("link-lost", answer: HistorySentences.doubtNotReported),
        HistorySentences.pictureTwice("command"),
        HistorySentences.pictureMaybeTwice("in-doubt"),
    ]
}
