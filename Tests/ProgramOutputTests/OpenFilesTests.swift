import Testing

/// Tests programs with a low limit of open files. Event loops and the runtime would crash under it.
struct OpenFilesTests {
    private static let programs: [(name: String, arguments: [String])] = [
        ("bracketctl", ["plan"]), ("bracketctl", ["status", "--socket", "/nowhere"]), ("bracketd", ["--check"]),
        ("bracketsim", ["--seed", "1", "--faults", "none"]),
        ("camerasim", ["list"]), ("scxml", ["check", "/dev/null"]),
    ]

    @Test(arguments: programs, [6, 8, 12, 16])
    func `a program that can open too few files reports it and exits with 1`(
        program: (name: String, arguments: [String]),
        limit: Int
    ) throws {
        let end = try BuiltProgram.run(program.name, program.arguments, limit: "ulimit -n \(limit)")
        #expect(end.status == 1, "\(end)")
        #expect(end.output == "")
        #expect(end.errors.hasPrefix("\(program.name): Only "), "\(end.errors)")
        #expect(end.errors.contains(" more files can be opened, but "))
        #expect(end.errors.split(separator: "\n").count == 1)
    }

    @Test func `a limit that the program may raise is raised`() throws {
        let end = try BuiltProgram.run("bracketctl", ["plan"], limit: "ulimit -S -n 8")
        #expect(end.status == 0)
        #expect(end.errors == "")
    }
}
