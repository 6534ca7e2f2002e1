import CSystemd
import Dispatch
import NIOPosix
import Synchronization

/// Sends notifications to the service manager on a separate thread, because sd_notify(3) waits while the manager's
/// socket is full. Drops notifications that do not fit into the queue. Status texts can fill only a part of the queue.
/// The other places are for other notifications, above all for the final one.
final class NotificationSender: Sendable {
    /// The maximum numbers of waiting notifications, and of status texts among them.
    static let waitingMax = 64
    static let waitingSentencesMax = 32

    private let waitingCount = Atomic<Int>(0)
    private let sending = DispatchGroup()
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let send: @Sendable (String) -> Void

    /// - Parameter send: called on the separate thread; it is allowed to wait.
    init(send: @escaping @Sendable (String) -> Void = { _ = sd_notify(0, $0) }) {
        self.send = send
        thread.start()
    }

    /// Queues a notification; never waits. Returns whether the queue had space.
    @discardableResult
    func notify(_ state: String) -> Bool {
        let limit = state.hasPrefix("STATUS=") ? Self.waitingSentencesMax : Self.waitingMax
        guard waitingCount.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            waitingCount.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        sending.enter()
        thread.submit { _ in
            self.send(state)
            self.waitingCount.wrappingSubtract(1, ordering: .relaxed)
            self.sending.leave()
        }
        return true
    }

    /// Sends pending notifications for at most `timeout`, then ends. The caller must send nothing afterwards.
    func finish(within timeout: DispatchTimeInterval = .milliseconds(200)) {
        _ = sending.wait(timeout: .now() + timeout)
        thread.shutdownGracefully { _ in }
    }
}
