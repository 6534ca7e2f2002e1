import JSON

/// Why a scene's file cannot be used, and which values are valid.
enum SceneSentences {
    static func unreadable(_ path: String, _ error: SystemError) -> String { "\(path) cannot be read: \(error)" }

    static let tooLong = "a scene has at most \(SceneFile.byteCountMax >> 20) MiB"

    static func notJSON(_ error: JSONError) -> String { "the scene is not JSON: \(error)" }

    static func otherVersion(_ version: Int) -> String {
        "scene: \(version) is the number of another format; write \"scene\": 1"
    }

    /// - Parameter place: The member, such as `shapes[2].ev`; empty: the whole file.
    static func wrong(_ place: String, _ expected: String) -> String {
        "\(place.isEmpty ? "the scene" : place): write \(expected)"
    }

    static let noObject = "an object"
    static let text = "a string"
    static let noKind = "one of rect, disc and ramp"
    static let steps = "a list of pairs: the second, and the change in EV"
    static let limits = "the fastest index before the slowest"

    static func number(_ range: ClosedRange<Double>) -> String {
        "a number from \(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    static func integer(_ range: ClosedRange<Int>) -> String { "a whole number of at least \(range.lowerBound)" }

    static func numbers(_ ranges: [ClosedRange<Double>]) -> String {
        let parts = ranges.map { "\(text($0.lowerBound)) to \(text($0.upperBound))" }
        return "\(ranges.count) numbers: \(parts.joined(separator: ", "))"
    }

    static func list(max: Int) -> String { "a list of at most \(max) items" }

    static func oneOf(_ names: [String]) -> String { "one of \(names.joined(separator: ", "))" }

    /// The note about a member without effect.
    static func unknownMember(_ place: String) -> String { "--scene: \(place) is not known and has no effect" }

    static func noSpeeds(model: String) -> String {
        "--scene: limits cannot be set for \(model), whose speeds are fixed."
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e12 ? "\(Int64(number))" : "\(number)"
    }
}
