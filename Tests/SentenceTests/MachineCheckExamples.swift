import Glibc

@testable import Host

extension Examples {
    static let machineCheck: [String] = machineFindings.flatMap { [$0.sentence, $0.advice] } + machineStates

    private static var machineStates: [String] {
        [
            MachineCheckSentences.entriesToJournald,
            MachineCheckSentences.entriesToStandardError,
            MachineCheckSentences.noServiceManager,
            MachineCheckSentences.watchdogEvery(.milliseconds(2500)),
            MachineCheckSentences.clockSynchronized,
            MachineCheckSentences.clockUnknown,
            MachineCheckSentences.diskFree("/var/lib/bracketd", free: 24_100_000_000, isThere: true),
            MachineCheckSentences.diskFree("/var/lib/bracketd", free: nil, isThere: true),
            MachineCheckSentences.diskFree("/mnt/pictures", free: 24_100_000_000, isThere: false),
            MachineCheckSentences.picturesOnCamera,
        ]
    }

    private static var machineFindings: [CheckFinding] {
        [
            MachineCheckSentences.journaldUnreachable,
            MachineCheckSentences.entriesLost(1),
            MachineCheckSentences.entriesLost(37),
            MachineCheckSentences.noWatchdog,
            MachineCheckSentences.watchdogMissed,
            MachineCheckSentences.clockWrong(year: 1970),
            MachineCheckSentences.clockUnsynchronized,
            MachineCheckSentences.diskUnknown("/mnt/pictures", SystemError(code: EIO)),
            MachineCheckSentences.diskReadOnly("/var/lib/bracketd"),
            MachineCheckSentences.notWritable("/mnt/pictures", SystemError(code: EACCES)),
            MachineCheckSentences.noMoreFiles("/mnt/pictures"),
            MachineCheckSentences.diskFull("/mnt/pictures", free: 97_400_000, needed: 128_000_000),
            MachineCheckSentences.diskNearlyFull("/mnt/pictures", free: 1_400_000_000),
            MachineCheckSentences.noAnswerFromDisk(within: .seconds(3)),
            MachineCheckSentences.noAnswerFromNameServer(within: .seconds(3)),
        ]
    }
}
