import Foundation
import Testing

/// Compares the handwritten `docs/man` with the programs.
@Suite struct ManPageTests {
    /// The options of each heading or command in a manual page in mdoc(7).
    private struct Page {
        /// The options as typed. The key is the heading, or the command that an item names, under which the page
        /// explains them.
        var options: [String: Set<String>] = [:]
        /// The items that name commands, with the text after their names.
        var commands: [String: String] = [:]
        /// The items that are literal words, such as faults and exit codes.
        var literals: [String: [String]] = [:]

        init(_ name: String) throws {
            let file = Installation.sources.deletingLastPathComponent().appending(path: "docs/man/\(name)")
            var place = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                switch words.prefix(2) {
                case _ where words[0] == ".Sh" || words[0] == ".Ss":
                    place = words.dropFirst().joined(separator: " ")
                case [".It", "Cm"]:
                    let name = words.dropFirst(2).prefix { $0.first?.isUppercase == false }
                    let isKey = words.contains("=")
                    // An item with `=` is a key of a section. Any other item is a command, which has its own options.
                    if isKey {
                        literals[place, default: []].append(words[2])
                    } else {
                        place = name.joined(separator: " ")
                        commands[place] = words.dropFirst(2 + name.count).joined(separator: " ")
                        options[place] = options[place] ?? []
                    }
                case [".It", "Fl"]:
                    for (word, next) in zip(words, words.dropFirst()) where word == "Fl" || word == "," {
                        if next != "Fl" { options[place, default: []].insert("-\(next)") }
                    }
                case [".It", "Li"]:
                    literals[place, default: []].append(words.dropFirst(2).joined(separator: " ").trimmingQuotes)
                case _ where words[0] == ".It" && words.count == 2 && Int(words[1]) != nil:
                    literals[place, default: []].append(words[1])
                default: break
                }
            }
        }
    }

    /// A program's description of itself (`--experimental-dump-help`).
    private struct Dump: Decodable {
        struct Command: Decodable {
            var commandName: String
            var discussion: String?
            var arguments: [Argument]?
            var subcommands: [Command]?

            /// The options as the user types them.
            var options: Set<String> {
                Set((arguments ?? []).flatMap { $0.names ?? [] }.map { ($0.kind == "short" ? "-" : "--") + $0.name })
            }

            /// The command and all subcommands, each with its full name.
            func flattened(_ path: [String] = []) -> [(name: String, options: Set<String>)] {
                [(path.joined(separator: " "), options)]
                    + (subcommands ?? []).filter { $0.commandName != "help" }
                    .flatMap { $0.flattened(path + [$0.commandName]) }
            }
        }
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var names: [Name]?
        }
        var command: Command
    }

    private static func dump(_ program: String) throws -> Dump.Command {
        let run = try Command(Command.built(program), ["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command
    }

    private static let help: Set<String> = ["-h", "--help"]
    private static let version: Set<String> = ["--version"]

    @Test func `bracketctl(1) has every command with its options, and no others`() throws {
        let page = try Page("bracketctl.1")
        let root = try Self.dump("bracketctl")
        let common = try #require(page.options["DESCRIPTION"])
        #expect(common.union(Self.version) == root.options)
        let planned = try #require(page.options["What to fire"])
        var seen: Set<String> = ["help"]
        for command in root.flattened() where !command.name.isEmpty {
            seen.insert(command.name)
            var own = command.options.subtracting(common).subtracting(Self.version)
            // The points of `meter` have two of the names.
            if own.contains("--strict") {
                #expect(planned.isSubset(of: own), "\(command.name)")
                own.subtract(planned)
                #expect(page.commands[command.name]?.hasPrefix("Oo Ar options Oc") == true, "\(command.name)")
            }
            #expect(page.options[command.name] == own, "\(command.name)")
        }
        #expect(seen.count > 20, "few commands were found: this test tests nothing")
        #expect(Set(page.commands.keys) == seen)
    }

    @Test func `bracketd(8) has every option`() throws {
        let help = try Command(Command.built("bracketd"), ["--help"]).output
        let rows = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
        let options = rows.flatMap { $0.matches(of: /(?:^  |, )(-[a-z-]+)/).map { String($0.output.1) } }
        #expect(rows.count > 5)
        #expect(try Page("bracketd.8").options["DESCRIPTION"] == Set(options))
    }

    @Test func `camerasim(1) has every option and every fault`() throws {
        let page = try Page("camerasim.1")
        let commands = try Self.dump("camerasim").flattened()
        #expect(Set(commands.map(\.name)) == ["", "sony", "canon", "nikon", "sony-http", "list"])
        let makers = commands.filter { !["", "list"].contains($0.name) }
        let explained = (page.options["Options"] ?? []).union(page.options["Discovery"] ?? [])
        let options = makers.map(\.options).reduce(Set()) { $0.union($1) }
        #expect(explained == options.subtracting(Self.help).subtracting(Self.version))
        #expect(Self.version.isSubset(of: try #require(commands.first).options))
        struct List: Decodable {
            struct Fault: Decodable { var form: String }
            var faults: [Fault]
        }
        let list = try Command(Command.built("camerasim"), ["list", "--json"])
        let forms = try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).faults.map(\.form)
        #expect(page.literals["Faults"] == forms)
    }

    @Test func `bracketd.toml(5) has every key that the daemon knows, and no others`() throws {
        let page = try Page("bracketd.toml.5")
        let keys = page.literals.flatMap { section, keys in keys.map { "\(section).\($0)" } }
        let known = try SampleConfigurationTests.known().map { "[" + $0.replacing(".", with: "].") }
        #expect(keys.sorted() == known.sorted())
    }

    @Test(arguments: [("bracketctl", "bracketctl.1"), ("bracketd", "bracketd.8")])
    func `the exit codes are those that the program names`(program: String, page: String) throws {
        let help = try Command(Command.built(program), ["--help"]).output
        let text = help.split(separator: "Exit codes:").last?.prefix { $0 != "." } ?? ""
        let named = text.matches(of: /\b([0-9]+) [a-z]/).map { String($0.output.1) }
        #expect(named.count > 2)
        #expect(try Page(page).literals["EXIT STATUS"] == named)
    }

    @Test(
        .enabled(if: Command.isThere("mandoc")),
        arguments: ["bracketctl.1", "bracketd.8", "bracketd.toml.5", "camerasim.1"]
    )
    func `mandoc finds no warning`(page: String) throws {
        let file = Installation.sources.deletingLastPathComponent().appending(path: "docs/man/\(page)").path
        let run = try Command("mandoc", ["-T", "lint", "-W", "warning", file])
        #expect(run.isSilentSuccess, "\(run)")
    }
}

extension String {
    fileprivate var trimmingQuotes: String { trimmingCharacters(in: ["\""]) }
}
