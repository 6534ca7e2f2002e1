import Exposure
import PTP

@testable import Cameras

extension Examples {
    /// Sony: the session and its properties, the shutter, and the pictures.
    static let sony: [String] = sonySession + sonyShutter + sonyPictures

    private static let sonySession: [String] = [
        SonySessionSentences.remoteModeOff,
        SonySessionSentences.quirk(SonyQuirks.table[1], of: "ILCE-7RM4"),
        SonySessionSentences.propertyListUnreadable(.truncated(field: "Properties", needed: 4, left: 1)),
        SonySessionSentences.versionUnsupported(
            SonyExtDeviceInfo(version: 100, properties: [], controls: []),
            of: "ILCE-QX1"
        ),
        SonySessionSentences.priorityTaken,
        SonySessionSentences.priorityKept(.accessDenied),
        SonySessionSentences.remark(
            SonyPropertyDataset.Damage(
                recordsRead: 41,
                recordsAnnounced: 60,
                error: .unknownDataType(field: "CurrentValue", code: 0x00FF)
            ).description
        ),
        SonySessionSentences.remark(SonyPropertyDataset.Flaw.repeated(.sonyShutterSpeed).description),
        SonySessionSentences.remark(SonyPropertyDataset.Flaw.surplus(byteCount: 7, recordsAnnounced: 60).description),
        SonySessionSentences.propertiesUnreadable(.deviceBusy, isComplete: true),
        SonySessionSentences.propertiesUnreadable(.ok, isComplete: false),
        SonySessionSentences.propertiesNotReported(.deviceBusy),
        SonyExtDeviceInfo(version: 200, properties: [.sonyShutterSpeedVersion2], controls: []).noteOnSteps,
        SonyExtDeviceInfo(version: 200, properties: [], controls: [.shutterSpeed]).noteOnSteps,
        SonyExtDeviceInfo(version: 200, properties: [], controls: []).noteOnSteps,
    ]

    private static let sonyShutter: [String] = [
        SonySpeedSentences.absoluteRejected(.accessDenied),
        SonySpeedSentences.nothingShown,
        SonySpeedSentences.notThirdStop(SonyShutterSpeed(rawValue: 0x0001_005A)),
        SonySpeedSentences.notStepping(to: .fastest, shown: .speed(.slowest)),
        SonySpeedSentences.notStepping(to: .fastest, shown: nil),
        SonySpeedSentences.wrongDirection(to: .fastest, shown: .speed(.slowest)),
        SonySpeedSentences.notReachedInTime(.slowest, shown: .other("BULB")),
        SonyCaptureSentences.fileUnfinished,
        SonyCaptureSentences.noPictureReported,
        SonyCaptureSentences.commandIgnored,
        SonyCaptureSentences.noPictureExpected,
        SonyCaptureSentences.releaseUnconfirmed,
    ]

    private static let sonyPictures: [String] = [
        SonyPictureSentences.onCardOnly,
        SonyPictureSentences.descriptionUnreadable(.truncated(field: "Filename", needed: 24, left: 10)),
        SonyPictureSentences.ofPreviousFrame("DSC00123.ARW"),
        SonyPictureSentences.ofPreviousPicture("DSC00123.ARW"),
        SonyPictureSentences.alreadyTransferred("DSC00123.JPG"),
        SonyPictureSentences.ofUnknownFrame("DSC00123.JPG"),
        SonyPictureSentences.rawKept("DSC00123.ARW"),
        SonyPictureSentences.transferRejected(.accessDenied),
        SonyPictureSentences.transferFailedTooOften("DSC00123.ARW"),
        SonyPictureSentences.sessionBrokenTooOften("DSC00123.ARW"),
        SonyPictureSentences.restLost("DSC00123.ARW"),
        SonyPictureSentences.sizeDiffers("DSC00123.JPG", byteCount: 8_388_608, announced: 12_582_912),
        SonyPictureSentences.completeDespite(.deviceBusy, "DSC00123.JPG"),
        TransferSentences.noSpace,
        LossReason.reset(SonyPictureSentences.noSpaceInTransfer).sentence,
        SonyPictureSentences.transferInterrupted("DSC00123.ARW"),
        SonyPictureSentences.staysInBuffer("DSC00123.ARW"),
    ]
}
