import NIOCore

/// Limits the notes of a server about its clients: a client that misbehaves all the time does not fill the journal.
struct JournalBudget {
    static let countMax = 10
    static let time = TimeAmount.minutes(1)

    private var begun: NIODeadline?
    private var count = 0

    /// The sentences to report now: none after too many within ``time``. The first sentence after that is followed by
    /// the number of omitted ones.
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
