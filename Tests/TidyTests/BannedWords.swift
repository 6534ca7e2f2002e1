/// The words and phrases that CONTRIBUTING.md bans, in lower case.
enum BannedWords {
    private static let words: Set<Substring> = [
        "whoever", "whom", "somebody", "someone", "nobody", "bear", "bears", "bore", "borne",
        "meanwhile",
        "tell", "tells", "told", "telling", "hear", "hears", "heard", "hearing", "unheard", "look", "looks", "looked",
        "looking", "wish", "wishes", "wished", "deed", "deeds", "trouble", "troubles", "babble", "babbles", "babbling",
        "errand", "errands",
    ]

    private static let phrases: [[Substring]] = [
        "no one", "of ours", "of theirs", "own accord", "take leave", "takes leave", "took leave", "taking leave",
        "let go", "lets go",
        "letting go", "come to rest", "comes to rest", "came to rest", "come to nothing", "comes to nothing",
        "came to nothing", "as ever", "will not have", "it comes to", "a person", "the person", "to be already",
        "see to it", "sees to it", "for want of", "the word of", "last word", "own word", "own words", "who is",
        "who has",
    ].map { $0.split(separator: " ") }

    /// The banned words and phrases of a sentence.
    static func found(in sentence: [Substring]) -> [String] {
        let words = sentence.map { word in
            word.lowercased().trimmingPrefix { !$0.isLetter }.prefix { $0.isLetter || $0 == "'" }
        }
        let phrases = phrases.filter { phrase in
            words.indices.contains { words[$0...].starts(with: phrase) }
        }
        return words.filter(Self.words.contains).map(String.init) + phrases.map { $0.joined(separator: " ") }
    }
}
