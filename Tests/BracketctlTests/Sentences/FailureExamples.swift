@testable import bracketctl

extension Examples {
    static let failures: [String] = [
        FailureSentences.startAdvice,
        FailureSentences.noSocket(socket),
        FailureSentences.noListener(socket),
        FailureSentences.unreachable(socket, "Connection reset by peer"),
        FailureSentences.socketDenied(socket, joinableGroup: "bracketd"),
        FailureSentences.socketDenied(socket, joinableGroup: nil),
        FailureSentences.socketPathTooLong("/home/ada/a/very/long/path/io.bracketd", lengthMax: 107),
        FailureSentences.tooManyWaiting(socket),
        FailureSentences.connectionClosed(socket),
        FailureSentences.watchEnded(socket),
        FailureSentences.noAnswer(socket, within: .seconds(10)),
        FailureSentences.outputTooSlow(repliesMax: 256),
        FailureSentences.unexpected(CancellationError(), at: socket),
        FailureSentences.notBracketd(socket, "the reply is not JSON"),
        FailureSentences.replyLacks("status.version", as: "a string"),
        FailureSentences.callNotAccepted(socket, error: "org.varlink.service.MethodNotFound"),
        FailureSentences.needsMore(method: "io.bracketd.Watch"),
        FailureSentences.needsMore(method: nil),
        FailureSentences.tooManyClients(limit: 32),
        FailureSentences.tooManyClients(limit: nil),
        FailureSentences.stopping(socket),
        FailureSentences.referring("The camera does not offer ISO 99.", to: "bracketctl get"),
    ]

    static let files: [String] = [
        FileSentences.failed("/media/card", .opened, "Permission denied"),
        FileSentences.failed("/media/card/20261121-083000-shoot-3", .created, "Read-only file system"),
        FileSentences.failed("plan.txt", .read, "No such file or directory"),
        FileSentences.failed("/media/card/20261121-083000-shoot-3/manifest.json", .written, "No space left on device"),
        FileSentences.folderNotWatched(of: "plan.txt", "Too many open files"),
        FileSentences.folderGone(of: "plan.txt"),
        FileSentences.folderNotRead("/var/lib/bracketd/flight"),
        FileSentences.drawingNotWritten("shooting.svg", "No space left on device"),
        FileSentences.noConfiguration("/etc/bracketd.toml"),
        FileSentences.notAFile,
        FileSentences.longerThan(65_536),
    ]
}
