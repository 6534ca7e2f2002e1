import Glibc

@testable import Host

extension Examples {
    static let recorder: [String] = [
        RecorderSentences.begins(flightFile),
        RecorderSentences.ended(RecorderSentences.inputTooLarge),
        RecorderSentences.diskTooSlow,
        RecorderSentences.directoryUnusable("/var/lib/bracketd/flight", SystemError(code: EACCES)),
        RecorderSentences.notCreated(flightFile, SystemError(code: ENOSPC)),
        RecorderSentences.notWritten(flightFile, SystemError(code: EIO)),
        RecorderSentences.notSynced(flightFile, SystemError(code: EIO)),
        RecorderSentences.notRemoved(flightFile, SystemError(code: EROFS)),
        RecorderSentences.diskReserved("/var/lib/bracketd/flight", reserved: 16_000_000),
        RecorderSentences.beginningRemoved,
    ]

    private static var flightFile: String { "/var/lib/bracketd/flight/flight-000042-0000.rec" }
}
