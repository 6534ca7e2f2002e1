import Cameras
import Exposure

/// The results of the checks before a shoot and of `bracketctl doctor`, each with its advice.
enum CheckSentences {
    typealias Finding = Preflight.Finding

    static let skipped = Finding.skipped("Skipped by the configuration.")
    static let noCamera = Finding.skipped("Not checked: no camera is connected.")

    // MARK: The camera

    static func sameCamera(_ camera: CameraIdentity) -> Finding { .pass("The camera is \(camera.name).") }

    static func otherCamera(_ camera: CameraIdentity, shootBeganOn began: CameraIdentity) -> Finding {
        .fail(
            "The shoot began on \(began.name) (\(began.id)), but \(camera.name) (\(camera.id)) is connected.",
            "Connect the camera of the shoot, or drop the shoot: bracketctl cancel or dismiss."
        )
    }

    static func manualMode(_ control: ModeControl = .dial) -> Finding {
        switch control {
        case .dial: .pass("The mode dial is on M.")
        case .property, .menu: .pass("The camera is in the mode M.")
        }
    }

    /// - Parameter mode: the maker's name of the mode. The same holds for the next function.
    static func shutterPriority(_ mode: String, _ control: ModeControl = .dial) -> Finding {
        .warn(
            "\(control.sentence(mode)) The camera changes the aperture with the speed, so all frames may have the "
                + "same brightness.",
            control.advice
        )
    }

    static func unfitMode(_ mode: String, _ control: ModeControl = .dial) -> Finding {
        .fail(control.sentence(mode), control.advice)
    }

    // MARK: Metering

    static let mayMeter = Finding.pass("Each picture can be read to find the range.")
    static let noTransfer = Finding.fail(
        "No picture reaches this computer, so the range cannot be found.",
        "Set policy in [transfer] of bracketd.toml to jpeg or both."
    )
    static let noJPEG = Finding.fail("RAW only: no picture to check.", "Set RAW+JPEG on the camera.")
    static let autoISOWhileMetering = Finding.fail("ISO AUTO evens out every test frame.", "Set a fixed ISO.")

    static func unfitModeToMeter(_ control: ModeControl = .dial) -> Finding {
        .fail("The aperture changes with the speed.", control == .dial ? "Turn the mode dial to M." : control.advice)
    }

    static func adaptiveTone(_ name: String) -> Finding {
        .warn("\(name) is on: readings of the pictures are approximate.", "Turn \(name) off for metering.")
    }

    // MARK: Speeds

    static let noSpeedsInMode = Finding.skipped("Not checked: the camera offers no shutter speeds in this mode.")
    static let noSpeeds = Finding.fail(
        "The camera offers no shutter speeds now.",
        "Close the camera's menu and picture review."
    )

    static func shootLacksSpeeds(_ missing: [String]) -> Finding {
        .fail(
            "The camera no longer offers \(missing.joined(separator: ", ")), which the shoot needs.",
            "Set the camera's shutter type and step as they were when the shoot began."
        )
    }

    static let everySpeed = Finding.pass("The camera offers every speed of the plan.")

    /// - Parameter changes: clauses that say what the camera changes in the plan.
    static func changedSpeeds(_ changes: [String]) -> Finding {
        .warn("\(changes.joined(separator: "; ")).", "To reject such a plan, add --strict.")
    }

    // MARK: Settings

    static func fixedISO(_ iso: String) -> Finding { .pass("ISO is \(iso).") }

    static let unknownISO = Finding.pass("The camera does not report its ISO.")
    static let autoISO = Finding.warn(
        "ISO is on auto. The camera may change the ISO with the speed.",
        "Set a fixed ISO."
    )

    private static let driveAdvice = "Set the drive mode to single: bracketctl set drive single."

    static let unknownDrive = Finding.pass("The camera does not report its drive mode.")
    static let singleDrive = Finding.pass("The drive mode is single.")

    static func unfitDrive(_ drive: String) -> Finding {
        .fail("The drive mode is \(drive): the camera does not fire one frame for each command.", driveAdvice)
    }

    static func doubtfulDrive(_ drive: String) -> Finding {
        .warn("The drive mode is \(drive), which may fire more than one frame for each command.", driveAdvice)
    }

    static let unknownFocus = Finding.pass("The camera does not report its focus mode.")
    static let manualFocus = Finding.pass("Focus is on manual.")
    static let autoFocus = Finding.warn(
        "Focus is not manual. The camera focuses before each frame, and that may fail.",
        focusAdvice
    )
    static let unusedAutofocus = Finding.warn(
        "Focus is not manual. The daemon fires each frame without autofocus, but the camera's buttons can change the "
            + "focus.",
        focusAdvice
    )
    private static let focusAdvice = "Set the focus to MF."

    static func saveTarget(_ target: String) -> Finding { .pass("Pictures are saved to: \(target).") }

    static let unknownSaveTarget = Finding.pass("The camera does not report where it saves pictures.")
    static let picturesLost = Finding.fail(
        "The camera saves pictures only to this computer, which does not keep them. Every picture would be lost.",
        "Set the save target to the card, or set [transfer] policy to jpeg. If the camera also uses its card: "
            + "[preflight] skip = [\"save-target\"]."
    )

    static let onlyRawFiles = Finding.warn(
        "The camera saves only RAW files, which the transfer policy jpeg does not keep. All pictures stay on the card.",
        "Set the camera's quality to JPEG or RAW+JPEG, or set [transfer] policy to both."
    )

    static let noiseReductionOff = Finding.pass("Long-exposure noise reduction is off.")
    static let unknownNoiseReduction = Finding.pass("The camera does not report its long-exposure noise reduction.")
    static let noiseReductionUnused = Finding.pass(
        "Long-exposure noise reduction is on, but no exposure is long enough for it."
    )

    private static let noiseReductionAdvice =
        "If nothing may move between frames, turn the noise reduction off in the camera's menu."

    /// - Parameter time: the sum of the exposures that are long enough. The same holds for the next function.
    static func darkFrames(_ time: Duration) -> Finding {
        .warn(
            "Long-exposure noise reduction is on: dark frames add up to \(TimeText.text(time)).",
            noiseReductionAdvice
        )
    }

    static func possibleDarkFrames(_ time: Duration) -> Finding {
        .warn(
            "\(unknownNoiseReduction.sentence) If it is on, dark frames add up to \(TimeText.text(time)).",
            noiseReductionAdvice
        )
    }

    // MARK: Battery and card

    static let unknownBattery = Finding.pass("The camera does not report its battery level.")

    static func battery(_ percent: Int) -> Finding { .pass(batterySentence(percent)) }

    static func batteryLow(_ percent: Int) -> Finding {
        .warn(batterySentence(percent), "Have a charged battery ready.")
    }

    static func batteryEmpty(_ percent: Int) -> Finding { .fail(batterySentence(percent), "Change the battery.") }

    private static func batterySentence(_ percent: Int) -> String { "The battery is at \(percent) %." }

    static let unknownShotsLeft = Finding.pass("The camera does not report the free space on its card.")

    static func spaceOnCard(_ shots: Int, planned: Int) -> Finding { .pass(spaceSentence(shots, planned)) }

    static func cardTooFull(_ shots: Int, planned: Int) -> Finding {
        .fail(spaceSentence(shots, planned), "Change the card, delete pictures on it, or plan fewer frames.")
    }

    private static func spaceSentence(_ shots: Int, _ planned: Int) -> String {
        let room = shots == 0 ? "no more shots" : shots == 1 ? "1 shot" : "\(shots) shots"
        return "The card has space for \(room), and \(planned) \(planned == 1 ? "is" : "are") planned."
    }
}

// MARK: The ledger

extension CheckSentences {
    private static let ledgerIsOff = "The ledger is off."

    static let spaceWithoutLedger = Finding.pass(ledgerIsOff)
    static let unknownSpace = Finding.pass("The free space on the ledger's disk is not known.")

    static func space(_ bytes: Int64) -> Finding { .pass(diskSentence(bytes)) }

    static func spaceLow(_ bytes: Int64) -> Finding {
        .warn(diskSentence(bytes), "Free some space on this disk before a long shoot.")
    }

    private static func diskSentence(_ bytes: Int64) -> String {
        "The ledger's disk has \(ByteText.text(UInt64(clamping: bytes))) free."
    }

    static let ledgerOff = Finding.warn(
        "The ledger is off: a shoot cannot be resumed after bracketd stops.",
        "Set mode = \"required\" or \"best-effort\" under [ledger]."
    )
    static let ledgerOpening = Finding.warn(LedgerSentences.opening, LedgerSentences.openingAdvice)
    static let ledgerOpen = Finding.pass(LedgerSentences.isOpen)
    static let ledgerWritable = Finding.pass("The ledger can be written.")

    /// The result for the ledger in mode `required`, before a shoot.
    ///
    /// - Parameter reason: a sentence that says why shoots are not recorded. The same holds for the next functions.
    static func ledgerPreventsShoot(_ reason: String) -> Finding {
        .fail(reason, "Fix this, or set mode = \"best-effort\" under [ledger] to shoot without the ledger.")
    }

    /// The result for the ledger in mode `best-effort`, before a shoot.
    static func shootNotRecorded(_ reason: String) -> Finding { .warn(reason, "Fix this.") }

    private static let diskAdvice = "Check the disk that holds the [storage] directory."

    /// The result for the ledger in mode `required`, for `doctor`.
    static func ledgerPreventsShoots(_ reason: String) -> Finding {
        .fail("\(reason) No frame is fired without the ledger: mode = \"required\" under [ledger].", diskAdvice)
    }

    /// The result for the ledger in mode `best-effort`, for `doctor`.
    static func shootsNotRecorded(_ reason: String) -> Finding {
        .warn("\(reason) Shoots continue without the ledger: mode = \"best-effort\" under [ledger].", diskAdvice)
    }

    static let nothingDropped = Finding.pass("This shoot drops no frames of an earlier shoot.")

    static func framesDropped(_ shoot: UnfinishedShoot) -> Finding {
        .warn(
            "\(Preflight.missing(of: shoot)) A new shoot drops these frames.",
            Preflight.dropAdvice(Preflight.shootConsent)
        )
    }
}

// MARK: The connection to the camera, for `doctor`

extension CheckSentences {
    /// - Parameter reason: the sentence of the check that fails.
    static func shootCannotContinue(_ reason: String) -> String { "The paused shoot cannot continue: \(reason)" }

    /// - Parameter refusal: the camera's last rejection; nil: it rejected nothing.
    static func advice(after refusal: Refusal?) -> String? {
        switch refusal {
        case .inUse?: inUseAdvice
        // The sentence of the rejection says what to do.
        case .unpaired?, .notWaiting?, .unsupported?: nil
        case .protocolError?, nil: absentAdvice
        }
    }

    static let inUseAdvice = "Close the app that uses the camera, for example on a phone. Then the daemon connects."
    static let noTargetAdvice = "Set address or search under [camera] and restart bracketd."
    static let searchOffAdvice = "Give the camera's address: bracketctl connect ADDRESS."
    static let disconnectedAdvice = "To connect again: bracketctl connect --last."
    static let offNetworkAdvice = "Join the camera's WiFi."
    static let refusedAdvice = "Check the camera, then start the shoot: bracketctl shoot."
    static let absentAdvice = "Switch the camera on, allow remote control by PC, and join its WiFi."
}

extension Preflight {
    /// The sentence for the number of missing frames of a shoot.
    package static func missing(of shoot: UnfinishedShoot) -> String {
        "Shoot \(shoot.id) lacks \(shoot.missing) of \(shoot.total) exposures."
    }

    /// The advice about missing frames that a new shoot would drop.
    ///
    /// - Parameter consent: the command of bracketctl that drops the frames.
    package static func dropAdvice(_ consent: String) -> String {
        "To fire them: bracketctl retry. To drop them: bracketctl \(consent), or bracketctl dismiss."
    }
}

extension PreflightReport {
    package var sentence: String {
        if let failureSentence { return "Not ready to shoot: \(failureSentence)" }
        switch warnings.count {
        case 0: return "Ready to shoot."
        case 1: return "Ready to shoot, with 1 warning."
        default: return "Ready to shoot, with \(warnings.count) warnings."
        }
    }
}

extension ModeControl {
    fileprivate func sentence(_ mode: String) -> String {
        switch self {
        case .dial: "The mode dial is on \(mode)."
        case .property: "The camera is in the mode \(mode)."
        case .menu: "The camera is in the menu \"\(mode)\" and cannot shoot."
        }
    }

    fileprivate var advice: String {
        switch self {
        case .dial: "Turn it to M."
        case .property: "To change it: bracketctl set exposure-mode M."
        case .menu(let advice): advice
        }
    }
}
