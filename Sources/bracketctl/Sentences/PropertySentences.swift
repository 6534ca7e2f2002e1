/// The sentences of `get`, `set` and the table of settings.
enum PropertySentences {
    // MARK: The table

    static let notReported = "not reported"
    static let noOtherValue = "no other value now"

    /// - Parameter first: The first choices of the list.
    static func choices(_ first: [String], last: String, count: Int) -> String {
        let first = first.joined(separator: ", ")
        return "\(first) … \(last) (\(count) in all)"
    }

    // MARK: A setting that cannot be shown

    static let noSettings = "The camera reports no settings."

    static func unknown(_ name: String, settings: [String]) -> String {
        let settings = settings.joined(separator: ", ")
        return "The camera has no setting '\(name)'. Its settings are \(settings)."
    }

    static func noValue(_ name: String) -> String { "The camera does not report its \(name) now." }

    static func notWritable(_ name: String) -> String { "The camera does not allow its \(name) to be set now." }

    static func noChoices(_ name: String) -> String { "The camera does not report the choices of its \(name)." }
}
