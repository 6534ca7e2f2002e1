@testable import Cameras

extension Examples {
    /// Sony over HTTP: the session, the pictures, and the files on the card.
    static let sonyHTTP: [String] = sonyHTTPSession + sonyHTTPPictures + sonyHTTPContents + sonyPush

    private static let sonyHTTPSession: [String] = [
        Refusal.protocolError(SonyHTTPSentences.notACamera(.notAnObject)).sentence,
        SonyHTTPSentences.stepFailed("getAvailableApiList", .cameraNotReady),
        SonyHTTPSentences.eventsMissing,
        SonyHTTPSentences.recModeNotStarted,
        SonyHTTPSentences.otherFunction("Contents Transfer"),
        SonyHTTPSentences.otherShootMode("movie"),
        SonyHTTPSentences.reducedApp("Smart Remote Embedded 2.0.0"),
        SonyHTTPSentences.reducedApp(""),
        SonyHTTPSentences.application("Smart Remote Control SR/4.31 __SAK__ 2.1.4"),
        LossReason.protocolError(SonyHTTPSentences.invalidReply(to: "getEvent", .withoutResult)).sentence,
        LossReason.protocolError(SonyHTTPSentences.invalidReply(to: "getEvent", .otherID(7))).sentence,
        LossReason.protocolError(SonyHTTPSentences.invalidReply(to: "getEvent", .otherID(nil))).sentence,
        LossReason.protocolError(SonyHTTPSentences.refused("getEvent", .forbidden)).sentence,
        SonyHTTPSentences.unreadablePart("shutterSpeed"),
        SonyHTTPSentences.otherClientPolls,
        SonyHTTPSentences.halfPressUnconfirmed,
        SonyHTTPSentences.selfTimer(10),
        SonyHTTPSentences.unknownModel,
    ]

    private static let sonyHTTPPictures: [String] = [
        SonyHTTPSentences.noPictureTaken,
        SonyHTTPSentences.onlyJPEG,
        SonyHTTPSentences.continuousDrive,
        SonyHTTPSentences.cardWithJPEG,
        SonyHTTPSentences.postviewUnchanged,
        SonyHTTPSentences.noPictureExpected,
        SonyHTTPSentences.pictureWithoutURL,
        SonyHTTPSentences.foreignURL("http://198.51.100.1/pict.JPG"),
        SonyHTTPSentences.transferGivenUp("pict20130130_183230_0.JPG", SonyHTTPSentences.status(403)),
    ]

    private static let sonyPush: [String] = [
        SonyPushSentences.mode,
        LossReason(.timedOut(.seconds(20)), during: SonyPushSentences.step).sentence,
        SonyPushSentences.notInMode,
        SonyPushSentences.cannotShoot,
        SonyPushSentences.onlySelected,
        SonyPushSentences.unanswered("Browse"),
        SonyPushSentences.incomplete(sent: 7, of: 10) ?? "",
        SonyPushSentences.refused("Browse", 500),
        SonyPushSentences.listUnreadable(DescriptionFault(line: 1, reason: "the reply is not a list of pictures")),
    ]

    private static let sonyHTTPContents: [String] = [
        ConnectionSentences.filesUnsupported,
        SonyHTTPContentsSentences.unsupported,
        SonyHTTPContentsSentences.noCard,
        SonyHTTPContentsSentences.functionNotChanged("Contents Transfer"),
        SonyHTTPContentsSentences.refused("getContentList", .storageRemoved),
        SonyHTTPContentsSentences.unknownFiles(["image:content?contentId=00240"]),
        SonyHTTPContentsSentences.unknownFiles(["image:content?contentId=00240", "x", "y"]),
        SonyHTTPContentsSentences.tooManyFiles(["image:content?contentId=00240"], 20_000),
        SonyHTTPContentsSentences.slow("getContentCount"),
        SonyHTTPContentsSentences.notSent(7, of: 150),
    ]
}
