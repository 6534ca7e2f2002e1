import ArgumentParser
import Varlink

struct PlanCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows what a bracket would be made of; needs no daemon.",
        discussion: """
            Where a daemon with a camera answers, the plan is the one that bracketctl shoot would fire: with the \
            camera's own speeds, with the time that was learned, and with the hash that names it (bracketctl shoot \
            --plan HASH). Otherwise the plan says why it was made without a camera. With --strict, a plan that the \
            camera would change is refused.

            FILE of --watch has an option of this command on each line, such as --shadow 1/4. Empty lines and lines \
            that begin with # are left out. A line that cannot be read is reported, and the watch goes on.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions

    @Flag(help: "Also list what every choice of frames and spacing costs and covers for the same range.")
    var compare = false

    @Option(
        help: ArgumentHelp(
            "Plan what this file says, again whenever it changes, until interrupted.",
            valueName: "file"
        ),
        completion: .file()
    )
    var watch: String?

    func validate() throws {
        guard let watch else { return }
        if watch.isEmpty { throw ValidationError("--watch needs the name of a file.") }
        guard !options.isAnyGiven else {
            throw ValidationError("--watch takes the plan from \(watch): write the options into it.")
        }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        guard let watch else {
            try await show(options, in: environment)
            return .allDone
        }
        try await follow(PlanFile(path: watch), in: environment)
    }

    private func show(_ options: PlanOptions, in environment: Environment) async throws {
        let sheet = try await PlanSheet(options, over: try common.connection(in: environment))
        guard !common.json else { return try environment.output.line(sheet.json(compare: compare).description) }
        try environment.output.text(sheet.text(compare: compare, columns: environment.columns))
    }

    /// Plans the content of the file now and after each change.
    private func follow(_ file: PlanFile, in environment: Environment) async throws -> Never {
        // Before the first reading, so that no change between the two is missed.
        let watch = try FileWatch(path: file.path)
        defer { watch.end() }
        var last = try await show(file, after: nil, in: environment)
        for await _ in watch.changes { last = try await show(file, after: last, in: environment) }
        throw Failure(.error, name: "FolderGone", "The folder of \(file.path) is gone: there is nothing to watch.")
    }

    /// Shows the plan, or the file's fault, unless nothing changed.
    ///
    /// - Returns: the content of the file.
    private func show(
        _ file: PlanFile,
        after last: PlanFile.Contents?,
        in environment: Environment
    ) async throws -> PlanFile.Contents {
        let contents = file.read()
        guard contents != last else { return contents }
        if !common.json {
            try environment.output.line("\(last == nil ? "" : "\n")\(environment.timeOfDay())  \(file.path)")
        }
        do {
            try await show(try file.options(contents), in: environment)
        } catch let failure as Failure {
            failure.report(in: environment, asJSON: common.json)
        }
        return contents
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
