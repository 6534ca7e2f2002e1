import Exposure

@testable import bracketctl

extension Examples {
    private static let frame = SortSentences.frame(3, ofSet: 2, speed: "1/60")

    static let meter: [String] = [
        MeterSentences.certainty(.measured),
        MeterSentences.certainty(.estimated(error: 0.6)),
        MeterSentences.certainty(.outside),
        MeterSentences.next(.fastest),
        MeterSentences.place(PicturePoint(30, 75.5)),
        MeterSentences.placement(.grey, frames: 1),
        MeterSentences.placement(.detail, frames: 3),
        MeterSentences.toPlan(shadow: .slowest, highlight: .fastest, .grey),
        MeterSentences.toPlan(shadow: .slowest, highlight: .fastest, .detail),
        MeterSentences.swapped,
        MeterSentences.needsPicture,
        MeterSentences.oneTestFrame,
        MeterSentences.speedOfTestFrame,
        MeterSentences.liveAlone,
        MeterSentences.liveViewIsNotExposure,
        MeterSentences.liveViewIsUnknown,
        MeterSentences.liveViewWithoutSpeed,
        MeterSentences.noTestPicture,
        MeterSentences.tooManyPictures(32),
        MeterSentences.tooManyPoints(14),
        MeterSentences.unknownPlacement("gray"),
        MeterSentences.metersTwoSpeeds,
        MeterSentences.notUsed("DSC00003.JPG", MeterSentences.noExposureTime),
        MeterSentences.notUsed("DSC00003.JPG", MeterSentences.offScale("45/1")),
        MeterSentences.otherSettings("DSC00003.JPG", "DSC00004.JPG"),
        MeterSentences.folderNeedsCoverage, MeterSentences.noCoverage,
        MeterSentences.extensionNeedsSpeed,
        MeterSentences.coverageUnknown,
        MeterSentences.notUsed("20261121-083000-shoot-7/manifest.json", MeterSentences.notAManifest),
        MeterSentences.noReadablePicture,
        MeterSentences.frameNotChecked(frame, MeterSentences.noJPEG),
    ]
}
