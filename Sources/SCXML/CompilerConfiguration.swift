import Foundation

/// How the charts of one folder are compiled: what stands in the file `charts.json` beside them, if there is one.
///
///     {"access": "public"}
public struct CompilerConfiguration: Sendable, Equatable {
    /// What is wrong with a configuration, and what to do.
    public struct Refusal: Error, Equatable, CustomStringConvertible {
        /// The sentence to print.
        public let description: String

        /// A refusal in these words.
        public init(description: String) {
            self.description = description
        }
    }

    /// Who may use the generated code. As everywhere in Swift it is the target, unless something else is said.
    public var access = SwiftEmitter.Access.internal

    /// What holds without a file.
    public init() {}

    /// What a file says.
    public init(json data: Data) throws(Refusal) {
        guard case .object(let object)? = try? ScriptValue(json: Array(data)) else {
            throw Refusal(description: "this is no JSON object; write {\"access\": \"public\"}")
        }
        for (key, _) in object.sorted where key != "access" {
            throw Refusal(description: "unknown key '\(key)'; known is: access")
        }
        guard let value = object["access"] else { return }
        guard case .string(let name) = value, let wanted = SwiftEmitter.Access(rawValue: name) else {
            throw Refusal(description: "access is \"public\", \"package\" or \"internal\", not \(value.text)")
        }
        access = wanted
    }
}
