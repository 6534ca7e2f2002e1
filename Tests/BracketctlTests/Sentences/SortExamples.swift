@testable import bracketctl

extension Examples {
    private static let frame = SortSentences.frame(3, ofSet: 2, speed: "1/60")

    static let sort: [String] = [
        SortSentences.title(shoot: 7, camera: "Sony ILCE-7M4", plan: "1/1000 to 1/4"),
        SortSentences.found(1, of: 1),
        SortSentences.found(14, of: 15),
        SortSentences.frameWithoutFile(frame, isFired: true),
        SortSentences.frameWithoutFile(frame, isFired: false),
        SortSentences.moreWithoutFile(12),
        SortSentences.written(to: "/media/card/20261121-083000-shoot-7"),
        SortSentences.dryRun,
        SortSentences.noShootOfPictures,
        SortSentences.severalOffsets(shoot: 7, ["+1:03:00", "-0:57:00"]),
        SortSentences.noOffset(frames: 15, matched: 2),
        SortSentences.clockAgrees,
        SortSentences.clockIsAhead(by: "1 h 3 min"),
        SortSentences.clockIsBehind(by: "3 min 20 s"),
        frame,
        SortSentences.otherSpeed(frame, picture: "DSC00003.ARW", speed: SortSentences.unknownSpeed),
        SortSentences.firedTwice(frame, earlier: ["DSC00003.ARW", "DSC00004.ARW"], last: "DSC00005.ARW"),
        SortSentences.uncertain(frame, picture: "DSC00003.ARW"),
        SortSentences.stray("DSC00009.ARW", speed: "1/60"),
        SortSentences.strayAdvice(nearSet: 2, frame: 3),
        SortSentences.fileIgnored("DSC00010.ARW", SortSentences.noCaptureTime),
        SortSentences.fileIgnored("DSC00010.ARW", SortSentences.notOpened("Permission denied")),
        SortSentences.folderTooDeep("a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q"),
        SortSentences.folderNotOpened("DCIM/100MSDCF", "Permission denied"),
        SortSentences.moreFilesIgnored(12),
        SortSentences.moreFoldersIgnored(3),
        SortSentences.noLinks("Operation not permitted"),
        SortSentences.noPictures("/media/card", remark: nil),
        SortSentences.noPictures(
            "/media/card",
            remark: SortSentences.fileFault("DSC00010.ARW", SortSentences.noCaptureTime)
        ),
        SortSentences.noReader("bracketd-exif"),
        SortSentences.tooManyFiles(thousands: 200),
        SortSentences.tooManyPictures(thousands: 20),
        SortSentences.otherManifest("/media/card/20261121-083000-shoot-7"),
        SortSentences.otherFiles("/media/card/20261121-083000-shoot-7/set-1", name: "DSC00001.ARW"),
        SortSentences.noShoot,
        SortSentences.sameShootTwice,
        SortSentences.shootNotInFiles(7),
        SortSentences.exportNotUsed("shoot-7.json", SortSentences.notAFileOrTooLarge),
        SortSentences.exportNotUsed("shoot-7.json", SortSentences.notJSON),
        SortSentences.exportNotUsed("shoot-7.json", SortSentences.notComplete),
    ]
}
