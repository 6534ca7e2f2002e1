/// The numbers of the shoot's orders to the ledger. They show which orders are on disk.
struct RecordMarks: Equatable, Sendable {
    /// The number of the newest order.
    private(set) var last = 0
    private var begin = 0
    /// The newest order that is on disk.
    private var kept = 0
    /// The newest order that the ledger cannot write soon, and the reason; nil: no order was refused yet.
    private var refused: Refused?
    /// Whether the shoot fires frames that the ledger cannot record.
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

    /// Marks the newest order as the one with the settings that the shoot changes. The shoot must not change a setting
    /// before that order is on disk.
    mutating func holdShoot() { begin = last }

    mutating func note(_ news: RecordUpdate) {
        switch news {
        case .kept(let mark): kept = max(kept, mark)
        case .refused(let mark, let sentence): refused = Refused(upTo: max(refusedUpTo, mark), sentence: sentence)
        }
    }

    /// Whether the settings that the shoot changes are on disk.
    var isShootRecorded: Bool { isSettled(begin) }

    var isRecorded: Bool { isSettled(last) }

    var isRefused: Bool { !isRecorded && last <= refusedUpTo }

    /// The sentence that says why the ledger refused an order; nil: it refused none.
    var refusal: String? { refused?.sentence }

    private var refusedUpTo: Int { refused?.upTo ?? 0 }

    private func isSettled(_ mark: Int) -> Bool { mark <= kept || firesUnrecorded && mark <= refusedUpTo }
}
