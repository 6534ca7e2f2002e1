import CLinux
import Controller
import Dispatch
import Glibc
import Ledger
import NIOCore
import NIOPosix
import Synchronization

/// Performs the core's ledger effects in order, on a separate thread that starts with the first effect. Commits come
/// before queries of clients.
///
/// The core has one commit in progress at a time. At most ``readsMax`` queries wait; the answer to further queries is
/// that the disk is too slow. Used on the event loop only.
final class LedgerStore: Sendable {
    /// The maximum number of waiting commits, more than the core ever has.
    static let ordersMax = 100
    static let readsMax = 32
    /// The maximum time that the daemon waits for the disk when it ends. The last commit may contain the end of a
    /// shoot.
    static let endMax = Duration.seconds(3)

    /// Performs an effect, on the store's thread.
    typealias Perform = (LedgerEffect) -> LedgerEvent

    private struct State {
        /// Waiting effects that open the ledger or commit.
        var orders = CircularBuffer<LedgerEffect>()
        /// Waiting queries. A shoot does not wait for them.
        var reads = CircularBuffer<LedgerEffect>()
        var isWorking = false
        var isStarted = false
        var reportedFreeBytes: Int64?
        /// The receiver of events; nil after `close`.
        var onUpdate: (@Sendable (LedgerEvent) -> Void)?
    }

    private final class Callback {
        let onUpdate: (LedgerEvent) -> Void
        init(_ onUpdate: @escaping (LedgerEvent) -> Void) { self.onUpdate = onUpdate }
    }

    private let state: Mutex<State>
    /// Performs an effect; nil after the ledger was closed.
    private let perform: Mutex<Perform?>
    private let freeBytes: @Sendable () -> Int64?
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()

    /// - Parameters:
    ///   - perform: performs one effect at a time; called on the store's thread.
    ///   - freeBytes: the free bytes of the disk; called on the store's thread after each synced commit.
    ///   - onUpdate: called on the loop.
    init(
        perform: sending @escaping Perform,
        freeBytes: @escaping @Sendable () -> Int64? = { nil },
        eventLoop: any EventLoop,
        onUpdate: @escaping (LedgerEvent) -> Void
    ) {
        let callback = NIOLoopBound(Callback(onUpdate), eventLoop: eventLoop)
        self.perform = Mutex(perform)
        self.freeBytes = freeBytes
        state = Mutex(State(onUpdate: { news in eventLoop.execute { callback.value.onUpdate(news) } }))
    }

    convenience init(
        _ configuration: Configuration,
        clock: DaemonClock,
        eventLoop: any EventLoop,
        onUpdate: @escaping (LedgerEvent) -> Void
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
            onUpdate: onUpdate
        )
    }

    /// Queues an effect; never waits.
    func perform(_ effect: LedgerEffect) {
        let mustWake = state.withLock { state in
            if case .read(let id, _) = effect {
                guard state.reads.count < Self.readsMax else {
                    state.onUpdate?(.read(id, .failed(DaemonSentences.ledgerTooSlow(waiting: Self.readsMax))))
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

    func close() { state.withLock { $0.onUpdate = nil } }

    /// Completes pending work and closes the file. Must be called after `close`, and not on the loop. Waits at most
    /// `timeout`, because a disk can hang for ever.
    ///
    /// - Returns: whether all work is done.
    func finish(within timeout: Duration = endMax) -> Bool {
        guard state.withLock({ $0.isStarted }) else { return true }
        // The pool has one thread, so the file is closed after the pending work.
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
            // The call is made under the lock, so that no report is in progress when `close` returns.
            state.withLock { $0.onUpdate?(news) }
            reportFreeSpace(after: effect)
        }
        working.leave()
    }

    /// The smallest change of the free space that is reported, in bytes.
    private static let roomStep: Int64 = 1_000_000

    private func reportFreeSpace(after effect: LedgerEffect) {
        switch effect {
        case .open: break
        case .commit(let commit) where commit.isDurable: break
        case .commit, .read: return
        }
        guard let free = freeBytes() else { return }
        state.withLock { state in
            if let told = state.reportedFreeBytes, abs(told - free) < Self.roomStep { return }
            state.reportedFreeBytes = free
            state.onUpdate?(.room(freeBytes: free))
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
