import Cameras
import Exposure

@testable import Controller

/// A shoot in several states.
enum ShootFixture {
    static let camera = CameraIdentity(
        maker: "Sony Corporation",
        model: "ILCE-7M4",
        firmware: "1.00",
        serial: "1234567",
        id: "1234567"
    )

    /// A shoot before its first frame.
    static let new = Shoot(id: 12, plan: Plan(.usual), camera: camera, began: .clock(.zero))

    /// A shoot in its fourth frame.
    static let partial: Shoot = {
        var shoot = new
        for index in 0..<3 { shoot.firings[index] = .captured }
        shoot.current = 3
        return shoot
    }()

    static let complete: Shoot = {
        var shoot = new
        for index in shoot.firings.indices { shoot.firings[index] = .captured }
        shoot.current = shoot.firings.count - 1
        return shoot
    }()

    /// A shoot in which two frames may have been fired, and a picture is not stored yet.
    static let inDoubt: Shoot = {
        var shoot = partial
        shoot.firings[3] = .unknown
        shoot.firings[4] = .unknown
        shoot.firings[5] = .exposed
        return shoot
    }()

    /// A shoot of which this number of pictures are lost, both of first firings and of second firings.
    static func lost(_ count: Int) -> Shoot {
        var shoot = complete
        for index in 0..<count {
            shoot.firings[index] = .lost(PictureSentences.noFileTransferred)
            shoot.again[index + 5] = .lost(PictureSentences.incomplete)
        }
        return shoot
    }

    static func suspect(_ count: Int) -> Shoot {
        var shoot = complete
        for index in 0..<count {
            shoot.shotVerdicts[index] = Shoot.ShotVerdict(doubt: .silent, shot: Ticket(rawValue: 1))
        }
        return shoot
    }
}

extension Examples {
    /// What is reported of a shoot.
    static let shoot: [String] = [
        shootEnds, shootFrames, shootDoubts, shootPauses, shootProgress, shootRefusals, shootResumptions, shootStates,
    ].flatMap(\.self)

    private static let shootLoss = Interruption.absent(.lost(.closedByCamera)).sentence
    private static let shootDeparture = Interruption.left(.elsewhere(from: "DIRECT-ILCE-7M4", to: "Home")).sentence
    private static let shootUnfit = Interruption.unfit("The mode dial is at A. Turn it to M.").sentence
    private static let shootDiskFull = "The ledger cannot be written: the disk is full."
    private static let shootCaptured = ShootSentences.captured(3, of: 15)

    private static let shootStopped: Progress = {
        var end = Progress(
            shoot: 12,
            captured: 3,
            total: 15,
            set: 1,
            frame: 4,
            speed: "1/125",
            phase: "capturing",
            sentence: ShootFixture.partial.sentence
        )
        end.cause = ShootSentences.stopKeepsFrames
        return end
    }()

    private static let shootEnds: [String] = [
        ShootSentences.begins(12, exposures: 15, dropped: nil),
        ShootSentences.begins(13, exposures: 15, dropped: UnfinishedShoot(id: 12, missing: 12, total: 15)),
        ShootSentences.begins(14, exposures: 1, searchMax: 12, dropped: nil),
        ShootSentences.continues(12, missing: 12, of: 15),
        ShootSentences.continuesForWantedFrame(12),
        ShootSentences.continuesForSuspects(12),
        ShootSentences.continuesSearch(12),
        ShootSentences.continuesWithEveryFrame(12),
        ShootSentences.interrupted(shootStopped),
        ShootSentences.stopDropsFrames,
        ShootSentences.stopKeepsFrames,
        ShootSentences.leftCancelled(ShootFixture.partial),
        ShootSentences.leftPartial(ShootFixture.partial),
        ShootSentences.leftInterrupted(ShootFixture.partial),
    ]

    private static let shootWrongSpeed = ShootSentences.wrongSpeed(.fastest, shown: .other("BULB"))

    private static let shootFrames: [String] = [
        ShootSentences.firedAgainByRequest,
        ShootSentences.nextFrame(.fastest),
        ShootSentences.suspectFiredAgain,
        ShootSentences.redoPlanned,
        ShootSentences.shutterAccepted,
        ShootSentences.pictureReported,
        ShootSentences.cameraSaves,
        ShootSentences.busy(askingIn: .seconds(2)),
        ShootSentences.busyTooOften(3),
        ShootSentences.wrongSpeed(.fastest, shown: nil),
        ShootSentences.wrongSpeed(.fastest, shown: .speed(.slowest)),
        ShootSentences.speedSetAgain(shootWrongSpeed, attempt: 2, of: 3),
        ShootSentences.speedNotKept(shootWrongSpeed, times: 3),
        ShootSentences.speedNotAnswered,
        ShootSentences.noPicture(within: .seconds(45)),
        ShootSentences.notIdle(within: .seconds(90)),
    ]

    private static let shootDoubts: [String] = [
        ShootSentences.inDoubt(shootLoss),
        ShootSentences.reportUnclear,
        ShootSentences.plannedAgain(.pictureGone),
        ShootSentences.plannedAgain(.pictureNotReceived),
        ShootSentences.plannedAgain(.noSign),
        ShootSentences.plannedAgain(.notFired),
        ShootSentences.staysSuspect(.noSign),
        ShootSentences.staysSuspect(.cancelled),
        ShootSentences.cancelledBeforeAsking,
        ShootSentences.cancelledBeforeStored,
    ]

    private static let shootPauses: [String] = [
        ShootSentences.pausedByCommand,
        ShootSentences.pausedByStop,
        ShootSentences.pausedByLoss(shootLoss),
        ShootSentences.pausedByNetwork(shootDeparture),
        ShootSentences.pausedByCamera(shootUnfit),
        ShootSentences.pausedByDisk(shootDiskFull),
        ShootSentences.continuedByCommand,
        ShootSentences.ledgerWritable,
        ShootSentences.cameraConnected,
        ShootSentences.cameraReady,
    ]

    private static func shootFrame(_ state: String) -> String {
        ShootSentences.frame(ShootFixture.partial.frame, state, shootCaptured)
    }

    private static let shootProgress: [String] = [
        ShootSentences.notRunning,
        ShootSentences.captured(3, of: 15),
        ShootSentences.paused(.linkLost, shootLoss, shootCaptured),
        ShootSentences.paused(.notRecorded, shootDiskFull, shootCaptured),
        ShootSentences.rejected(
            ShootSentences.paused(.linkLost, shootLoss, shootCaptured),
            Refusal.notWaiting("Choose \"Remote control (EOS Utility)\" in its WiFi menu.").sentence
        ),
        "\(ShootSentences.choosesFrame) \(shootCaptured)",
        "\(ShootSentences.awaitsPictures) \(shootCaptured)",
        ShootSentences.frame(nil, ShootSentences.preparing, ShootSentences.captured(0, of: 15)),
        shootFrame(ShootSentences.aboutToExpose),
        shootFrame(ShootSentences.awaitsDisk),
        shootFrame(ShootSentences.settingSpeed),
        shootFrame(ShootSentences.awaitsSpeed),
        shootFrame(ShootSentences.exposing),
        shootFrame("\(ShootSentences.exposing) \(ShootSentences.pausesAfterFrame)"),
        shootFrame("\(ShootSentences.saving) \(ShootSentences.stopsAfterFrame)"),
        shootFrame(ShootSentences.storing),
        shootFrame(ShootSentences.waitsWhileBusy),
        shootFrame("\(ShootSentences.mayHaveFired) \(shootLoss)"),
        shootFrame("\(ShootSentences.notStoredYet) \(ShootSentences.cameraAsked)"),
    ]

    private static let shootRefusals: [String] = [
        ShootSentences.alreadyStops,
        ShootSentences.alreadyPaused,
        ShootSentences.pausedWithoutReason,
        ShootSentences.notPaused,
        ShootSentences.alreadyRunning,
        ShootSentences.over,
        ShootSentences.lastHasEveryFrame,
        ShootSentences.hasEveryFrame(12),
        ShootSentences.nothingToExtend,
        ShootSentences.extensionCount(0, max: 55),
        ShootSentences.notOffered(.fastest, nearest: .oneSecond),
        ShootSentences.notOffered(.fastest, nearest: nil),
        ShootSentences.nothingToRedo,
        ShootSentences.nothingToRedoNow,
        ShootSentences.redoForgotten(12),
        ShootSentences.nothingToDrop,
        ShootSentences.nothingDropped(of: ShootFixture.complete),
        ShootSentences.nothingDropped(of: nil),
        ShootSentences.requestInProgress(.set(.iso, "200")),
        ShootSentences.requestInProgress(.files(.list(since: nil, limit: 10))),
        ShootSentences.requestInProgress(.liveView(nil)),
    ]

    private static let shootResumptions: [String] = [
        ShootSentences.wouldDrop(
            Preflight.missing(of: UnfinishedShoot(id: 12, missing: 12, total: 15)),
            Preflight.dropAdvice(Preflight.shootConsent)
        ),
        ShootSentences.unrecorded(1, of: 12),
        ShootSentences.unrecorded(2, of: 12),
        ShootSentences.notResumedAfterLoss(12),
        ShootSentences.notResumed(12, shootUnfit),
    ]

    private static let shootStates: [String] = [
        ShootFixture.complete.sentence,
        ShootFixture.complete.fullSentence,
        ShootFixture.new.sentence,
        ShootFixture.partial.fullSentence,
        ShootFixture.inDoubt.sentence,
        ShootFixture.lost(1).remark ?? "",
        ShootFixture.lost(4).remark ?? "",
        ShootFixture.suspect(5).remark ?? "",
        Interruption.absent(.released).sentence,
        RequestedStop.pause.sentence,
        RequestedStop.cancel.sentence,
    ]
}
