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
                "There is no socket \(path).",
                advice: "Start the daemon: systemctl start bracketd, or by hand: bracketd --config FILE. "
                    + "If it serves on another socket, name that with --socket."
            )
        case .other:
            return CheckReport(
                "socket",
                .fail,
                "\(path) is no socket, or may not be looked at.",
                advice: "Name the daemon's socket with --socket, or remove what stands in its place."
            )
        case .socket where access.mode & 0o002 != 0:
            return CheckReport(
                "socket",
                .warn,
                "Everybody on this computer may open \(path), and fire the camera.",
                advice: "chmod o= \(path)"
            )
        case .socket: return CheckReport("socket", .pass, "\(path) is there.")
        }
    }

    /// Checks that the user may open the socket.
    static func group(_ path: String, _ access: SocketAccess, _ person: SocketAccess.Person) -> CheckReport {
        guard access.kind == .socket else { return CheckReport("group", .skipped, "There is no socket to open.") }
        if person.id == 0 { return CheckReport("group", .pass, "root may open every socket.") }
        let name = access.groupName ?? String(access.group)
        if person.id == access.owner {
            guard access.mode & 0o200 == 0 else {
                return CheckReport("group", .pass, "\(path) is \(person.name)'s own.")
            }
            return CheckReport("group", .fail, "\(path) may not be written to.", advice: "chmod u+w \(path)")
        }
        // Members of the group have its permissions, whatever the permissions of others.
        if person.groups.contains(access.group) {
            guard access.mode & 0o020 == 0 else {
                return CheckReport("group", .pass, "\(person.name) is in the group \(name), which may open \(path).")
            }
        } else if access.mode & 0o002 != 0 {
            return CheckReport("group", .pass, "Everybody may open \(path).")
        }
        let sentence = "\(person.name) may not open \(path)"
        guard access.mode & 0o020 != 0, access.group != 0 else {
            return CheckReport(
                "group",
                .fail,
                "\(sentence): no group may that could be joined.",
                advice: "Ask for access to it, or run bracketctl as the user whom bracketd runs as."
            )
        }
        if person.groupsAtLogin.contains(access.group) {
            return CheckReport(
                "group",
                .fail,
                "\(sentence): \(person.name) is in the group \(name) since after this login.",
                advice: "Log out and in again."
            )
        }
        return CheckReport(
            "group",
            .fail,
            "\(sentence): only members of the group \(name) may.",
            advice: "sudo usermod -aG \(name) \(person.name), then log out and in again."
        )
    }
}
