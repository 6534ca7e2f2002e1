import ArgumentParser
import Exposure
import Varlink

/// `bracketctl plan`: computed here, without a daemon.
struct PlanCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows what a bracket would be made of; needs no daemon.",
        discussion: """
            Where a daemon with a camera answers, the hash is shown that names the plan on this camera: bracketctl \
            shoot --plan HASH fires exactly that. With --strict, a daemon that runs is asked whether its camera can \
            fire the plan exactly; if it cannot, the plan is refused.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions

    @Flag(help: "Also list what every choice of frames and spacing costs for the same range.")
    var compare = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        let plan = Plan(try options.request())
        let check = options.strict ? try await check(in: environment) : nil
        let identity = check == nil ? await askForIdentity(in: environment) : check?.report
        let comparison = compare ? Comparison(plan.request) : nil
        if common.json {
            let report = LocalPlanReport(plan: plan, comparison: comparison, check: check, hash: identity?.hash)
            try environment.output.line(report.json.description)
            return .allDone
        }
        var text = PlanText.render(plan, estimate: Estimate(plan))
        switch check {
        case .passed(let report): text += (report.checkedSentence ?? "") + "\n"
        case .notMade(let why): text += "Note: \(why)\n"
        case nil: break
        }
        if let line = identity?.hashLine(plan, in: try common.connection(in: environment)) { text += line + "\n" }
        if let comparison { text += "\n" + PlanText.render(comparison) }
        try environment.output.text(text)
        return .allDone
    }

    /// How long a daemon may take for what is no more than an addition.
    private static let identityTimeMax = Duration.seconds(1)

    /// What the daemon makes of the plan, if one answers at once; that none does is no news.
    private func askForIdentity(in environment: Environment) async -> PlanReport? {
        guard let connection = try? common.connection(in: environment), let daemon = try? await Daemon(connection),
            let parameters = try? options.parameters(),
            let reply = try? await daemon.call(.plan, parameters, within: PlanCommand.identityTimeMax)
        else { return nil }
        return try? PlanReport(reply)
    }

    /// Asks the daemon to refuse a plan that its camera would change.
    ///
    /// - Throws: the daemon's refusal.
    private func check(in environment: Environment) async throws(Failure) -> PlanCheck {
        let connection = try common.connection(in: environment)
        let daemon: Daemon
        do throws(Failure) {
            daemon = try await Daemon(connection)
        } catch {
            guard error.status == .noDaemon else { throw error }
            return .notMade("Not checked against a camera, for no daemon answers at \(connection.path).")
        }
        let reply = try await daemon.call(.plan, try options.parameters())
        let report = try PlanReport(reply)
        guard report.checkedAgainst == nil else { return .passed(report) }
        let readiness = try Readiness(try await daemon.call(.getStatus))
        return .notMade("Not checked against a camera: \(readiness.sentence)")
    }
}

/// What came of holding a plan against a camera.
enum PlanCheck {
    /// The camera can fire it exactly.
    case passed(PlanReport)
    /// Nobody could be asked, and why.
    case notMade(String)

    /// The daemon's word of the plan.
    var report: PlanReport? {
        if case .passed(let report) = self { report } else { nil }
    }
}

extension PlanReport {
    /// How this plan is fired on this camera and no other; nil where the daemon has no camera.
    func hashLine(_ plan: Plan, in connection: Connection) -> String? {
        guard let hash, let checkedAgainst else { return nil }
        let command = connection.commandLine("shoot --plan \(hash)")
        return sets == plan.sets.map { $0.map(\.label) }
            ? "Plan \(hash) on \(checkedAgainst): \(command) fires exactly this."
            : "Plan \(hash) on \(checkedAgainst), which lacks some of the speeds: \(command) shows what it fires."
    }
}

/// A plan computed here, for programs.
struct LocalPlanReport {
    let plan: Plan
    var comparison: Comparison?
    /// Nil when nobody asked for a check.
    var check: PlanCheck?
    /// What names the plan on the daemon's camera; nil when there is none.
    var hash: String?

    private var unchecked: String? {
        if case .notMade(let why) = check { why } else { nil }
    }

    private var checkedAgainst: String? {
        if case .passed(let report) = check { report.checkedAgainst } else { nil }
    }

    var json: JSONValue {
        let estimate = Estimate(plan)
        let request = plan.request
        return .object(leavingOutNil: [
            "shadow": .string(request.shadow.label),
            "highlight": .string(request.highlight.label),
            "framesPerSet": .int(request.framesPerSet),
            "spacing": .double(request.spacing.ev),
            "biasThirds": .int(request.biasThirds),
            "share": request.sharing == .once ? "once" : "twice",
            "rangeEV": .double(plan.rangeEV),
            "sets": .array(plan.sets.map { .strings($0.map(\.label)) }),
            "totalExposures": .int(plan.totalExposures),
            "exposures": .array(plan.frames.map(LocalPlanReport.json)),
            "notes": .strings(plan.notes.map(\.sentence) + (unchecked.map { [$0] } ?? [])),
            "estimateMilliseconds": .int(estimate.shortest.milliseconds),
            "estimateBasis": .string(estimate.basis),
            "checkedAgainst": checkedAgainst.map { .string($0) },
            "hash": hash.map { .string($0) },
            "comparison": comparison.map { .array($0.rows.map(LocalPlanReport.json)) },
        ])
    }

    private static func json(_ frame: PlannedFrame) -> JSONValue {
        [
            "set": .int(frame.position.set),
            "frame": .int(frame.position.frame),
            "speed": .string(frame.speed.label),
        ]
    }

    private static func json(_ row: Comparison.Row) -> JSONValue {
        [
            "framesPerSet": .int(row.framesPerSet),
            "spacing": .double(row.spacing.ev),
            "sets": .int(row.sets),
            "exposures": .int(row.exposures),
            "estimateMilliseconds": .int(row.time.milliseconds),
        ]
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
