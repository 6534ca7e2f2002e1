package struct VarlinkInterface: Sendable {
    /// The interface's name in reverse domain order, for example `io.bracketd`.
    package let name: String
    /// The text of the interface definition. Clients can ask for it (introspection).
    package let text: String
    package let types: [String: VarlinkType]
    package let methods: [String: Method]
    package let errors: [String: VarlinkType]

    /// The parameters and the reply of a method. Both are structures.
    package struct Method: Hashable, Sendable {
        package let input: VarlinkType
        package let output: VarlinkType

        package init(input: VarlinkType, output: VarlinkType) {
            self.input = input
            self.output = output
        }
    }

    /// Parses an interface definition. It must define every named type exactly once.
    package init(parsing text: String) throws(VarlinkInterfaceError) {
        var parser = VarlinkInterfaceParser(text: text)
        let definition = try parser.parse()
        name = definition.name
        types = definition.types
        methods = definition.methods
        errors = definition.errors
        self.text = text
    }
}

/// A type of the interface language (varlink.org, "Interface Definition").
package indirect enum VarlinkType: Hashable, Sendable {
    case bool
    case int
    /// A number. An integer is also allowed, because JSON does not distinguish integers from other numbers.
    case float
    case string
    /// Any JSON value that is not null.
    case object
    case named(String)
    case optional(VarlinkType)
    case array(VarlinkType)
    case dictionary(VarlinkType)
    case structure([Field])
    case enumeration([String])

    package struct Field: Hashable, Sendable {
        package let name: String
        package let type: VarlinkType

        package init(_ name: String, _ type: VarlinkType) {
            self.name = name
            self.type = type
        }
    }
}

/// An error in an interface definition, with the number of its line.
package struct VarlinkInterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}
