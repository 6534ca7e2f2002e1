import CLinux
import Controller
import Exposure
import Glibc

// The facts about the machine, and the checks that use them.

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
        return Check("journal", .fail, MachineCheckSentences.journaldUnreachable)
    }
    if journal.lostTotal > 0 {
        return Check("journal", .warn, MachineCheckSentences.entriesLost(journal.lostTotal))
    }
    return journal.isJournald
        ? Check("journal", .pass, MachineCheckSentences.entriesToJournald)
        : Check("journal", .skipped, MachineCheckSentences.entriesToStandardError)
}

// MARK: Clock

struct ClockState {
    /// Whether the clock is synchronized; nil when the system does not say.
    var isSynchronized: Bool?
    var year: Int

    /// The year of the first bracketd. A clock with an earlier year is wrong.
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
    guard clock.year >= ClockState.yearMin else {
        return Check("clock", .fail, MachineCheckSentences.clockWrong(year: clock.year))
    }
    return switch clock.isSynchronized {
    case true: Check("clock", .pass, MachineCheckSentences.clockSynchronized)
    case false: Check("clock", .warn, MachineCheckSentences.clockUnsynchronized)
    case nil: Check("clock", .skipped, MachineCheckSentences.clockUnknown)
    }
}

// MARK: Disks

/// The free space that a disk should have, in bytes.
struct DiskRoom {
    /// Below this free space the check fails.
    var needed: UInt64
    /// Below this free space the check warns.
    var warningThreshold: UInt64

    /// A shoot with the largest plan takes some hundred kilobytes in the ledger.
    static let storage = DiskRoom(
        needed: UInt64(Preflight.freeBytesEmpty),
        warningThreshold: UInt64(Preflight.freeBytesLow)
    )
    /// One raw file of the cameras with most pixels takes some 120 MB.
    static let pictures = DiskRoom(needed: 128_000_000, warningThreshold: 2_000_000_000)
}

func diskCheck(_ name: String, _ path: String, _ room: DiskRoom) -> Check {
    let (nearest, isThere) = nearestThatExists(path)
    var status = statvfs()
    guard statvfs(nearest, &status) == 0 else {
        return Check(name, .fail, MachineCheckSentences.diskUnknown(path, .last))
    }
    guard status.f_flag & UInt(ST_RDONLY) == 0 else {
        return Check(name, .fail, MachineCheckSentences.diskReadOnly(path))
    }
    guard access(nearest, W_OK | X_OK) == 0 else {
        return Check(name, .fail, MachineCheckSentences.notWritable(nearest, .last))
    }
    let (free, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    // File systems without a fixed number of files report zero files in total.
    if status.f_files > 0, status.f_favail == 0 {
        return Check(name, .fail, MachineCheckSentences.noMoreFiles(path))
    }
    if !isBeyond, free < room.needed {
        return Check(name, .fail, MachineCheckSentences.diskFull(path, free: free, needed: room.needed))
    }
    if !isBeyond, free < room.warningThreshold {
        return Check(name, .warn, MachineCheckSentences.diskNearlyFull(path, free: free))
    }
    return Check(name, .pass, MachineCheckSentences.diskFree(path, free: isBeyond ? nil : free, isThere: isThere))
}

/// The size as text, rounded down. A disk with too little space thus never shows the required amount.
func textRoundedDown(_ byteCount: UInt64) -> String {
    var tenth: UInt64 = 100
    while byteCount / tenth >= 10_000 { tenth *= 1000 }
    return ByteText.text(byteCount - byteCount % (byteCount < 1000 ? 1 : tenth))
}

/// Returns the path, or its nearest parent that exists.
private func nearestThatExists(_ path: String) -> (path: String, isThere: Bool) {
    var nearest = Substring(path)
    while access(String(nearest), F_OK) != 0, errno == ENOENT, let slash = nearest.lastIndex(of: "/") {
        nearest = nearest[..<slash]
        if nearest.isEmpty { return ("/", false) }
    }
    return (String(nearest), nearest == path)
}
