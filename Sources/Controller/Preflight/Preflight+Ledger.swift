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
    static func lastShoot(_ firing: Firing) -> Check {
        guard let shoot = firing.drops else { return Check("last-shoot", .pass, "No missing frames are dropped.") }
        return Check(
            "last-shoot",
            .warn,
            "\(missing(of: shoot)) A new shoot drops these frames.",
            advice: dropAdvice(shootConsent)
        )
    }
}

extension Preflight {
    /// Below this free space the check warns: about two thousand shoots.
    package static let freeBytesLow: Int64 = 16_000_000
    /// Below this free space a commit may not fit.
    package static let freeBytesEmpty: Int64 = 1_000_000

    static func space(_ ledger: Ledger) -> Check {
        guard ledger.mode != .off else {
            return Check("ledger-space", .pass, "The ledger is off.")
        }
        guard let free = ledger.freeBytes else {
            return Check("ledger-space", .pass, "The free space on the ledger's disk is not known.")
        }
        let sentence = "The ledger's disk has \(ByteText.text(UInt64(clamping: free))) free."
        guard free < freeBytesLow else {
            return Check("ledger-space", .pass, sentence)
        }
        return Check(
            "ledger-space",
            .warn,
            sentence,
            advice: "Free some space there before a long shoot."
        )
    }

    static func ledger(_ ledger: Ledger) -> Check {
        if ledger.mode == .off {
            return Check(
                "ledger",
                .warn,
                "The ledger is off: a shoot cannot be continued after a crash.",
                advice: "Set mode = \"required\" under [ledger]."
            )
        }
        guard let trouble = ledger.trouble else {
            return Check("ledger", .pass, "The ledger is open.")
        }
        return Check(
            "ledger",
            ledger.mode == .required ? .fail : .warn,
            trouble,
            advice: ledger.mode == .required
                ? "Fix this, or set mode = \"best-effort\" under [ledger] to shoot without the ledger." : "Fix this."
        )
    }
}
