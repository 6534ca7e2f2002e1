/// The results of bracketctl's own checks, with the advice.
enum DoctorSentences {
    // MARK: The socket

    static func socketMissing(_ path: String) -> String { "The socket \(path) does not exist." }

    static func notASocket(_ path: String) -> String { "\(path) is not a socket, or this user cannot check it." }
    static let notASocketAdvice = "Name the daemon's socket with --socket, or remove the file at this path."

    static func socketOpenToAll(_ path: String) -> String {
        "Every user of this computer can open \(path) and fire the camera."
    }

    static func socketOpenToAllAdvice(_ path: String) -> String { "chmod o= \(path)" }

    static func socketExists(_ path: String) -> String { "\(path) exists." }

    // MARK: The permission to open it

    static let noSocketToOpen = "There is no socket to open."
    static let rootOpensAll = "root can open every socket."

    static func userOwns(_ path: String, user: String) -> String { "\(path) belongs to \(user)." }

    static func userIsInGroup(_ path: String, user: String, group: String) -> String {
        "\(user) is in the group \(group), which can open \(path)."
    }

    static func everyUserOpens(_ path: String) -> String { "Every user can open \(path)." }

    static func notWritable(_ path: String) -> String { "\(path) is not writable." }
    static func notWritableAdvice(_ path: String) -> String { "chmod u+w \(path)" }

    static func noGroupOpens(_ path: String, user: String) -> String {
        "\(user) cannot open \(path): no group that you could join can open it."
    }

    static let noGroupOpensAdvice = "Ask for access to the socket, or run bracketctl as the user of bracketd."

    static func joinedAfterLogin(_ path: String, user: String, group: String) -> String {
        "\(user) cannot open \(path): \(user) joined the group \(group) after this login."
    }

    static let joinedAfterLoginAdvice = "Log out and log in again."

    static func userIsNotInGroup(_ path: String, user: String, group: String) -> String {
        "\(user) cannot open \(path): only members of the group \(group) can open it."
    }

    static func userIsNotInGroupAdvice(user: String, group: String) -> String {
        "sudo usermod -aG \(group) \(user), then log out and log in again."
    }

    // MARK: The daemon

    static func daemonAnswers(version: String) -> String { "bracketd \(version) answers." }

    static func versionsDiffer(daemon: String, client: String) -> String {
        "bracketd has version \(daemon), but bracketctl has \(client)."
    }

    static let versionsDifferAdvice = "Install both from the same release, then: systemctl restart bracketd."
    static let nothingElseChecked = "Without the daemon nothing else can be checked."

    // MARK: The result

    static let nothingWrong = "Nothing is wrong."

    static func onlyWarnings(_ count: Int) -> String {
        count == 1 ? "No check fails. There is 1 warning." : "No check fails. There are \(count) warnings."
    }

    static let oneFails = "1 check fails. See the advice after the arrow."

    static func manyFail(_ count: Int) -> String { "\(count) checks fail. Begin with the first." }

    /// A sentence with the failing checks: `drive and battery fail`.
    static func failing(_ checks: [String]) -> String {
        let names = checks.isEmpty ? "a check" : PlainList.text(checks)
        return checks.count > 1 ? "\(names) fail" : "\(names) fails"
    }

    static func notReady(_ failing: [String]) -> String { "Not ready to shoot: \(self.failing(failing))." }
    static func nothingFired(_ failing: [String]) -> String { "Nothing was fired: \(self.failing(failing))." }
}
