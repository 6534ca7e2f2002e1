import Testing

/// Only a maker's own folders contain code about the maker.
struct MakerTests {
    /// The targets above the drivers and the bodies.
    private static let neutral = ["Controller", "Flight", "Host", "Interface", "Worlds", "bracketsim"]

    @Test(arguments: [
        #"\b(Sony|Canon|Nikon)[A-Z]\w*"#, #"\.(sony|canon|nikon)[A-Z]\w*"#,
        #"\b(Operation|Property|Response|Event)Code\b"#,
    ])
    func `targets above drivers and bodies contain no maker's type and no operation code`(pattern: String) throws {
        let name = try Regex(pattern)
        for file in try SourceFile.all(under: Self.neutral.map { "Sources/\($0)" }) {
            for (number, line) in file.code where line.contains(name) {
                Issue.record("\(file.path):\(number): a maker or its numbers, in \(line)")
            }
        }
    }
}
