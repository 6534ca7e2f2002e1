import Foundation
import Synchronization

/// Runs several sets of real processes in parallel. The processes mostly wait.
enum Worlds {
    /// Runs a body for each item on separate threads, a limited number at a time. Unlike `concurrentPerform` it does
    /// not depend on the number of cores.
    ///
    /// - Returns: the results in the order of `items`.
    static func atOnce<Item: Sendable, Answer: Sendable>(
        _ items: [Item],
        max: Int,
        body: @escaping @Sendable (Item) -> Answer
    ) -> [Answer] {
        let next = Atomic(0)
        let answers = Mutex<[Int: Answer]>([:])
        let group = DispatchGroup()
        for _ in 0..<min(max, items.count) {
            group.enter()
            Thread.detachNewThread {
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < items.count else { break }
                    let answer = body(items[index])
                    answers.withLock { $0[index] = answer }
                }
                group.leave()
            }
        }
        group.wait()
        let all = answers.withLock { $0 }
        return items.indices.compactMap { all[$0] }
    }
}

/// A splitmix64 generator. The same seed gives the same numbers on every computer.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0)
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}
