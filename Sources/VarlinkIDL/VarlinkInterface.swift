/// An interface as its description defines it: what methods there are, and what they take and return.
package struct VarlinkInterface: Sendable {
    /// The reverse-domain name, as in `io.bracketd`.
    package let name: String
    /// The text that the interface was read from; served by introspection.
    package let text: String
    package let types: [String: VarlinkType]
    package let methods: [String: Method]
    /// The parameters of each error.
    package let errors: [String: VarlinkType]

    /// What a method takes and returns; both are structures.
    package struct Method: Hashable, Sendable {
        package let input: VarlinkType
        package let output: VarlinkType

        package init(input: VarlinkType, output: VarlinkType) {
            self.input = input
            self.output = output
        }
    }

    /// Reads the text of an interface; every type that it names is defined in it, and nothing twice.
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
    /// Takes integers too: JSON does not tell them apart.
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

    /// A member of a structure.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let type: VarlinkType

        package init(_ name: String, _ type: VarlinkType) {
            self.name = name
            self.type = type
        }
    }
}

/// Where and why a text is no interface.
package struct VarlinkInterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}
