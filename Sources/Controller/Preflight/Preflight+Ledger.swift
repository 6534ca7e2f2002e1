import Cameras
import Exposure

// Checks of the last shoot and of the ledger.

extension Preflight {
    /// The command of bracketctl that starts a shoot and drops the missing frames of the last one.
    package static let shootConsent = "shoot --drop"

    /// What to do about frames that another shoot would drop.
    ///
    /// - Parameter consent: the command of bracketctl that drops them.
    package static func dropAdvice(_ consent: String) -> String {
        "To fire them: bracketctl retry. To drop them: bracketctl \(consent), or bracketctl dismiss."
    }

    /// How many frames a shoot lacks.
    package static func missing(of shoot: UnfinishedShoot) -> String {
        "Shoot \(shoot.id) lacks \(shoot.missing) of \(shoot.total) exposures."
    }

    /// A warning only: the user may want to drop the frames.
    static func lastShoot(_ firing: Firing) -> Finding {
        guard let shoot = firing.drops else { return .pass("No missing frames are dropped.") }
        return .warn("\(missing(of: shoot)) A new shoot drops these frames.", dropAdvice(shootConsent))
    }

    /// Below this free space the check warns: about two thousand shoots.
    package static let freeBytesLow: Int64 = 16_000_000
    /// Below this free space a commit may not fit.
    package static let freeBytesEmpty: Int64 = 1_000_000

    static func space(_ ledger: Ledger) -> Finding {
        if ledger.mode == .off { return .pass("The ledger is off.") }
        guard let free = ledger.freeBytes else { return .pass("The free space on the ledger's disk is not known.") }
        let sentence = "The ledger's disk has \(ByteText.text(UInt64(clamping: free))) free."
        return free < freeBytesLow ? .warn(sentence, "Free some space there before a long shoot.") : .pass(sentence)
    }

    static func ledger(_ ledger: Ledger) -> Finding {
        guard let failureSentence = ledger.failureSentence, ledger.mode != .off else {
            return ledger.mode == .off
                ? .warn(
                    "The ledger is off: a shoot cannot be resumed after bracketd stops.",
                    "Set mode = \"required\" under [ledger]."
                ) : .pass("The ledger is open.")
        }
        return ledger.mode == .required
            ? .fail(
                failureSentence,
                "Fix this, or set mode = \"best-effort\" under [ledger] to shoot without the ledger."
            )
            : .warn(failureSentence, "Fix this.")
    }
}
