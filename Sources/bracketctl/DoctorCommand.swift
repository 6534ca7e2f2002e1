import ArgumentParser
import Interface
import Varlink

struct DoctorCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Reports what is wrong and what to do, in the order in which to fix it.",
        discussion: """
            Checks the socket and its permissions. Then the daemon checks its journal, watchdog, clock, disks, ledger, \
            network and camera. Each result is pass, warn, fail or skipped.
            Exit codes: 0 no check fails, 1 a check fails, 64 wrong arguments.
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let connection = try common.connection(in: environment)
        let access = SocketAccess(path: connection.path)
        var checks = [
            CheckReport.socket(connection.path, access),
            CheckReport.group(connection.path, access, .present),
        ]
        checks += await DoctorCommand.daemonChecks(connection)
        let fails = checks.count { $0.result == .fail }
        let warnings = checks.count { $0.result == .warn }
        let sentence = DoctorCommand.sentence(checks, warnings: warnings)
        let object: JSONValue = [
            "checks": .array(checks.map(\.json)), "fails": .int(fails), "warnings": .int(warnings),
            "sentence": .string(sentence),
        ]
        let width = checks.map(\.name.count).max() ?? 0
        let lines = checks.flatMap { $0.lines(nameWidth: width) }
        _ = try show(object, (lines + ["", sentence]).joined(separator: "\n"), in: environment)
        return fails == 0 ? .allDone : .error
    }

    /// Checks whether the daemon answers. Returns this check and the daemon's own checks.
    private static func daemonChecks(_ connection: Connection) async -> [CheckReport] {
        do throws(Failure) {
            let daemon = try await Daemon(connection)
            let version = try await daemon.call(Bracketd.GetStatus()).status.version
            let answering = CheckReport.daemon(version: version)
            do throws(Failure) {
                let found = try await daemon.call(Bracketd.Inspect()).checks.map(CheckReport.init)
                return [answering] + found + (await cameraChecks(daemon))
            } catch {
                return [answering, CheckReport("inspection", .fail, error.sentence)]
            }
        } catch {
            return [
                CheckReport("daemon", .fail, error.sentence),
                CheckReport("inspection", .skipped, DoctorSentences.nothingElseChecked),
            ]
        }
    }

    /// The preflight checks of a connected camera. `link`, `camera` and `ledger` are left out, because the daemon's own
    /// checks include these facts.
    private static func cameraChecks(_ daemon: Daemon) async -> [CheckReport] {
        do throws(Failure) {
            let checks = try await daemon.call(Bracketd.Preflight()).report.results
            guard !checks.contains(where: { $0.name == "link" && $0.result == .fail }) else { return [] }
            return checks.filter { !["link", "camera", "ledger"].contains($0.name) }
        } catch {
            return [CheckReport("preflight", .warn, error.sentence)]
        }
    }

    private static func sentence(_ checks: [CheckReport], warnings: Int) -> String {
        let failing = checks.filter { $0.result == .fail }
        switch (failing.count, warnings) {
        case (0, 0): return DoctorSentences.nothingWrong
        case (0, _): return DoctorSentences.onlyWarnings(warnings)
        case (1, _):
            let isAdvised = failing.first?.advice != nil
            return isAdvised ? DoctorSentences.oneFails : DoctorSentences.failing(failing.map(\.name)).withFullStop
        default: return DoctorSentences.manyFail(failing.count)
        }
    }
}

extension CheckReport {
    /// The check `daemon` of a daemon that answered: compares the versions of the daemon and of bracketctl.
    fileprivate static func daemon(version: String) -> CheckReport {
        guard version != Bracketctl.version else {
            return CheckReport("daemon", .pass, DoctorSentences.daemonAnswers(version: version))
        }
        return CheckReport(
            "daemon",
            .warn,
            DoctorSentences.versionsDiffer(daemon: version, client: Bracketctl.version),
            advice: DoctorSentences.versionsDifferAdvice
        )
    }
}
