import Exposure

/// Texts of `bracketctl doctor` about the daemon's machine.
enum MachineCheckSentences {
    // MARK: Journal

    static let journaldUnreachable = CheckFinding(
        sentence: "journald does not receive entries: its socket is missing.",
        advice: "Start the socket: systemctl start systemd-journald.socket."
    )

    static func entriesLost(_ count: Int) -> CheckFinding {
        CheckFinding(
            sentence: "The journal was too slow for \(count == 1 ? "1 entry" : "\(count) entries").",
            advice: "Check the disk of the journal."
        )
    }

    static let entriesToJournald = "Entries go to journald."

    static let entriesToStandardError = "Entries go to standard error, because systemd did not start bracketd."

    // MARK: Watchdog

    static let noServiceManager = "bracketd runs without a service manager, so a hang is not noticed."

    static let noWatchdog = CheckFinding(
        sentence: "The service manager has no watchdog for bracketd: it does not restart bracketd after a hang.",
        advice: "Set WatchdogSec=10 in the unit of bracketd."
    )

    static let watchdogMissed = CheckFinding(
        sentence: "The daemon was too busy for the last watchdog message. The service manager will restart bracketd.",
        advice: "See journalctl -u bracketd."
    )

    static func watchdogEvery(_ interval: Duration) -> String {
        "The daemon sends a watchdog message every \(interval)."
    }

    // MARK: Clock

    private static let clockAdvice =
        "Set the clock (timedatectl set-time), or connect this computer to a time server before it joins the camera."

    static func clockWrong(year: Int) -> CheckFinding {
        CheckFinding(
            sentence: "The clock shows the year \(year). The history and the picture folders would have wrong dates.",
            advice: clockAdvice
        )
    }

    static let clockSynchronized = "The clock is synchronized."

    static let clockUnsynchronized = CheckFinding(
        sentence: "The clock is not synchronized: dates may be wrong.",
        advice: clockAdvice
    )

    static let clockUnknown = "The system does not say whether the clock is synchronized."

    // MARK: Disks

    static func diskUnknown(_ path: String, _ error: SystemError) -> CheckFinding {
        CheckFinding(sentence: "\(path) cannot be checked: \(error).", advice: "Check the disk of this path.")
    }

    static func diskReadOnly(_ path: String) -> CheckFinding {
        CheckFinding(
            sentence: "The disk of \(path) is read-only.",
            advice: "Check the output of dmesg, then mount the disk again: mount -o remount,rw."
        )
    }

    static func notWritable(_ path: String, _ error: SystemError) -> CheckFinding {
        CheckFinding(
            sentence: "\(path) is not writable: \(error).",
            advice: "Make the path writable for the user of bracketd, or set another directory."
        )
    }

    static func noMoreFiles(_ path: String) -> CheckFinding {
        CheckFinding(sentence: "The disk of \(path) cannot hold more files.", advice: "Delete files on that disk.")
    }

    /// Parameters are sizes in bytes.
    static func diskFull(_ path: String, free: UInt64, needed: UInt64) -> CheckFinding {
        CheckFinding(
            sentence: "\(path) has \(textRoundedDown(free)) free, but \(ByteText.text(needed)) are needed.",
            advice: "Free some space there."
        )
    }

    static func diskNearlyFull(_ path: String, free: UInt64) -> CheckFinding {
        CheckFinding(
            sentence: diskFree(path, free: free, isThere: true),
            advice: "Free some space there before a long shoot."
        )
    }

    /// - Parameter free: the free bytes; nil: more than the type can hold.
    static func diskFree(_ path: String, free: UInt64?, isThere: Bool) -> String {
        let text = free.map { textRoundedDown($0) } ?? "more than 2^64 bytes"
        return "\(path) has \(text) free\(isThere ? "" : " (the directory will be created)")."
    }

    static let picturesOnCamera = "Pictures stay on the camera: policy is \"none\" under [transfer]."

    // MARK: No answer

    static func noAnswerFromDisk(within time: Duration) -> CheckFinding {
        CheckFinding(sentence: noAnswer(within: time), advice: "Check the disk: dmesg shows its errors.")
    }

    static func noAnswerFromNameServer(within time: Duration) -> CheckFinding {
        CheckFinding(sentence: noAnswer(within: time), advice: "Check the name server.")
    }

    private static func noAnswer(within time: Duration) -> String { "No answer within \(time)." }
}
