import Glibc

@testable import Host

extension Examples {
    static let pictureDisk: [String] = [
        PictureDiskSentences.notCreated("\(pictureFolder)/.DSC00001.ARW.part", SystemError(code: EACCES)),
        PictureDiskSentences.folderNotCreated(in: "/mnt/pictures", SystemError(code: EROFS)),
        PictureDiskSentences.noSpace("\(pictureFolder)/.DSC00001.ARW.part", SystemError(code: ENOSPC)),
        PictureDiskSentences.notWritten("\(pictureFolder)/.DSC00001.ARW.part", SystemError(code: EIO)),
        PictureDiskSentences.notContinued("\(pictureFolder)/.DSC00001.ARW.part", SystemError(code: ENOENT)),
        PictureDiskSentences.folderNotSynced(of: "\(pictureFolder)/DSC00001.ARW", SystemError(code: EIO)),
        PictureDiskSentences.manifestNotWritten(ofShoot: 3, in: "/mnt/pictures", SystemError(code: ENOSPC)),
        PictureDiskSentences.tooManyFiles(named: "DSC00001.ARW", in: pictureFolder),
        PictureDiskSentences.tooShortToContinue(
            "\(pictureFolder)/.DSC00001.ARW.part",
            at: 2_097_152,
            byteCount: 1_048_576
        ),
        PictureDiskSentences.nothingToContinue("DSC00001.ARW"),
        PictureDiskSentences.notBegun("\(pictureFolder)/.DSC00001.ARW.part"),
        PictureDiskSentences.slowerThanTransfer("/mnt/pictures"),
        PictureDiskSentences.tooSlow("/mnt/pictures", waited: .seconds(5)),
        PictureDiskSentences.unchecked("other/DSC00002.ARW", reason: PictureDiskSentences.notOpened),
        PictureDiskSentences.readerMissing("bracketd-exif"),
        PictureDiskSentences.removed(incomplete: 1),
        PictureDiskSentences.kept(complete: 2),
        PictureDiskSentences.folderUnusable(SystemError(code: ENOTDIR)),
    ]

    private static var pictureFolder: String { "/mnt/pictures/20261121-083000-shoot-3/set-1" }
}
