import NIOCore

/// Limits the notes of a server about its clients, so that a client that misbehaves constantly does not fill the
/// journal.
struct JournalBudget {
    static let countMax = 10
    static let time = TimeAmount.minutes(1)

    private var begun: NIODeadline?
    private var count = 0

    /// Returns the sentences to report now. Omits a sentence if too many sentences came within ``time``. Later, the
    /// next sentence is preceded by one with the number of omitted sentences.
    mutating func sentences(_ sentence: String, at now: NIODeadline) -> [String] {
        var sentences: [String] = []
        if begun.map({ now - $0 >= Self.time }) ?? true {
            if count > Self.countMax {
                sentences.append(ServerSentences.notesDropped(count - Self.countMax))
            }
            begun = now
            count = 0
        }
        count += 1
        if count <= Self.countMax { sentences.append(sentence) }
        return sentences
    }
}
