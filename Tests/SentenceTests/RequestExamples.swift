import Cameras

@testable import Controller

extension Examples {
    static let request: [String] = [
        RequestSentences.noCameraBefore,
        RequestSentences.noCamera(matches: "ILCE-9"),
        RequestSentences.severalCameras(match: "Sony", [CameraValues.alpha.id, CameraValues.compact.id]),
        RequestSentences.unfitCamera("DSC-RX0", CameraValues.unfit),
        RequestSentences.shootNeedsCamera,
        RequestSentences.otherCameraRequested,
        RequestSentences.disconnectedByOtherClient,
        RequestSentences.shootCameraConnected,
        RequestSentences.noLongerTried("192.168.122.1:15740", Refusal.inUse.sentence),
        RequestSentences.noLongerTried("Sony ILCE-7M4", nil),
        RequestSentences.noProperty("zoom"),
        RequestSentences.emptyValue(for: .iso, []),
        RequestSentences.emptyValue(for: .drive, ["single", "continuous"]),
        RequestSentences.settingsLockedByPausedShoot,
        RequestSentences.settingsLockedByShoot,
        RequestSentences.beingSet(.whiteBalance),
        RequestSentences.filesLockedByShoot,
        RequestSentences.filesInTransfer,
        RequestSentences.liveViewLockedByShoot,
        RequestSentences.liveViewInTransfer,
        RequestSentences.noShoot(99),
    ]
}
