import Varlink

/// A setting of the camera as the daemon reports it.
struct PropertyReport {
    let name: String
    /// Nil: the camera does not say now.
    let value: String?
    /// What can be set now, in the camera's order.
    let choices: [String]
    let isWritable: Bool
    /// The setting as it came.
    let json: JSONValue

    /// The answer to `SetProperty`.
    init(_ reply: JSONValue) throws(Failure) {
        try self.init(ReplyFields("property", of: reply), json: reply["property"] ?? .emptyObject)
    }

    private init(_ fields: ReplyFields, json: JSONValue) throws(Failure) {
        name = try fields.string("name")
        value = try fields.optionalString("value")
        choices = try fields.strings("choices")
        isWritable = try fields.bool("isWritable")
        self.json = json
    }

    /// The settings in the answer to `GetCamera`.
    static func list(_ reply: JSONValue) throws(Failure) -> [PropertyReport] {
        let objects = reply["camera"]?["properties"]?.arrayValue ?? []
        var list: [PropertyReport] = []
        for (fields, json) in zip(try ReplyFields("camera", of: reply).objects("properties"), objects) {
            list.append(try PropertyReport(fields, json: json))
        }
        return list
    }

    /// A line per setting under a headline: its name, its value, what it can be set to.
    static func table(_ properties: [PropertyReport]) -> String {
        let rows = properties.map { [$0.name, $0.value ?? "not told", $0.shortChoices] }
        return TextTable.lines([["setting", "value", "can be set to"]] + rows).joined(separator: "\n")
    }

    private static let choicesShownMax = 6

    /// `f/2.8, f/4, f/5.6`; of a long list the beginning, the end and how many there are.
    private var shortChoices: String {
        guard isWritable else { return "nothing else now" }
        guard choices.count > Self.choicesShownMax, let last = choices.last else {
            return choices.isEmpty ? "not told" : choices.joined(separator: ", ")
        }
        let first = choices.prefix(Self.choicesShownMax - 3).joined(separator: ", ")
        return "\(first) … \(last) (\(choices.count) in all)"
    }
}
