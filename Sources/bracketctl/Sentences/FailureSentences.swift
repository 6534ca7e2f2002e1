/// The sentences about calls without an answer of the daemon, with the advice.
enum FailureSentences {
    // MARK: Without a connection

    static let startAdvice =
        "Start the daemon: systemctl start bracketd, or by hand: bracketd --config FILE. If it listens on another "
        + "socket, name that socket with --socket."

    static func noSocket(_ path: String) -> String {
        "No daemon is running: the socket \(path) does not exist. \(startAdvice)"
    }

    static func noListener(_ path: String) -> String {
        "No daemon is running: no program listens on \(path). \(startAdvice)"
    }

    static func unreachable(_ path: String, _ reason: String) -> String {
        "The daemon cannot be reached at \(path): \(reason). \(startAdvice)"
    }

    static func socketDenied(_ path: String, joinableGroup: String?) -> String {
        let advice = joinableGroup.map { "join the group \($0), then log in again" } ?? "ask for access to \(path)"
        return "This user cannot open the socket \(path): \(advice)."
    }

    static func socketPathTooLong(_ path: String, lengthMax: Int) -> String {
        "The socket path is longer than \(lengthMax) bytes: \(path)."
    }

    static func tooManyWaiting(_ path: String) -> String {
        "Too many clients wait for a connection to \(path). End one of them and try again."
    }

    // MARK: During a call

    static func connectionClosed(_ path: String) -> String {
        "The daemon at \(path) closed the connection. Check: bracketctl status."
    }

    static func watchEnded(_ path: String) -> String {
        "The daemon at \(path) ended the watch. See journalctl -u bracketd."
    }

    static func noAnswer(_ path: String, within timeMax: Duration) -> String {
        "The daemon at \(path) did not answer within \(timeMax.components.seconds) s. See journalctl -u bracketd."
    }

    static func outputTooSlow(repliesMax: Int) -> String {
        "More than \(repliesMax) replies of the daemon were waiting. "
            + "The program that reads the output of bracketctl is too slow."
    }

    static func unexpected(_ error: any Error, at path: String) -> String {
        "Unexpected error at \(path): \(error)."
    }

    // MARK: Another program or version

    private static let otherVersions = "bracketctl and bracketd have different versions"

    static func notBracketd(_ path: String, _ reason: String) -> String {
        "The program at \(path) is not bracketd: \(reason)."
    }

    /// - Parameter wanted: The required type with an article.
    static func replyLacks(_ member: String, as wanted: String) -> String {
        "In the daemon's reply, \(member) is not \(wanted): \(otherVersions)."
    }

    static func callNotAccepted(_ path: String, error name: String) -> String {
        "The daemon at \(path) does not accept this call (\(name)): \(otherVersions)."
    }

    // MARK: Refusals

    static func needsMore(method: String?) -> String {
        let method = method ?? "this method"
        return "The daemon accepts \(method) only with the flag \"more\"."
    }

    static func tooManyClients(limit: Int?) -> String {
        let limit = limit.map(String.init) ?? "the highest number of"
        return "The daemon already has \(limit) watching clients. End one of them and try again."
    }

    static func stopping(_ path: String) -> String {
        "The daemon at \(path) is stopping. Try again when it is running again."
    }

    /// The sentence with a reference to the command that lists the valid values.
    static func referring(_ sentence: String, to command: String) -> String { "\(sentence) See \(command)." }
}
