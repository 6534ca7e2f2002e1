import ArgumentParser
import Varlink

struct PlanCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows the sets and frames of a bracket. Works without the daemon.",
        discussion: """
            With a connected camera, the command shows the plan that bracketctl shoot would fire. The plan has the \
            camera's own speeds and the learned times. bracketctl shoot --plan HASH fires exactly this plan. Without a \
            camera, the command says why no camera was used. With --strict, the daemon refuses a plan that the camera \
            would change.

            Each line of the FILE of --watch is an option of this command, such as --shadow 1/4. Empty lines and lines \
            that begin with # are ignored. A line that cannot be read is reported, and the watch continues.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions

    @Flag(help: "Also list the cost and the range of every choice of frames and spacing.")
    var compare = false

    @Option(file: "Plan the options in this file now and after each change of the file, until interrupted.")
    var watch: String?

    func validate() throws {
        guard let watch else { return }
        if watch.isEmpty { throw ValidationError(UsageSentences.needsFile("--watch")) }
        guard !options.isAnyGiven else {
            throw ValidationError(UsageSentences.planInFile(watch))
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

    /// Shows the plan in the file now and after each change.
    private func follow(_ file: PlanFile, in environment: Environment) async throws -> Never {
        // The watch begins before the file is first read, so that the watch reports every later change.
        let watch = try FileWatch(path: file.path)
        defer { watch.end() }
        var last = try await show(file, after: nil, in: environment)
        for await _ in watch.changes { last = try await show(file, after: last, in: environment) }
        throw Failure("FolderGone", FileSentences.folderGone(of: file.path))
    }

    /// Shows the plan, or the error in the file. Shows nothing if the content is unchanged.
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
