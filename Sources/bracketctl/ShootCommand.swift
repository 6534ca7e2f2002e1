import ArgumentParser
import Exposure
import Interface
import Varlink

struct ShootCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "shoot",
        abstract: "Fires a bracket and shows its progress.",
        discussion: """
            Shows the plan, the estimate and the warnings, runs the preflight checks, and asks before it fires. An \
            interrupt does not stop the shoot. The command ends when the camera's settings are put back and the \
            transferred pictures are on the disk.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions
    @OptionGroup var meant: PlanHashOption
    @OptionGroup var progress: ProgressOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Drop the missing frames of the last shoot. Without it, --yes refuses to drop them.")
    var drop = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        let plan = Plan(try options.request())
        var input = meant.adding(to: try options.input())
        guard yes || environment.ask != nil else {
            throw Failure.usage(ShootReportSentences.noTerminal)
        }
        let daemon = try await Daemon(common.connection(in: environment))
        let status = try await daemon.call(Bracketd.GetStatus()).status
        if let obstacle = status.obstacle { throw obstacle }
        let report = try await daemon.call(Bracketd.Plan(plan: input)).plan
        if common.json {
            let basis = JSONValue.string(report.basis(uncheckedBecause: status.sentence))
            try environment.output.line(report.printed.adding("kind", "plan").adding("basis", basis).description)
        } else {
            // Only the daemon knows a plan that the user names only by its hash.
            let shown = meant.hash == nil ? report.shown(plan) : report.request.map { Plan($0) }
            let text = report.text(shown, uncheckedBecause: status.sentence, columns: environment.columns)
            try environment.output.line(text)
        }
        // The hash ensures that the daemon fires the shown plan. The hash and the preflight exist only with a connected
        // camera.
        if let hash = report.hash { input.hash = hash }
        var unfinished: UnfinishedShoot?
        if report.checkedAgainst != nil {
            let preflight = try await daemon.call(Bracketd.Preflight(plan: input)).report
            if let refusal = preflight.refusal { throw refusal }
            unfinished = preflight.drops
        }
        let exposures = report.request?.goal?.framesMax ?? report.totalExposures
        if !yes, environment.consents(to: question(exposures, dropping: unfinished)) == false {
            try environment.errors.line(ShootReportSentences.nothingFired)
            return .nothingCaptured
        }
        // The user's answer also allows to drop missing frames. With `--yes` the user was not asked, so the daemon
        // refuses to drop frames.
        let shoot = Bracketd.Shoot(plan: input, drop: drop || !yes && unfinished != nil ? true : nil)
        if !common.json { try environment.output.line("") }
        return try await ShootFollower(daemon, environment, common, progress).follow(shoot)
    }

    private func question(_ total: Int, dropping unfinished: UnfinishedShoot?) -> String {
        guard let unfinished else { return ShootReportSentences.fireQuestion(exposures: total) }
        return ShootReportSentences.fireQuestion(exposures: total, dropping: unfinished)
    }
}

struct RetryCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Fires only the missing frames of a shoot.",
        discussion: """
            With the number of an older shoot, the command fires the missing frames of that shoot. It asks before it \
            drops the missing frames of the last shoot.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var meant: ShootArgument

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let follower = ShootFollower(daemon, environment, common, progress)
        return try await meant.withConsent(in: environment) { shoot, drop in
            try await follower.follow(Bracketd.Retry(shoot: shoot, drop: drop))
        }
    }
}

struct ShootArgument: ParsableArguments {
    @Argument(
        help: "The shoot's number from bracketctl history. Default: the last shoot.",
        completion: ValueCompletion.shoots
    )
    var id: Int?

    @Flag(help: "Drop the missing frames of the last shoot, if an older shoot is named.")
    var drop = false

    func validate() throws {
        if drop, id == nil { throw ValidationError(UsageSentences.dropWithoutShoot) }
        guard let id, id < 1 else { return }
        throw ValidationError(UsageSentences.invalidShoot(id))
    }

    /// Sends a request with the number of the shoot. The request also says whether to drop missing frames. Asks the
    /// user first if the request would drop frames.
    func withConsent<Answer>(
        in environment: Environment,
        _ send: (_ shoot: Int?, _ drop: Bool?) async throws -> Answer
    ) async throws -> Answer {
        guard let id else { return try await send(nil, nil) }
        do {
            return try await send(id, drop ? true : nil)
        } catch let failure as Failure where failure.name == Bracketd.FramesMissing.name {
            guard let frames = try? Bracketd.FramesMissing(failure.parameters) else { throw failure }
            let unfinished = UnfinishedShoot(shoot: frames.shoot, missing: frames.missing, total: frames.total)
            let question = ShootReportSentences.retryQuestion(shoot: id, dropping: unfinished)
            guard environment.consents(to: question) == true else { throw failure }
            return try await send(id, true)
        }
    }
}

/// Starts a shoot and shows its progress until the shoot ends.
struct ShootFollower {
    let daemon: Daemon
    let environment: Environment
    let json: Bool
    let options: ProgressOptions

    init(_ daemon: Daemon, _ environment: Environment, _ common: CommonOptions, _ options: ProgressOptions) {
        (self.daemon, self.environment, json, self.options) = (daemon, environment, common.json, options)
    }

    /// Shows the progress of a running shoot. Throws a failure if the shoot has ended.
    func join() async throws -> ProcessExit {
        var isFirst = true
        return try await follow(Bracketd.Follow()) { progress in
            defer { isFirst = false }
            guard isFirst, progress.outcome != nil else { return }
            throw Failure("NoShoot", ShootReportSentences.notRunning(last: progress.sentence))
        }
    }

    /// - Parameters:
    ///   - method: A method that answers with each step of a shoot.
    ///   - check: Called with each answer before the answer is shown.
    func follow<Method: VarlinkMethod>(
        _ method: Method,
        check: (ShootProgress) throws -> Void = { _ in }
    ) async throws -> ProcessExit where Method.Reply: ProgressReply {
        let interrupts = environment.answersInterrupts ? InterruptNotice(interruptSentence) : nil
        defer { interrupts?.end() }
        let end = try await followToEnd(method, check: check)
        if !options.wait.noWait, end.captured > 0 {
            // The outcome of the shoot is known now, so an interrupt only ends the wait for pictures.
            interrupts?.replace(with: picturesInterruptSentence, end.exitStatus)
            let missing = try await daemon.awaitPictures(of: end.shoot, saying: environment.errors)
            if missing.inTransfer > 0 { try environment.errors.line(daemon.picturesSentence(missing.inTransfer)) }
            if missing.frames > 0 {
                let command = daemon.connection.commandLine("photos")
                let sentence = ShootReportSentences.picturesMissing(frames: missing.frames, photos: command)
                try environment.errors.line(sentence)
            }
        }
        return end.exitStatus
    }

    private func followToEnd<Method: VarlinkMethod>(
        _ method: Method,
        check: (ShootProgress) throws -> Void
    ) async throws -> ShootProgress where Method.Reply: ProgressReply {
        let statusCommand = daemon.connection.commandLine("status")
        let text = ProgressText(
            style: .lines,
            retryCommand: daemon.connection.commandLine("retry"),
            showsStates: options.states
        )
        let printer = ProgressPrinter(environment, text)
        let redrawing = json || environment.screen == nil ? nil : Task { try await printer.redrawUntilCancelled() }
        defer { redrawing?.cancel() }
        do {
            let end = try await daemon.follow(method) { reply in
                let progress = reply.progress
                try check(progress)
                if json {
                    try environment.output.line(progress.printed.adding("kind", "progress").description)
                } else {
                    try await printer.show(progress)
                }
                return progress.outcome == nil ? nil : progress
            }
            if let end { return end }
            throw Failure("NoOutcome", ShootReportSentences.noOutcome(status: statusCommand))
        } catch let failure as Failure where failure.name == "ConnectionLost" {
            throw failure.saying(
                ShootReportSentences.connectionClosed(daemon.connection.path, status: statusCommand)
            )
        }
    }

    private var interruptSentence: String {
        let command = daemon.connection.commandLine
        return ShootReportSentences.continues(watch: command("watch --progress"), cancel: command("cancel"))
    }

    private var picturesInterruptSentence: String {
        ShootReportSentences.endedWithPicturesInTransfer(follow: daemon.connection.commandLine("photos --follow"))
    }
}

/// A reply of a method that reports the progress of a shoot.
protocol ProgressReply {
    var progress: ShootProgress { get }
}

extension Bracketd.Shoot.Reply: ProgressReply {}
extension Bracketd.Retry.Reply: ProgressReply {}
extension Bracketd.Follow.Reply: ProgressReply {}
