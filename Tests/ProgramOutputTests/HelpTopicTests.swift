import Testing

@Suite struct HelpTopicTests {
    @Test(arguments: [
        ("scxml", ["nosuch"]), ("camerasim", ["nosuch"]), ("bracketctl", ["nosuch"]),
        ("bracketctl", ["history", "nosuch"]), ("bracketctl", ["plan", "nosuch"]),
    ])
    func `help about a command that does not exist names it and fails`(program: String, topic: [String]) throws {
        let end = try BuiltProgram.run(program, ["help"] + topic)
        #expect(end.status == 64)
        #expect(end.errors.contains("There is no command 'nosuch', so there is no help for it."))
        #expect(end.output.isEmpty)
    }

    @Test(arguments: [
        ("scxml", ["draw"]), ("camerasim", ["sony"]), ("bracketctl", ["history", "show"]), ("bracketctl", []),
    ])
    func `help about a command that exists is printed`(program: String, topic: [String]) throws {
        let end = try BuiltProgram.run(program, ["help"] + topic)
        #expect(end.status == 0)
        #expect(end.output.contains("USAGE: \(([program] + topic).joined(separator: " "))"))
    }
}
