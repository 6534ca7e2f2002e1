import VarlinkIDL

/// Writes an interface as Swift code. Each type, the parameters and reply of each method, and the parameters of each
/// error become a structure. One enum has a case for each method call.
struct SwiftEmitter {
    /// An error: the emitter has no Swift code for this feature of the interface language.
    struct Unsupported: Error {
        var what: String
    }

    private let interface: VarlinkInterface
    private var lines: [String] = []

    private init(_ interface: VarlinkInterface) { self.interface = interface }

    static func emit(_ interface: VarlinkInterface, source: String) throws(Unsupported) -> String {
        var emitter = SwiftEmitter(interface)
        try emitter.emitAll(source)
        return emitter.lines.joined(separator: "\n") + "\n"
    }

    private mutating func emitAll(_ source: String) throws(Unsupported) {
        lines += ["// Generated from \(source) by varlinkc.", "import Varlink", ""]
        let name = interface.name.split(separator: ".").last.map(String.init) ?? interface.name
        lines += ["package enum \(name.prefix(1).uppercased() + name.dropFirst()) {"]
        lines += ["    package static let text = #\"\"\"", interface.text, "\"\"\"#"]
        for (name, type) in interface.types.sorted(by: { $0.key < $1.key }) {
            try emit(name, type, "VarlinkStructure", indent: 1)
        }
        let methods = interface.methods.sorted { $0.key < $1.key }
        for (name, method) in methods {
            let reply = method.output
            try emit(name, method.input, "VarlinkMethod", indent: 1) { emitter throws(Unsupported) in
                emitter.emitName(name)
                try emitter.emit("Reply", reply, "VarlinkStructure", indent: 2)
            }
        }
        for (name, type) in interface.errors.sorted(by: { $0.key < $1.key }) {
            try emit(name, type, "VarlinkErrorParameters", indent: 1) { emitter in emitter.emitName(name) }
        }
        emitCalls(methods.map(\.key))
        lines.append("}")
    }

    private mutating func emitName(_ name: String) {
        lines.append("        package static let name = \"\(interface.name).\(name)\"")
    }

    private mutating func emit(
        _ name: String,
        _ type: VarlinkType,
        _ conformance: String,
        indent: Int,
        _ extra: (inout SwiftEmitter) throws(Unsupported) -> Void = { _ in }
    ) throws(Unsupported) {
        guard case .structure(let fields) = type else {
            throw Unsupported(what: "\(name) is not a structure")
        }
        let outer = String(repeating: "    ", count: indent)
        let inner = outer + "    "
        lines += ["", "\(outer)package struct \(name): \(conformance) {"]
        var parameters: [String] = []
        for field in fields {
            let type = try Self.swift(field.type, of: "\(name).\(field.name)")
            lines.append("\(inner)package var \(Self.escaped(field.name)): \(type)")
            parameters.append("\(field.name): \(type)\(field.isOptional ? " = nil" : "")")
        }
        try extra(&self)
        lines += ["", "\(inner)package init(\(parameters.joined(separator: ", "))) {"]
        lines += fields.map { "\(inner)    self.\($0.name) = \(Self.escaped($0.name))" } + ["\(inner)}"]
        lines += ["", "\(inner)package init(_ members: VarlinkMembers) throws(VarlinkMismatch) {"]
        lines += fields.map {
            "\(inner)    self.\($0.name) = try members.\($0.isOptional ? "optional" : "required")(\"\($0.name)\")"
        }
        lines += ["\(inner)}", "", "\(inner)package var json: JSONValue {"]
        if fields.isEmpty {
            lines.append("\(inner)    .emptyObject")
        } else {
            let members = fields.map { "\"\($0.name)\": self.\($0.name)\($0.isOptional ? "?" : "").json" }
            lines.append("\(inner)    .object(leavingOutNil: [\(members.joined(separator: ", "))])")
        }
        lines += ["\(inner)}", "\(outer)}"]
    }

    private mutating func emitCalls(_ methods: [String]) {
        lines += ["", "    package enum Call: Sendable {"]
        lines += methods.map { "        case \(Self.escaped(Self.lowercased($0)))(\($0))" }
        lines += [
            "", "        /// - Returns: nil: the interface has no such method.",
            "        package init?(_ method: String, _ parameters: JSONValue) throws(VarlinkMismatch) {",
            "            switch method {",
        ]
        lines += methods.map {
            "            case \($0).name: self = .\(Self.lowercased($0))(try \($0)(parameters))"
        }
        lines += ["            default: return nil", "            }", "        }", "    }"]
    }

    private static func swift(_ type: VarlinkType, of place: String) throws(Unsupported) -> String {
        switch type {
        case .bool: "Bool"
        case .int: "Int"
        case .float: "Double"
        case .string: "String"
        case .named(let name): name
        case .optional(let type): "\(try swift(type, of: place))?"
        case .array(let type): "[\(try swift(type, of: place))]"
        case .object, .dictionary, .structure, .enumeration:
            throw Unsupported(what: "\(place): only simple types, named types, lists and optional types are supported")
        }
    }

    private static func lowercased(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    private static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let keywords: Set<String> = [
        "as", "break", "case", "class", "continue", "default", "defer", "do", "else", "enum", "extension", "false",
        "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private",
        "protocol", "public", "repeat", "return", "self", "static", "struct", "super", "switch", "throw", "throws",
        "true",
        "try", "var", "where", "while",
    ]
}

extension VarlinkType.Field {
    fileprivate var isOptional: Bool { if case .optional = type { true } else { false } }
}
