import ArgumentParser
import Interface
import Varlink

struct PreflightCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "preflight",
        abstract: "Checks whether a plan could be fired now, and says what to do if not.",
        discussion: """
            Each check passes, warns or fails. A failed check prevents bracketctl shoot. [preflight] skip in the \
            daemon's configuration skips checks by name. The exit code is 0 when no check fails.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions
    @OptionGroup var meant: PlanHashOption

    func execute(in environment: Environment) async throws -> ProcessExit {
        let plan = meant.adding(to: try options.input())
        let daemon = try await Daemon(common.connection(in: environment))
        let report = try await daemon.call(Bracketd.Preflight(plan: plan)).report
        _ = try show(PrintedJSON.preflight(report.json), report.text, in: environment)
        return report.isReady ? .allDone : .error
    }
}

/// The option that names a plan by its hash.
struct PlanHashOption: ParsableArguments {
    @Option(
        name: .customLong("plan"),
        help: ArgumentHelp("Use exactly the plan with this hash, as bracketctl plan showed it.", valueName: "hash")
    )
    var hash: String?

    func adding(to plan: Bracketd.PlanInput) -> Bracketd.PlanInput {
        var plan = plan
        plan.hash = hash
        return plan
    }
}

extension Bracketd.PreflightReport {
    var results: [CheckReport] { checks.map(CheckReport.init) }

    /// A table of the checks, then the daemon's sentence or, after a failed check, the names of the failed checks.
    var text: String {
        let rows = results.map { [$0.name, $0.result.rawValue, $0.text] }
        let lines = TextTable.lines([["check", "", "result, and what to do"]] + rows)
        return (lines + ["", isReady ? sentence : DoctorSentences.notReady(failing.map(\.name))])
            .joined(separator: "\n")
    }

    /// The error with which the daemon would refuse a shoot; nil: no check fails.
    var refusal: Failure? {
        isReady
            ? nil
            : Failure(preflightFailed: ["checks": .array(failing.map(\.json)), "sentence": .string(sentence)])
    }

    private var failing: [CheckReport] { results.filter { $0.result == .fail } }
}

/// The daemon's report of a shoot with missing frames.
typealias UnfinishedShoot = Bracketd.UnfinishedShoot

extension CheckReport {
    /// The checks in the parameters of the daemon's error `PreflightFailed`; empty for parameters of another form.
    static func failing(_ parameters: JSONValue) -> [CheckReport] {
        (try? Bracketd.PreflightFailed(parameters))?.checks.map(CheckReport.init) ?? []
    }

    static func lines(_ checks: [CheckReport]) -> [String] {
        TextTable.lines(checks.map { ["  \($0.name)", $0.text] })
    }
}
