import Foundation

/// The compiler options for the charts of one folder. The file `charts.json` in the same folder contains them:
///
///     {"access": "public"}
public struct CompilerConfiguration: Sendable, Equatable {
    /// An error in a configuration. The sentence says how to correct the error.
    public struct Refusal: Error, Equatable, CustomStringConvertible {
        /// The sentence that the tool prints.
        public let description: String

        /// An error with this sentence.
        public init(description: String) {
            self.description = description
        }
    }

    /// The access level of the generated code. The default is Swift's default.
    public var access = SwiftEmitter.Access.internal

    /// The options of a folder without a file `charts.json`.
    public init() {}

    /// Reads the options from the content of a file.
    public init(json data: Data) throws(Refusal) {
        guard case .object(let object)? = try? ScriptValue(json: Array(data)) else {
            throw Refusal(description: "not a JSON object; write {\"access\": \"public\"}")
        }
        for (key, _) in object.sorted where key != "access" {
            throw Refusal(description: "unknown key '\(key)'; the only key is access")
        }
        guard let value = object["access"] else { return }
        guard case .string(let name) = value, let wanted = SwiftEmitter.Access(rawValue: name) else {
            throw Refusal(description: "access is \"public\", \"package\" or \"internal\", not \(value.text)")
        }
        access = wanted
    }
}
