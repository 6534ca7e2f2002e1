import Foundation
import ProgramOutput
import Testing

/// Tests the programs when their output cannot be written.
@Suite struct UnwritableOutputTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// A command that writes to standard output.
    struct Command: CustomTestStringConvertible, Sendable {
        let program: String
        let arguments: [String]

        init(_ line: String) {
            let words = line.split(separator: " ").map(String.init)
            program = words[0]
            arguments = Array(words.dropFirst())
        }

        var testDescription: String { ([program] + arguments).joined(separator: " ") }

        /// The arguments with the names of the files that the commands use.
        func arguments(in folder: Folder) throws -> [String] {
            let good = try folder.write(UnwritableOutputTests.chart, to: "good.scxml")
            let bad = try folder.write("<scxml/>", to: "bad.scxml")
            let journal = try folder.write(UnwritableOutputTests.journal, to: "journal")
            let files = ["GOOD": good, "BAD": bad, "JOURNAL": journal]
            return arguments.map { files[$0] ?? $0 }
        }
    }

    private static let chart = """
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Good" initial="a">
          <state id="a"><transition target="b"/></state>
          <final id="b"/>
        </scxml>
        """

    private static let journal =
        "{\"replay\":1,\"digest\":\"\",\"source\":\"good.scxml\"}\n{\"at\":1,\"input\":\"e\"}\n"

    private static let writing = [
        "scxml run GOOD", "scxml run GOOD --json", "scxml emit GOOD", "scxml draw GOOD --svg",
        "scxml draw GOOD --mermaid",
        "scxml draw GOOD --dot", "scxml check BAD --json", "scxml replay JOURNAL --against-changed-chart",
        "scxml --help",
        "scxml run --help", "scxml help draw", "scxml --version", "scxml --generate-completion-script bash",
        "bracketctl plan", "bracketctl plan --json", "bracketctl charts", "bracketctl charts shooting --svg",
        "bracketctl --help", "bracketctl help plan", "bracketctl --version",
        "bracketd --check", "bracketd --help", "bracketd --version",
        "camerasim list", "camerasim list --json", "camerasim --help", "camerasim --version",
        "bracketsim --seed 1 --scenario", "bracketsim --help", "bracketsim --version",
    ].map(Command.init)

    @Test(arguments: writing) func `a full disk is an error with a sentence`(command: Command) throws {
        let end = try BuiltProgram.run(command.program, command.arguments(in: folder), ">/dev/full")
        #expect(end.status == 1)
        #expect(
            end.errors.hasSuffix(
                "\(command.program): standard output cannot be written: No space left on device.\n"
            ),
            "\(end.errors)"
        )
    }

    @Test(arguments: writing) func `a closed standard output is an error with a sentence`(command: Command) throws {
        let end = try BuiltProgram.run(command.program, command.arguments(in: folder), ">&-")
        #expect(end.status == 1)
        #expect(
            end.errors.hasSuffix("\(command.program): standard output cannot be written: Bad file descriptor.\n"),
            "\(end.errors)"
        )
    }

    @Test(arguments: writing) func `a closed reader ends the program without a message`(command: Command) throws {
        let end = try BuiltProgram.runWithoutReader(command.program, command.arguments(in: folder))
        #expect(end.signal == SIGPIPE || end.status == 1)
        #expect(!end.errors.contains("cannot be written"), "\(end.errors)")
    }

    @Test(
        arguments: [
            "scxml run BAD", "scxml check BAD", "scxml draw BAD --svg", "scxml emit BAD", "scxml run nosuch",
            "bracketctl plan --frames 4", "bracketd --check --config nosuch", "camerasim sony --model nosuch",
            "camerasim sony --listen nosuch:1", "bracketsim",
        ].map(Command.init),
        ["2>&-", "2>/dev/full", "0<&- 1>&- 2>&-"]
    )
    func `an error message that cannot be written leaves the exit status`(command: Command, streams: String) throws {
        let arguments = try command.arguments(in: folder)
        let usual = try BuiltProgram.run(command.program, arguments)
        let end = try BuiltProgram.run(command.program, arguments, streams)
        #expect(end.status == usual.status)
        #expect(end.status != 0)
    }

    @Test func `a warning that cannot be written gives a failure status`() throws {
        let chart = try folder.write(
            Self.chart.replacing("<transition ", with: "<transition cond=\"open\" "),
            to: "guarded.scxml"
        )
        #expect(try BuiltProgram.run("scxml", ["run", chart]).status == 0)
        #expect(try BuiltProgram.run("scxml", ["run", chart], "2>/dev/full").status == 1)
    }

    // The program opens its sockets before it writes its address. One of them would get the number of standard output.
    @Test(arguments: [">&-", "0<&- 1>&-"])
    func `with a closed standard output nothing is written into a file that the program opens`(
        streams: String
    ) throws {
        let end = try BuiltProgram.run("camerasim", ["sony", "--listen", "127.0.0.1:0"], streams)
        #expect(end.status == 1)
        #expect(end.errors == "camerasim: standard output cannot be written: Bad file descriptor.\n")
    }

    @Test func `the simulator stops if its address cannot be printed`() throws {
        let end = try BuiltProgram.run("camerasim", ["sony", "--listen", "127.0.0.1:0"], ">/dev/full")
        #expect(end.status == 1)
        #expect(end.errors == "camerasim: standard output cannot be written: No space left on device.\n")
    }

    @Test func `every program has the same version`() throws {
        let versions = try ["scxml", "bracketctl", "bracketd", "camerasim", "bracketsim"].map {
            try BuiltProgram.run($0, ["--version"]).output
        }
        #expect(versions == Array(repeating: ProgramVersion.current + "\n", count: 5))
    }
}
