import Interface

@testable import bracketctl

extension Examples {
    private static let lackingOne = UnfinishedShoot(shoot: 7, missing: 1, total: 15)
    private static let lackingTwo = UnfinishedShoot(shoot: 7, missing: 2, total: 15)

    static let shoots: [String] = [
        ShootReportSentences.running("Frame 3 of 15 is exposing."),
        ShootReportSentences.notRunning(last: "15 of 15 exposures captured"),
        ShootReportSentences.noTerminal,
        ShootReportSentences.fireQuestion(exposures: 1),
        ShootReportSentences.fireQuestion(exposures: 15),
        ShootReportSentences.fireQuestion(exposures: 15, dropping: lackingOne),
        ShootReportSentences.fireQuestion(exposures: 15, dropping: lackingTwo),
        ShootReportSentences.retryQuestion(shoot: 3, dropping: lackingTwo),
        ShootReportSentences.nothingFired,
        ShootReportSentences.place(set: 2, frame: 3),
        ShootReportSentences.timeLeft("1 min 5 s"),
        ShootReportSentences.progress(shoot: 7, captured: 8, of: 15, timeLeft: nil),
        ShootReportSentences.progress(shoot: 7, captured: 8, of: 15, timeLeft: "24 s"),
        ShootReportSentences.continues(watch: "bracketctl watch --progress", cancel: "bracketctl cancel"),
        ShootReportSentences.kept(["1/125", "1/30", "1/8"], coverTheScene: true),
        ShootReportSentences.kept(["1/125"], coverTheScene: true),
        ShootReportSentences.kept(["1/125", "1/30"], coverTheScene: false),
        ShootReportSentences.cause("The battery is empty."),
        ShootReportSentences.missingFramesAdvice(retry: "bracketctl retry"),
        ShootReportSentences.missingFramesAdvice(retry: "bracketctl retry", dismiss: "bracketctl dismiss"),
        ShootReportSentences.noOutcome(status: "bracketctl status"),
        ShootReportSentences.connectionClosed(socket, status: "bracketctl status"),
        ShootReportSentences.waitingForPictures(1),
        ShootReportSentences.waitingForPictures(4),
        ShootReportSentences.picturesInTransfer(1, follow: "bracketctl photos --follow"),
        ShootReportSentences.picturesInTransfer(4, follow: "bracketctl photos --follow"),
        ShootReportSentences.picturesMissing(frames: 1, photos: "bracketctl photos"),
        ShootReportSentences.picturesMissing(frames: 3, photos: "bracketctl photos"),
        ShootReportSentences.endedWithPicturesInTransfer(follow: "bracketctl photos --follow"),
        ShootReportSentences.exportLacksPictures(4, follow: "bracketctl photos --follow"),
    ]
}
