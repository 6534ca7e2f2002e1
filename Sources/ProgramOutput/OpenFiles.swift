#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The limit of files that a program is allowed to have open at once (getrlimit(2), RLIMIT_NOFILE).
package enum OpenFiles {
    /// Ends the program with status 1 and a message if it cannot open this number of files. Without this check, event
    /// loops and the runtime would crash.
    ///
    /// - Parameter count: the number of files that the program needs besides those open now.
    package static func require(_ count: Int, for program: String) {
        raiseLimit()
        let available = openable(atMost: count)
        guard available < count else { return }
        StandardStream.errors.message(OutputSentences.tooFewOpenFiles(program, available: available, needed: count))
        StandardStream.endProgram(1)
    }

    private static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < usualLimit else { return }
        limit.rlim_cur = min(limit.rlim_max, usualLimit)
        _ = setrlimit(resource, &limit)
    }

    /// The default limit of Linux. A higher limit has no benefit here.
    private static let usualLimit: rlim_t = 1024

    /// The number of files that can be opened. The function finds it by opening them.
    private static func openable(atMost count: Int) -> Int {
        var opened: [CInt] = []
        defer { for file in opened { close(file) } }
        while opened.count < count {
            let file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            guard file >= 0 else { break }
            opened.append(file)
        }
        return opened.count
    }
}
