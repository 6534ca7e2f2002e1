/// Each text of bracketctl with example values, for the list that a reviewer reads.
enum Examples {
    static let socket = "/run/bracketd/io.bracketd"

    /// The subjects, and their texts in the order of the sources.
    static let all: [(subject: String, texts: [String])] = [
        ("failures", failures),
        ("files", files),
        ("arguments", arguments),
        ("checks", checks),
        ("orders", orders),
        ("cameras", cameras),
        ("settings", properties),
        ("plans", plans),
        ("shoots", shoots),
        ("phases", phases),
        ("history", history),
        ("charts", charts),
        ("bundle", bundle),
        ("parts of a bundle", bundleParts),
        ("README.txt of a bundle", bundleReadme),
        ("sort", sort),
        ("meter", meter),
        ("snapshot", snapshot),
        ("replay", replay),
    ]
}
