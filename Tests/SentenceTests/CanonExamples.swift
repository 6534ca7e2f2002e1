import PTP

@testable import Cameras

extension Examples {
    /// Canon: the session, the shutter, and the files.
    static let canon: [String] = [
        Refusal.notWaiting(CanonSessionSentences.notWaiting).sentence,
        CanonSessionSentences.waitsForUtility,
        CanonSessionSentences.waitsForApp,
        CanonSessionSentences.quirks(CanonQuirks.table[0], of: "Canon EOS M6 Mark II"),
        CanonSessionSentences.remoteControlMissing("Canon EOS 350D DIGITAL"),
        CanonSessionSentences.saveTargetKept(CanonSaveTarget(rawValue: 4)),
        CanonSessionSentences.saveTargetChanged(CanonSaveTarget(rawValue: 4), to: CanonSaveTarget(rawValue: 2)),
        CanonSessionSentences.notRestored(.canonSaveTarget, .deviceBusy),
        CanonSessionSentences.remark(.damage(.sizeTooSmall(7))),
        CanonSessionSentences.remark(.damage(.sizeBeyondData(64, left: 4))),
        CanonSessionSentences.remark(.damage(.endMissing(left: 0))),
        CanonSessionSentences.remark(.shortRecord(.propertyValue)),
        CanonSessionSentences.listUnreadable(.deviceBusy, isComplete: true),
        CanonSessionSentences.listUnreadable(.ok, isComplete: false),
        LossReason.protocolError(CanonSessionSentences.listsNotReported(.deviceBusy)).sentence,
        CanonCaptureSentences.mirrorUp,
        CanonCaptureSentences.cardWriteProtected,
        CanonCaptureSentences.noPictureReported,
        CanonCaptureSentences.noPictureExpected,
        CanonCaptureSentences.releaseUnconfirmed,
        CanonCaptureSentences.statusUnfinished,
        TransferSentences.givenUp(
            "IMG_0123.JPG",
            ResponseCode.canonObjectNotReady.canonName,
            isGone: false
        ),
        TransferSentences.givenUp(
            "IMG_0123.JPG",
            ResponseCode.invalidObjectHandle.canonName,
            isGone: true
        ),
        TransferSentences.givenUp("IMG_0123.JPG", TransferSentences.linkBroken, isGone: false),
        TransferSentences.onlyInBuffer("IMG_0123.JPG", ResponseCode.canonObjectNotReady.canonName),
        TransferSentences.onlyInBuffer("IMG_0123.JPG"),
    ]
}
