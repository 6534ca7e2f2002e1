import Foundation
import Varlink

/// The objects that commands print, according to docs/json.md.
struct JSONPage {
    indirect enum Kind: Equatable, Sendable {
        case string, integer, number, boolean
        case object
        case list(Kind)
        case nullable(Kind)
        /// An object of the second half of the page.
        case named(String)
    }

    /// A table of the page: an object with its members.
    struct Object {
        /// The heading above the object and its position there: `watch`, `shoot 2`.
        let name: String
        var members: [String: Kind] = [:]
        /// The objects whose members this object also has.
        var included: [String] = []
    }

    /// A difference between the page and a program.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var commands: [String: [Object]] = [:]
    /// The object of every command that fails.
    private(set) var error = Object(name: "Errors")
    private var objects: [String: Object] = [:]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/json.md"), encoding: .utf8)
        var heading = ""
        var table: Object?
        var tables: [(heading: String, object: Object)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
            guard line.hasPrefix("|") else {
                if let table { tables.append((heading, table)) }
                table = nil
                continue
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.first == "member" {
                table = Object(name: "\(heading) \(tables.count { $0.heading == heading } + 1)")
            } else if cells.first?.hasPrefix("---") == false {
                try table?.add(cells)
            }
        }
        for (heading, object) in tables {
            if heading == "Errors" { error = object }
            let names = heading.split(separator: "`").filter { !$0.contains(",") }.map(String.init)
            guard heading.contains("`") else {
                objects[heading] = object
                continue
            }
            for name in names { commands[name, default: []].append(object) }
        }
    }

    /// Every member with the type of its value, including those of included objects.
    private func members(of object: Object) throws -> [String: Kind] {
        try object.included.reduce(into: object.members) { all, name in
            guard let other = objects[name] else { throw Fault(description: "the page has no object \(name)") }
            all.merge(try members(of: other)) { own, _ in own }
        }
    }

    /// Compares an object that a command printed with the objects of the page.
    ///
    /// - Parameter seen: receives the members that were found, each as `object.member`.
    func check(_ value: JSONValue, of command: String, seen: inout Set<String>) throws {
        guard let names = value.objectValue?.keys else { throw Fault(description: "\(command): no object: \(value)") }
        let documented = (commands[command] ?? []) + [error]
        guard let object = try documented.first(where: { names.allSatisfy(try members(of: $0).keys.contains) })
        else {
            throw Fault(description: "\(command): docs/json.md has no such object: \(value)")
        }
        try check(value, object, command, &seen)
    }

    private func check(_ value: JSONValue, _ object: Object, _ place: String, _ seen: inout Set<String>) throws {
        guard let values = value.objectValue else { throw Fault(description: "\(place) is no object: \(value)") }
        let members = try members(of: object)
        for (name, value) in values {
            guard let kind = members[name] else {
                throw Fault(description: "\(place): docs/json.md does not have \(name) in \(object.name)")
            }
            seen.insert("\(object.name).\(name)")
            try check(value, kind, "\(place).\(name)", &seen)
        }
    }

    private func check(_ value: JSONValue, _ kind: Kind, _ place: String, _ seen: inout Set<String>) throws {
        switch (kind, value) {
        case (.nullable, .null), (.string, .string), (.integer, .int), (.number, .int), (.number, .double),
            (.boolean, .bool), (.object, .object):
            return
        case (.nullable(let kind), _): try check(value, kind, place, &seen)
        case (.list(let kind), .array(let values)):
            for value in values { try check(value, kind, "\(place)[]", &seen) }
        case (.named(let name), .object):
            guard let object = objects[name] else { throw Fault(description: "the page has no object \(name)") }
            try check(value, object, place, &seen)
        default: throw Fault(description: "\(place) is documented as \(kind), and is \(value)")
        }
    }

    /// All documented members of a command, each as `object.member`.
    func documented(for command: String) throws -> Set<String> {
        var names: Set<String> = []
        for object in commands[command] ?? [] { try collect(object, &names) }
        return names
    }

    private func collect(_ object: Object, _ names: inout Set<String>) throws {
        for (name, kind) in try members(of: object) {
            guard names.insert("\(object.name).\(name)").inserted, let inner = kind.objectName else { continue }
            guard let object = objects[inner] else { throw Fault(description: "the page has no object \(inner)") }
            try collect(object, &names)
        }
    }
}

extension JSONPage.Object {
    /// - Parameter cells: the cells of a row: names, type, meaning.
    fileprivate mutating func add(_ cells: [String]) throws {
        if cells[0].hasPrefix("all of [") {
            included.append(String(cells[0].dropFirst("all of [".count).prefix { $0 != "]" }))
            return
        }
        guard cells.count == 3, let kind = JSONPage.Kind(cells[1]) else {
            throw JSONPage.Fault(description: "\(name): no row of the page: \(cells)")
        }
        for name in cells[0].split(separator: "`") where !name.contains(",") { members[String(name)] = kind }
    }
}

extension JSONPage.Kind {
    private static let plain: [String: JSONPage.Kind] = [
        "string": .string, "integer": .integer, "number": .number, "boolean": .boolean, "object": .object,
    ]

    /// Reads a type, such as `list of string or null`.
    fileprivate init?(_ text: String) {
        if text.hasSuffix(" or null") {
            guard let kind = Self(String(text.dropLast(" or null".count))) else { return nil }
            self = .nullable(kind)
        } else if text.hasPrefix("list of ") {
            guard let kind = Self(String(text.dropFirst("list of ".count))) else { return nil }
            self = .list(kind)
        } else if text.hasPrefix("[") {
            self = .named(String(text.dropFirst().prefix { $0 != "]" }))
        } else {
            guard let kind = Self.plain[text] else { return nil }
            self = kind
        }
    }

    /// The object that the values have, or that the values of a list have.
    fileprivate var objectName: String? {
        switch self {
        case .named(let name): name
        case .list(let kind), .nullable(let kind): kind.objectName
        case .string, .integer, .number, .boolean, .object: nil
        }
    }
}
