package struct VarlinkInterface: Sendable {
    /// The reverse-domain name, as in `io.bracketd`.
    package let name: String
    /// The interface definition as text, for introspection.
    package let text: String
    package let types: [String: VarlinkType]
    package let methods: [String: Method]
    package let errors: [String: VarlinkType]

    /// The parameters and the reply of a method; both are structures.
    package struct Method: Hashable, Sendable {
        package let input: VarlinkType
        package let output: VarlinkType

        package init(input: VarlinkType, output: VarlinkType) {
            self.input = input
            self.output = output
        }
    }

    /// Parses an interface definition. Every named type must be defined in it, and exactly once.
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
    /// Accepts integers too, because JSON does not distinguish them.
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

/// An error in an interface definition, with its line.
package struct VarlinkInterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}
