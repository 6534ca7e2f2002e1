import Controller
import Exposure
import Interface
import Varlink

/// A plan as `bracketctl plan` shows it: the plan of the connected camera, or a plan from the options alone.
struct PlanSheet {
    /// The plan from the options, without the limits of the camera.
    private let plan: Plan
    private let report: PlanReport
    /// A sentence that says why no camera was used; nil: the plan is checked against the camera.
    private let unchecked: String?
    private let isStrict: Bool
    private let connection: Connection

    /// The time limit for the daemon's answer. It is short, because bracketctl can also plan without the daemon.
    private static let answerTimeMax = Duration.seconds(1)

    /// Asks a running daemon for the plan. Without a daemon, bracketctl makes the plan.
    ///
    /// - Throws: `Failure` for invalid options. With `--strict` also if the daemon refuses the plan.
    init(_ options: PlanOptions, over connection: Connection) async throws(Failure) {
        plan = Plan(try options.request())
        isStrict = options.strict
        self.connection = connection
        (report, unchecked) = try await PlanSheet.ask(plan, options, connection)
    }

    private static func ask(
        _ plan: Plan,
        _ options: PlanOptions,
        _ connection: Connection
    ) async throws(Failure) -> (report: PlanReport, unchecked: String?) {
        do throws(Failure) {
            let daemon = try await Daemon(connection)
            let timeMax = options.strict ? Daemon.answerTimeMax : answerTimeMax
            let call = Bracketd.Plan(plan: try options.input())
            let report = try await daemon.call(call, within: timeMax).plan
            guard report.checkedAgainst == nil else { return (report, nil) }
            let status = try await daemon.call(Bracketd.GetStatus(), within: timeMax).status
            return (PlanReport(plan, strict: options.strict), PlanSentences.unchecked(because: status.sentence))
        } catch {
            guard !options.strict || error.status == .noDaemon else { throw error }
            let unchecked =
                error.status == .noDaemon
                ? PlanSentences.uncheckedWithoutDaemon(connection.path)
                : PlanSentences.unchecked(because: error.sentence)
            return (PlanReport(plan, strict: options.strict), unchecked)
        }
    }

    /// - Parameters:
    ///   - compare: Whether the text lists every choice of frames and spacing.
    ///   - columns: The width of the terminal.
    func text(compare: Bool, columns: Int) -> String {
        let rulers = report.rulers(sharing: plan.request.sharing, columns: columns)
        var lines = [PlanText.headline(report.shown(plan) ?? plan)] + rulers + [""]
        if let unchecked, !isStrict { lines.append(unchecked) }
        lines.append(report.estimateLine)
        if !report.remarks.isEmpty { lines += [""] + report.remarks }
        // With `--strict` the sentence is the last line, because the user requested a check against the camera.
        if let unchecked, isStrict { lines.append(PlanSentences.note(unchecked)) }
        if let checked = report.checkedSentence { lines.append(checked) }
        if let hashLine { lines.append(hashLine) }
        let table = compare ? "\n" + PlanText.render(comparison) + "\n" + PlanText.explanation(comparison) : ""
        return lines.joined(separator: "\n") + "\n" + table
    }

    func json(compare: Bool) -> JSONValue {
        let object = report.printed.adding("basis", .string(unchecked ?? report.checkedSentence ?? ""))
        return compare ? object.adding("comparison", comparison.json) : object
    }

    private var comparison: Comparison { report.choices ?? Comparison(plan.request) }

    /// The line with the command that fires exactly this plan on this camera; nil: no camera is connected.
    private var hashLine: String? {
        guard let hash = report.hash, let camera = report.checkedAgainst else { return nil }
        let command = connection.commandLine("shoot --plan \(hash)")
        return report.sets == plan.sets.map { $0.map(\.label) }
            ? PlanSentences.firesExactly(hash, on: camera, command: command)
            : PlanSentences.firesWithOtherSpeeds(hash, on: camera, command: command)
    }
}

extension Comparison {
    fileprivate var json: JSONValue {
        .array(
            rows.map { row in
                [
                    "framesPerSet": .int(row.framesPerSet),
                    "spacing": .double(row.spacing.ev),
                    "totalSets": .int(row.sets),
                    "totalExposures": .int(row.exposures),
                    "estimateMilliseconds": .int(row.time.milliseconds),
                    "fastest": .string(row.fastest.label),
                    "slowest": .string(row.slowest.label),
                    "coveredEV": .double(row.coveredEV),
                    "isAsked": .bool(isAsked(row)),
                ]
            }
        )
    }

    /// Converts the choices in the daemon's answer; nil: the answer has unknown values.
    init?(_ request: PlanRequest, _ choices: [Bracketd.PlanChoice]) {
        let rows = choices.map { choice -> Row? in
            guard let spacing = Spacing(ev: choice.spacing),
                let fastest = try? ShutterSpeed(parsing: choice.fastest),
                let slowest = try? ShutterSpeed(parsing: choice.slowest)
            else { return nil }
            return Row(
                framesPerSet: choice.framesPerSet,
                spacing: spacing,
                sets: choice.totalSets,
                exposures: choice.totalExposures,
                time: .milliseconds(choice.estimateMilliseconds),
                fastest: fastest,
                slowest: slowest
            )
        }
        guard !rows.contains(nil) else { return nil }
        self.init(request, rows: rows.compactMap(\.self))
    }
}
