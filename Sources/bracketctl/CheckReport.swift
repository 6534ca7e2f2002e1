import Interface
import Varlink

struct CheckReport: Equatable {
    enum Result: String {
        case pass, warn, fail, skipped
    }

    var name: String
    var result: Result
    var sentence: String
    /// What to do; nil if nothing.
    var advice: String?

    init(_ name: String, _ result: Result, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.advice = advice
    }

    /// A check of the daemon. A result unknown to this bracketctl counts as a warning.
    init(_ check: Bracketd.Check) {
        name = check.name
        result = Result(rawValue: check.result) ?? .warn
        sentence = check.sentence
        advice = check.advice
    }

    var text: String { [sentence, advice].compactMap(\.self).joined(separator: " ") }

    var json: JSONValue {
        Bracketd.Check(name: name, result: result.rawValue, sentence: sentence, advice: advice).json
    }

    /// `fail     group     You may not …`, with the advice below.
    func lines(nameWidth: Int) -> [String] {
        let first = result.rawValue.padded(to: 9) + name.padded(to: nameWidth + 2) + sentence
        return [first] + (advice.map { ["".padded(to: 11 + nameWidth) + "→ " + $0] } ?? [])
    }
}

// MARK: Checks without the daemon

extension CheckReport {
    /// Checks that the daemon's socket exists. The next check covers its permissions.
    static func socket(_ path: String, _ access: SocketAccess) -> CheckReport {
        switch access.kind {
        case .missing:
            return CheckReport(
                "socket",
                .fail,
                "The socket \(path) does not exist.",
                advice: "Start the daemon: systemctl start bracketd, or by hand: bracketd --config FILE. If it listens "
                    + "on another socket, name that socket with --socket."
            )
        case .other:
            return CheckReport(
                "socket",
                .fail,
                "\(path) is not a socket, or this user cannot check it.",
                advice: "Name the daemon's socket with --socket, or remove the file at this path."
            )
        case .socket where access.mode & 0o002 != 0:
            let sentence = "Every user of this computer can open \(path) and fire the camera."
            return CheckReport("socket", .warn, sentence, advice: "chmod o= \(path)")
        case .socket: return CheckReport("socket", .pass, "\(path) exists.")
        }
    }

    /// Checks that the user may open the socket.
    static func group(_ path: String, _ access: SocketAccess, _ person: SocketAccess.SocketUser) -> CheckReport {
        func pass(_ sentence: String) -> CheckReport { CheckReport("group", .pass, sentence) }
        func fail(_ sentence: String, _ advice: String) -> CheckReport {
            CheckReport("group", .fail, sentence, advice: advice)
        }
        guard access.kind == .socket else { return CheckReport("group", .skipped, "There is no socket to open.") }
        if person.id == 0 { return pass("root can open every socket.") }
        let name = access.groupName ?? String(access.group)
        if person.id == access.owner {
            guard access.mode & 0o200 == 0 else { return pass("\(path) belongs to \(person.name).") }
            return fail("\(path) is not writable.", "chmod u+w \(path)")
        }
        // Members of the group have its permissions, whatever the permissions of others.
        if person.groups.contains(access.group) {
            guard access.mode & 0o020 == 0 else {
                return pass("\(person.name) is in the group \(name), which can open \(path).")
            }
        } else if access.mode & 0o002 != 0 {
            return pass("Every user can open \(path).")
        }
        let sentence = "\(person.name) cannot open \(path)"
        guard access.mode & 0o020 != 0, access.group != 0 else {
            return fail(
                "\(sentence): no group that you could join can open it.",
                "Ask for access to it, or run bracketctl as the user of bracketd."
            )
        }
        if person.groupsAtLogin.contains(access.group) {
            return fail(
                "\(sentence): \(person.name) joined the group \(name) after this login.",
                "Log out and log in again."
            )
        }
        return fail(
            "\(sentence): only members of the group \(name) can open it.",
            "sudo usermod -aG \(name) \(person.name), then log out and log in again."
        )
    }
}
