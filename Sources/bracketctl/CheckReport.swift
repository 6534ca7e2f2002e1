import Interface
import Varlink

struct CheckReport: Equatable {
    enum Result: String {
        case pass, warn, fail, skipped
    }

    var name: String
    var result: Result
    var sentence: String
    /// The advice for the user; nil: no advice is necessary.
    var advice: String?

    init(_ name: String, _ result: Result, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.advice = advice
    }

    /// Converts a check of the daemon. An unknown result, for example from a newer daemon, counts as a warning.
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

    /// The check as text: `fail     group     You may not …`, with the advice below.
    func lines(nameWidth: Int) -> [String] {
        let first = result.rawValue.padded(to: 9) + name.padded(to: nameWidth + 2) + sentence
        return [first] + (advice.map { ["".padded(to: 11 + nameWidth) + "→ " + $0] } ?? [])
    }
}

// MARK: Checks without the daemon

extension CheckReport {
    /// Checks that the daemon's socket exists. The check `group` examines its permissions.
    static func socket(_ path: String, _ access: SocketAccess) -> CheckReport {
        switch access.kind {
        case .missing:
            return CheckReport(
                "socket",
                .fail,
                DoctorSentences.socketMissing(path),
                advice: FailureSentences.startAdvice
            )
        case .other:
            return CheckReport(
                "socket",
                .fail,
                DoctorSentences.notASocket(path),
                advice: DoctorSentences.notASocketAdvice
            )
        case .socket where access.mode & 0o002 != 0:
            return CheckReport(
                "socket",
                .warn,
                DoctorSentences.socketOpenToAll(path),
                advice: DoctorSentences.socketOpenToAllAdvice(path)
            )
        case .socket: return CheckReport("socket", .pass, DoctorSentences.socketExists(path))
        }
    }

    /// Checks that the user is allowed to open the socket.
    static func group(_ path: String, _ access: SocketAccess, _ person: SocketAccess.SocketUser) -> CheckReport {
        func pass(_ sentence: String) -> CheckReport { CheckReport("group", .pass, sentence) }
        func fail(_ sentence: String, _ advice: String) -> CheckReport {
            CheckReport("group", .fail, sentence, advice: advice)
        }
        guard access.kind == .socket else { return CheckReport("group", .skipped, DoctorSentences.noSocketToOpen) }
        if person.id == 0 { return pass(DoctorSentences.rootOpensAll) }
        let name = access.groupName ?? String(access.group)
        if person.id == access.owner {
            guard access.mode & 0o200 == 0 else { return pass(DoctorSentences.userOwns(path, user: person.name)) }
            return fail(DoctorSentences.notWritable(path), DoctorSentences.notWritableAdvice(path))
        }
        // For a user in the group of the socket, only the permissions of the group count.
        if person.groups.contains(access.group) {
            guard access.mode & 0o020 == 0 else {
                return pass(DoctorSentences.userIsInGroup(path, user: person.name, group: name))
            }
        } else if access.mode & 0o002 != 0 {
            return pass(DoctorSentences.everyUserOpens(path))
        }
        guard access.mode & 0o020 != 0, access.group != 0 else {
            return fail(
                DoctorSentences.noGroupOpens(path, user: person.name),
                DoctorSentences.noGroupOpensAdvice
            )
        }
        if person.groupsAtLogin.contains(access.group) {
            return fail(
                DoctorSentences.joinedAfterLogin(path, user: person.name, group: name),
                DoctorSentences.joinedAfterLoginAdvice
            )
        }
        return fail(
            DoctorSentences.userIsNotInGroup(path, user: person.name, group: name),
            DoctorSentences.userIsNotInGroupAdvice(user: person.name, group: name)
        )
    }
}
