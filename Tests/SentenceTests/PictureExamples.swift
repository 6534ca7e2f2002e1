import Cameras

@testable import Controller

extension Examples {
    /// What is reported of pictures.
    static let picture: [String] = [pictureTransfer, pictureLosses, pictureDoubts, pictureCounts].flatMap(\.self)

    private static let pictureTransfer: [String] = [
        PictureSentences.off,
        PictureSentences.pausedByFullDisk(PictureSentences.diskNearlyFull),
        PictureSentences.pausedByFailure("The picture cannot be stored in /var/lib/bracketd: permission denied."),
        PictureSentences.continues,
        PictureSentences.notStored(isFull: true, isOnlyCopyHere: true, isFiring: true),
        PictureSentences.notStored(isFull: true, isOnlyCopyHere: false, isFiring: false),
        PictureSentences.notStored(isFull: false, isOnlyCopyHere: true, isFiring: false),
        PictureSentences.notStored(isFull: false, isOnlyCopyHere: false, isFiring: true),
    ]

    private static let pictureLosses: [String] = [
        PictureSentences.noFileTransferred,
        PictureSentences.fileNotTransferred([.raw]),
        PictureSentences.fileNotTransferred([.heif]),
        PictureSentences.fileNotTransferred([.jpeg]),
        PictureSentences.gone,
        PictureSentences.lostWithLink,
        PictureSentences.incomplete,
        PictureSentences.ofAnotherFrame,
        PictureSentences.lightDamaged,
        PictureSentences.notMetered,
        PictureSentences.noPictureToMeter(within: .seconds(120)),
        PictureSentences.lightNotRead(within: .seconds(30)),
        PictureSentences.storedTooLate,
        PictureSentences.receivedTooLate(1),
        PictureSentences.receivedTooLate(2),
        PictureSkip.policy.sentence(of: .raw),
        PictureSkip.policy.sentence(of: .other),
        PictureSkip.noRoom.sentence(of: .jpeg),
        PictureSkip.denied.sentence(of: .other),
        PictureSkip.notOffered(status: 404).sentence(of: .jpeg),
        PictureSkip.failed(attempts: 3).sentence(of: .jpeg),
        PictureSkip.foreign.sentence(of: .jpeg),
        PictureSkip.tooMany.sentence(of: .jpeg),
        PictureSkip.ofOtherCamera.sentence(of: .jpeg),
    ]

    private static let pictureReasons: [SuspectReason] = [
        .speed(found: "1/60"),
        .aperture(found: "f/4", set: "f/8"),
        .iso(found: 400, set: 100),
        .older(by: .seconds(12)),
        .sameTime("14:03:22"),
        .outOfOrder("14:03:20"),
        .silent,
        .unreadable("it has no EXIF data"),
        .kept(PictureSentences.markedAsSuspect),
    ]

    private static let pictureDoubts: [String] =
        pictureReasons.map(\.clause) + pictureReasons.map(\.sentence) + [PictureSentences.markedAsSuspect]

    private static func pictureReport(_ states: PhotoReport.State...) -> String {
        PhotosReport.sentence(
            states.enumerated().map { PhotoReport(id: $0.offset, state: $0.element, name: "DSC0000\($0.offset).JPG") }
        )
    }

    private static let pictureCounts: [String] = [
        pictureReport(),
        pictureReport(.verified, .skipped),
        pictureReport(.stored, .verified, .suspect, .receiving, .failed),
    ]
}
