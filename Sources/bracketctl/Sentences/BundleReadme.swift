/// The README.txt of a bundle.
enum BundleReadme {
    /// - Parameter missing: One sentence for each missing part.
    static func text(_ entries: [Bundle.Entry], missing: [String]) -> String {
        let sections: [(title: String, lines: [String])] = [
            ("Included:", entries.map { "\($0.name), \($0.byteCount) bytes: \($0.what)." }),
            ("Missing:", missing.isEmpty ? [nothingMissing] : missing),
            ("Never included:", neverIncluded),
            ("Private data that is included:", privateData),
        ]
        var lines = ["bracketctl bundle packed this folder for a fault report about bracketd."]
        for section in sections { lines += ["", section.title] + section.lines.map { "  \($0)" } }
        lines.append("Check this data before you publish the bundle. Or send the bundle to one person only.")
        return lines.joined(separator: "\n") + "\n"
    }

    private static let nothingMissing = "Nothing is missing."

    private static let neverIncluded = [
        "Pictures, and the bytes of pictures that the daemon received.",
        "The number by which cameras identify this computer.",
        "Values of the configuration whose names mark them as secret.",
        "Journal entries of other programs, and the name of this computer in the journal.",
    ]

    private static let privateData = [
        "The names, models and serial numbers of cameras.",
        "The names (SSIDs) and hardware addresses of networks.",
        "The addresses of this computer, and of the devices that answered in these networks.",
        "The names of folders, which may contain names of people.",
        "The times and settings of shoots, and the names of the picture files.",
    ]
}
