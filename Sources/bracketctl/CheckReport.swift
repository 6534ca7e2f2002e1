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
        .object(leavingOutNil: [
            "name": .string(name),
            "result": .string(result.rawValue),
            "sentence": .string(sentence),
            "advice": advice.map { .string($0) },
        ])
    }

    /// `fail     group     You may not …`, with the advice below.
    func lines(nameWidth: Int) -> [String] {
        let mark = result.rawValue + String(repeating: " ", count: 9 - result.rawValue.count)
        let first = mark + name + String(repeating: " ", count: nameWidth + 2 - name.count) + sentence
        return [first] + (advice.map { [String(repeating: " ", count: 11 + nameWidth) + "→ " + $0] } ?? [])
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
            return CheckReport(
                "socket",
                .warn,
                "Every user of this computer can open \(path) and fire the camera.",
                advice: "chmod o= \(path)"
            )
        case .socket: return CheckReport("socket", .pass, "\(path) exists.")
        }
    }

    /// Checks that the user may open the socket.
    static func group(_ path: String, _ access: SocketAccess, _ person: SocketAccess.Person) -> CheckReport {
        guard access.kind == .socket else { return CheckReport("group", .skipped, "There is no socket to open.") }
        if person.id == 0 { return CheckReport("group", .pass, "root can open every socket.") }
        let name = access.groupName ?? String(access.group)
        if person.id == access.owner {
            guard access.mode & 0o200 == 0 else {
                return CheckReport("group", .pass, "\(path) belongs to \(person.name).")
            }
            return CheckReport("group", .fail, "\(path) is not writable.", advice: "chmod u+w \(path)")
        }
        // Members of the group have its permissions, whatever the permissions of others.
        if person.groups.contains(access.group) {
            guard access.mode & 0o020 == 0 else {
                return CheckReport("group", .pass, "\(person.name) is in the group \(name), which can open \(path).")
            }
        } else if access.mode & 0o002 != 0 {
            return CheckReport("group", .pass, "Every user can open \(path).")
        }
        let sentence = "\(person.name) cannot open \(path)"
        guard access.mode & 0o020 != 0, access.group != 0 else {
            return CheckReport(
                "group",
                .fail,
                "\(sentence): no group that you could join can open it.",
                advice: "Ask for access to it, or run bracketctl as the user of bracketd."
            )
        }
        if person.groupsAtLogin.contains(access.group) {
            return CheckReport(
                "group",
                .fail,
                "\(sentence): \(person.name) joined the group \(name) after this login.",
                advice: "Log out and log in again."
            )
        }
        return CheckReport(
            "group",
            .fail,
            "\(sentence): only members of the group \(name) can open it.",
            advice: "sudo usermod -aG \(name) \(person.name), then log out and log in again."
        )
    }
}
