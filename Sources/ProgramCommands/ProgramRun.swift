import ArgumentParser
import ProgramOutput

// The parser's own `main` prints through a buffer and ignores its errors, so `--help >/dev/full` would succeed.

extension ParsableCommand {
    /// Runs the program with its arguments and exits. The status is 1 if the output cannot be written.
    ///
    /// - Parameter openFiles: the number of files that the program must be able to open.
    package static func runProgram(openFiles: Int) -> Never {
        StandardStream.occupyClosed()
        OpenFiles.require(openFiles, for: _commandName)
        do {
            var command = try parseAsRoot()
            try refuseUnknownHelpTopic(Array(CommandLine.arguments.dropFirst()), parsed: command)
            try command.run()
            StandardStream.endProgram(0)
        } catch {
            StandardStream.endProgram(status(of: error))
        }
    }

    /// Prints why the program ends and returns its status.
    fileprivate static func status(of error: any Error) -> CInt {
        if let failure = error as? OutputFailure { return StandardStream.report(failure, of: _commandName) }
        let code = exitCode(for: error).rawValue
        let text = fullMessage(for: error)
        if text.isEmpty { return code }
        guard code == 0 else {
            StandardStream.errors.message(text)
            return code
        }
        // The user asked for help, the version, or completions.
        do throws(OutputFailure) {
            try StandardStream.output.line(text)
            return code
        } catch {
            return status(of: error)
        }
    }
}

extension AsyncParsableCommand {
    /// Runs an asynchronous program. Call `StandardStream.occupyClosed` and `OpenFiles.require` first: both must run
    /// before the runtime opens its own files.
    package static func runProgram() async -> Never {
        do {
            var command = try parseAsRoot()
            try refuseUnknownHelpTopic(Array(CommandLine.arguments.dropFirst()), parsed: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            StandardStream.endProgram(0)
        } catch {
            StandardStream.endProgram(status(of: error))
        }
    }
}
