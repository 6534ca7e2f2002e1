import Exposure

@testable import Cameras
@testable import Controller

extension Examples {
    static let check: [String] = CheckValues.findings.map { Check("check", $0).text } + CheckValues.sentences
}

private enum CheckValues {
    static let findings = camera + settings + ledger

    static let sentences: [String] = [
        CheckSentences.shootCannotContinue("The mode dial is on A."),
        CheckSentences.inUseAdvice,
        CheckSentences.noTargetAdvice,
        CheckSentences.searchOffAdvice,
        CheckSentences.disconnectedAdvice,
        CheckSentences.offNetworkAdvice,
        CheckSentences.refusedAdvice,
        CheckSentences.absentAdvice,
        report([CheckSentences.batteryEmpty(4)]).sentence,
        report([]).sentence,
        report([CheckSentences.autoISO]).sentence,
        report([CheckSentences.autoISO, CheckSentences.autoFocus]).sentence,
    ]

    private static func report(_ findings: [Preflight.Finding]) -> PreflightReport {
        PreflightReport(checks: findings.map { Check("check", $0) })
    }

    private static let camera: [Preflight.Finding] = [
        CheckSentences.skipped,
        CheckSentences.noCamera,
        CheckSentences.sameCamera(CameraValues.alpha),
        CheckSentences.otherCamera(CameraValues.compact, shootBeganOn: CameraValues.alpha),
        CheckSentences.manualMode(),
        CheckSentences.manualMode(.property),
        CheckSentences.shutterPriority("S"),
        CheckSentences.shutterPriority("S", .property),
        CheckSentences.unfitMode("Av"),
        CheckSentences.unfitMode("P", .property),
        CheckSentences.unfitMode("Send to Smartphone", .menu(advice: SonyPushSentences.wayBack)),
        CheckSentences.mayMeter,
        CheckSentences.noTransfer,
        CheckSentences.noJPEG,
        CheckSentences.autoISOWhileMetering,
        CheckSentences.unfitModeToMeter(),
        CheckSentences.unfitModeToMeter(.property),
        CheckSentences.adaptiveTone("DRO"),
        CheckSentences.noSpeedsInMode,
        CheckSentences.noSpeeds,
        CheckSentences.shootLacksSpeeds(["1/8000", "1/6400"]),
        CheckSentences.everySpeed,
        CheckSentences.changedSpeeds([PlanNote.substituted(planned: .fastest, used: ShutterSpeed.all[3]).sentence]),
        CheckSentences.unknownBattery,
        CheckSentences.battery(74),
        CheckSentences.batteryLow(12),
        CheckSentences.batteryEmpty(4),
        CheckSentences.unknownShotsLeft,
        CheckSentences.spaceOnCard(812, planned: 15),
        CheckSentences.spaceOnCard(1, planned: 1),
        CheckSentences.cardTooFull(0, planned: 15),
    ]

    private static let settings: [Preflight.Finding] = [
        CheckSentences.fixedISO("100"),
        CheckSentences.unknownISO,
        CheckSentences.autoISO,
        CheckSentences.unknownDrive,
        CheckSentences.singleDrive,
        CheckSentences.unfitDrive("continuous high"),
        CheckSentences.doubtfulDrive("0x8021"),
        CheckSentences.unknownFocus,
        CheckSentences.manualFocus,
        CheckSentences.autoFocus,
        CheckSentences.unusedAutofocus,
        CheckSentences.saveTarget("card"),
        CheckSentences.unknownSaveTarget,
        CheckSentences.picturesLost,
        CheckSentences.onlyRawFiles,
        CheckSentences.noiseReductionOff,
        CheckSentences.unknownNoiseReduction,
        CheckSentences.noiseReductionUnused,
        CheckSentences.darkFrames(.seconds(48)),
        CheckSentences.possibleDarkFrames(.seconds(48)),
    ]

    private static let ledger: [Preflight.Finding] = [
        CheckSentences.spaceWithoutLedger,
        CheckSentences.unknownSpace,
        CheckSentences.space(24_900_000_000),
        CheckSentences.spaceLow(9_400_000),
        CheckSentences.ledgerOff,
        CheckSentences.ledgerOpening,
        CheckSentences.ledgerOpen,
        CheckSentences.ledgerWritable,
        CheckSentences.ledgerPreventsShoot(LedgerSentences.silent(.required)),
        CheckSentences.shootNotRecorded(LedgerSentences.silent(.bestEffort)),
        CheckSentences.ledgerPreventsShoots(LedgerSentences.stillChecked),
        CheckSentences.shootsNotRecorded(LedgerSentences.stillChecked),
        CheckSentences.nothingDropped,
        CheckSentences.framesDropped(UnfinishedShoot(id: 41, missing: 7, total: 15)),
    ]
}
