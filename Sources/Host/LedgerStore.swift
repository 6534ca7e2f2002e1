import CLinux
import Controller
import Dispatch
import Glibc
import Ledger
import NIOCore
import NIOPosix
import Synchronization

/// Keeps the ledger, away from the loop: what the core wants done is done in order on a thread of its own, which is
/// started with the first of it. What people ask comes after that.
///
/// The core has one commit on its way. Clients ask as they like: beyond ``readsMax`` they are answered that the disk is
/// too slow. Lives on the loop.
final class LedgerStore: Sendable {
    /// More than the core ever has on its way.
    static let ordersMax = 100
    /// Questions that wait.
    static let readsMax = 32
    /// How long the end of the daemon waits for the disk; what came last of the ordered stop may be a shoot's end.
    static let endMax = Duration.seconds(3)

    /// What does the work, on the store's thread.
    typealias Perform = (LedgerEffect) -> LedgerNews

    private struct State {
        /// What opens and commits.
        var orders = CircularBuffer<LedgerEffect>()
        /// What may wait: a shoot does not wait for it.
        var reads = CircularBuffer<LedgerEffect>()
        var isWorking = false
        var isStarted = false
        var toldFreeBytes: Int64?
        /// nil: nobody is to hear of anything any more.
        var onNews: (@Sendable (LedgerNews) -> Void)?
    }

    private final class Hearing {
        let onNews: (LedgerNews) -> Void
        init(_ onNews: @escaping (LedgerNews) -> Void) { self.onNews = onNews }
    }

    private let state: Mutex<State>
    /// nil: the ledger was let go of.
    private let perform: Mutex<Perform?>
    private let freeBytes: @Sendable () -> Int64?
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()

    /// - Parameters:
    ///   - perform: does what is wanted; called on the store's thread, one after the other.
    ///   - freeBytes: what the disk has room for; called there too, after each commit that is synced.
    ///   - onNews: called on the loop.
    init(
        perform: sending @escaping Perform,
        freeBytes: @escaping @Sendable () -> Int64? = { nil },
        eventLoop: any EventLoop,
        onNews: @escaping (LedgerNews) -> Void
    ) {
        let hearing = NIOLoopBound(Hearing(onNews), eventLoop: eventLoop)
        self.perform = Mutex(perform)
        self.freeBytes = freeBytes
        state = Mutex(State(onNews: { news in eventLoop.execute { hearing.value.onNews(news) } }))
    }

    /// The store of a daemon.
    convenience init(
        _ configuration: Configuration,
        clock: DaemonClock,
        eventLoop: any EventLoop,
        onNews: @escaping (LedgerNews) -> Void
    ) {
        let ledger = Ledger(
            directory: configuration.storagePath,
            clock: LedgerClock { (Self.wallMilliseconds, clock.now) }
        )
        let path = configuration.storagePath
        self.init(
            perform: { ledger.perform($0) },
            freeBytes: { (try? Folder(path: path).freeBytes()).map(Int64.init(clamping:)) },
            eventLoop: eventLoop,
            onNews: onNews
        )
    }

    /// Puts something at the end of its queue; never waits.
    func perform(_ effect: LedgerEffect) {
        let mustWake = state.withLock { state in
            if case .read(let id, _) = effect {
                guard state.reads.count < Self.readsMax else {
                    state.onNews?(.read(id, .failed(Self.tooSlow)))
                    return false
                }
                state.reads.append(effect)
            } else {
                precondition(state.orders.count < Self.ordersMax, "the core has one commit on its way")
                state.orders.append(effect)
            }
            defer { state.isWorking = true }
            if !state.isStarted { thread.start() }
            state.isStarted = true
            return !state.isWorking
        }
        guard mustWake else { return }
        working.enter()
        thread.submit { _ in self.work() }
    }

    private static let tooSlow =
        "The ledger's disk is too slow: \(readsMax) questions wait for it already. Ask again when it has caught up."

    /// From now on nothing is reported.
    func close() { state.withLock { $0.onNews = nil } }

    /// After `close`, and away from the loop: finishes what waits and lets go of the file. Waits for that as long as
    /// ``endMax``: a disk that hangs may do so for ever.
    ///
    /// - Returns: whether everything is done.
    func finish(within timeout: Duration = endMax) -> Bool {
        guard state.withLock({ $0.isStarted }) else { return true }
        // After what waits: the queue of a pool of one thread is in order.
        working.enter()
        thread.submit { _ in
            self.perform.withLock { $0 = nil }
            self.working.leave()
        }
        let result = working.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        thread.shutdownGracefully { _ in }
        return result == .success
    }

    private func work() {
        while let effect = next() {
            guard let news = perform.withLock({ $0?(effect) }) else { continue }
            // Under the lock, so that nothing is under way any more when `close` returns.
            state.withLock { $0.onNews?(news) }
            tellRoom(after: effect)
        }
        working.leave()
    }

    /// A megabyte more or less is no news.
    private static let roomStep: Int64 = 1_000_000

    private func tellRoom(after effect: LedgerEffect) {
        switch effect {
        case .open: break
        case .commit(let commit) where commit.isDurable: break
        case .commit, .read: return
        }
        guard let free = freeBytes() else { return }
        state.withLock { state in
            if let told = state.toldFreeBytes, abs(told - free) < Self.roomStep { return }
            state.toldFreeBytes = free
            state.onNews?(.room(freeBytes: free))
        }
    }

    private func next() -> LedgerEffect? {
        state.withLock { state in
            if let effect = state.orders.popFirst() ?? state.reads.popFirst() { return effect }
            state.isWorking = false
            return nil
        }
    }

    private static var wallMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
