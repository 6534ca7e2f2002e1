import Foundation

/// The input of a run: a JSON array of `{"name": "…", "data": …}` and `{"after": MILLISECONDS}`.
public enum RunScript {
    /// The reason why a script is refused, as a sentence.
    public struct Refusal: Error, Equatable {
        /// The error, its position, and how to correct it.
        public let message: String
    }

    static let elementsMax = 1_000_000
    /// The maximum size of a script in bytes.
    public static let sizeMax = 64 << 20
    static let millisecondsMax: Int64 = 1_000_000_000_000

    /// Reads a script.
    public static func read(_ data: Data) throws(Refusal) -> [RunElement] {
        guard data.count <= sizeMax else { throw Refusal(message: "events: more than \(sizeMax) bytes") }
        let value: ScriptValue
        do throws(ScriptError) {
            value = try ScriptValue(json: Array(data), sizeMax: .max)
        } catch {
            throw Refusal(message: "events: \(error.message)")
        }
        guard case .array(let elements) = value else {
            throw Refusal(message: "events: not a JSON array of {\"name\": …} and {\"after\": MILLISECONDS}")
        }
        guard elements.count <= elementsMax else {
            throw Refusal(message: "events: \(elements.count) elements; at most \(elementsMax) are allowed")
        }
        var result: [RunElement] = []
        var total: Int64 = 0
        for (index, element) in elements.enumerated() {
            let read = try Self.element(element, index)
            if case .after(let milliseconds) = read { total += milliseconds }
            guard total <= millisecondsMax else {
                throw Refusal(message: "events: element \(index) moves the clock past \(millisecondsMax) ms")
            }
            result.append(read)
        }
        return result
    }

    private static func element(_ value: ScriptValue, _ index: Int) throws(Refusal) -> RunElement {
        guard case .object(let members) = value else {
            throw Refusal(message: "events: element \(index) is not an object")
        }
        let keys = Set(members.map(\.key))
        switch (members["name"], members["after"]) {
        case (.string(let name)?, nil) where RunEvents.canBeName(name) && keys.isSubset(of: ["name", "data"]):
            let data = members["data"] ?? .undefined
            guard data.size <= ScriptLimits.valueSizeMax else {
                let message = "events: the data of element \(index) is larger than \(ScriptLimits.valueSizeMax)"
                throw Refusal(message: message)
            }
            return .event(name, data)
        case (nil, .number(let time)?)
        where keys == ["after"] && time >= 0 && time <= Double(millisecondsMax) && time == time.rounded():
            return .after(Int64(time))
        default:
            throw Refusal(
                message: "events: element \(index) is neither {\"name\": \"…\"}, with or without \"data\", "
                    + "nor {\"after\": MILLISECONDS} with a whole number from 0 up"
            )
        }
    }
}
