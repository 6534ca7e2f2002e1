import CLinux
import Controller
import Exposure
import Glibc

// The facts about the machine and the checks made of them.

// MARK: Journal

struct JournalState {
    var isJournald: Bool
    /// Whether journald's socket exists and is writable.
    var isReachable: Bool
    var lostTotal: Int

    private static let socketPath = "/run/systemd/journal/socket"

    static func present(_ journal: Journal) -> JournalState {
        JournalState(
            isJournald: journal.isJournald,
            isReachable: access(socketPath, W_OK) == 0,
            lostTotal: journal.lostTotal
        )
    }
}

func journalCheck(_ journal: JournalState) -> Check {
    if journal.isJournald, !journal.isReachable {
        return Check(
            "journal",
            .fail,
            "journald does not receive entries: its socket is missing.",
            advice: "Start it: systemctl start systemd-journald.socket."
        )
    }
    if journal.lostTotal > 0 {
        return Check(
            "journal",
            .warn,
            "The journal was too slow for \(journal.lostTotal == 1 ? "1 entry" : "\(journal.lostTotal) entries").",
            advice: "Check the disk of the journal."
        )
    }
    return journal.isJournald
        ? Check("journal", .pass, "Entries go to journald.")
        : Check("journal", .skipped, "Entries go to standard error, because systemd did not start bracketd.")
}

// MARK: Clock

struct ClockState {
    /// nil when the system does not say.
    var isSynchronized: Bool?
    var year: Int

    /// The year of the first bracketd.
    static let yearMin = 2026

    static func present() -> ClockState {
        var now = time(nil)
        var calendar = tm()
        gmtime_r(&now, &calendar)
        let state = clinux_clock_is_synchronized()
        return ClockState(isSynchronized: state < 0 ? nil : state > 0, year: Int(calendar.tm_year) + 1900)
    }
}

func clockCheck(_ clock: ClockState) -> Check {
    let advice = "Set it (timedatectl set-time), or connect this computer to a time server before it joins the camera."
    guard clock.year >= ClockState.yearMin else {
        return Check(
            "clock",
            .fail,
            "The clock shows the year \(clock.year). The history and the picture folders would have wrong dates.",
            advice: advice
        )
    }
    return switch clock.isSynchronized {
    case true: Check("clock", .pass, "The clock is synchronized.")
    case false: Check("clock", .warn, "The clock is not synchronized: dates may be wrong.", advice: advice)
    case nil: Check("clock", .skipped, "The system does not say whether the clock is synchronized.")
    }
}

// MARK: Disks

/// The free space that a disk should have, in bytes.
struct DiskRoom {
    /// The check fails below this.
    var needed: UInt64
    /// The check warns below this.
    var warningThreshold: UInt64

    /// A shoot with the largest plan takes some hundred kilobytes of ledger.
    static let storage = DiskRoom(
        needed: UInt64(Preflight.freeBytesEmpty),
        warningThreshold: UInt64(Preflight.freeBytesLow)
    )
    /// One raw file of the largest bodies takes some 120 MB.
    static let pictures = DiskRoom(needed: 128_000_000, warningThreshold: 2_000_000_000)
}

func diskCheck(_ name: String, _ path: String, _ room: DiskRoom) -> Check {
    let (nearest, isThere) = nearestThatExists(path)
    var status = statvfs()
    guard statvfs(nearest, &status) == 0 else {
        return Check(name, .fail, "\(path) cannot be checked: \(SystemError.last).", advice: "Check its disk.")
    }
    guard status.f_flag & UInt(ST_RDONLY) == 0 else {
        return Check(
            name,
            .fail,
            "The disk of \(path) is read-only.",
            advice: "Check the output of dmesg, then mount it again: mount -o remount,rw."
        )
    }
    guard access(nearest, W_OK | X_OK) == 0 else {
        let reason = SystemError.last
        return Check(
            name,
            .fail,
            "\(nearest) is not writable: \(reason).",
            advice: "Make it writable for the user of bracketd, or set another directory."
        )
    }
    let (free, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    let text = isBeyond ? "more than 2^64 bytes" : textRoundedDown(free)
    // File systems without a fixed number of files report zero files in total.
    if status.f_files > 0, status.f_favail == 0 {
        return Check(name, .fail, "The disk of \(path) cannot hold more files.", advice: "Delete files there.")
    }
    if !isBeyond, free < room.needed {
        return Check(
            name,
            .fail,
            "\(path) has \(text) free, but \(ByteText.text(room.needed)) are needed.",
            advice: "Free some space there."
        )
    }
    if !isBeyond, free < room.warningThreshold {
        return Check(name, .warn, "\(path) has \(text) free.", advice: "Free some space there before a long shoot.")
    }
    return Check(name, .pass, "\(path) has \(text) free\(isThere ? "" : ", and will be created").")
}

/// Rounded down, so that a disk with too little space never shows the required amount.
func textRoundedDown(_ byteCount: UInt64) -> String {
    var tenth: UInt64 = 100
    while byteCount / tenth >= 10_000 { tenth *= 1000 }
    return ByteText.text(byteCount - byteCount % (byteCount < 1000 ? 1 : tenth))
}

/// The path itself, or its nearest existing parent.
private func nearestThatExists(_ path: String) -> (path: String, isThere: Bool) {
    var nearest = Substring(path)
    while access(String(nearest), F_OK) != 0, errno == ENOENT, let slash = nearest.lastIndex(of: "/") {
        nearest = nearest[..<slash]
        if nearest.isEmpty { return ("/", false) }
    }
    return (String(nearest), nearest == path)
}
