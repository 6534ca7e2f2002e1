/// The numbers of the shoot's orders to the ledger, and how far they were carried out.
struct RecordMarks: Equatable, Sendable {
    /// The last order to keep something, and the one without which nothing of the shoot may be changed.
    private(set) var last = 0
    private var begin = 0
    /// What is on disk.
    private var kept = 0
    /// What will not be on disk soon, and why, in a sentence; nil: nothing yet.
    private var refused: (upTo: Int, sentence: String)?
    /// Whether frames are fired that cannot be recorded.
    private let firesUnrecorded: Bool

    init(firesUnrecorded: Bool) {
        self.firesUnrecorded = firesUnrecorded
    }

    /// Numbers one more order.
    mutating func next() -> Int {
        last += 1
        return last
    }

    /// Without the last order nothing of the shoot may be changed.
    mutating func holdShoot() { begin = last }

    mutating func note(_ news: RecordNews) {
        switch news {
        case .kept(let mark): kept = max(kept, mark)
        case .refused(let mark, let sentence): refused = (max(refused?.upTo ?? 0, mark), sentence)
        }
    }

    /// Whether the beginning of the shoot is on disk.
    var isShootRecorded: Bool { isSettled(begin) }

    var isRecorded: Bool { isSettled(last) }

    var isRefused: Bool { !isRecorded && last <= refusedUpTo }

    /// Why nothing can be recorded, in a sentence; nil: nothing was refused.
    var refusal: String? { refused?.sentence }

    private var refusedUpTo: Int { refused?.upTo ?? 0 }

    private func isSettled(_ mark: Int) -> Bool { mark <= kept || firesUnrecorded && mark <= refusedUpTo }

    static func == (left: Self, right: Self) -> Bool {
        left.last == right.last && left.begin == right.begin && left.kept == right.kept
            && left.firesUnrecorded == right.firesUnrecorded && left.refused?.upTo == right.refused?.upTo
            && left.refused?.sentence == right.refused?.sentence
    }
}
