/// The numbers of the shoot's orders to the ledger, and which of them were carried out.
struct RecordMarks: Equatable, Sendable {
    /// The last order, and the first order of the shoot. Before that is on disk, nothing of the shoot may change.
    private(set) var last = 0
    private var begin = 0
    /// The last order that is on disk.
    private var kept = 0
    /// The last order that will not be on disk soon, and why; nil: none yet.
    private var refused: Refused?
    /// Whether frames are fired that cannot be recorded.
    private let firesUnrecorded: Bool

    private struct Refused: Equatable {
        var upTo: Int
        var sentence: String
    }

    init(firesUnrecorded: Bool) {
        self.firesUnrecorded = firesUnrecorded
    }

    mutating func next() -> Int {
        last += 1
        return last
    }

    /// Nothing of the shoot may change before the last order is on disk.
    mutating func holdShoot() { begin = last }

    mutating func note(_ news: RecordUpdate) {
        switch news {
        case .kept(let mark): kept = max(kept, mark)
        case .refused(let mark, let sentence): refused = Refused(upTo: max(refusedUpTo, mark), sentence: sentence)
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
}
