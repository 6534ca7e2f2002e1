import CSystemd
import Dispatch
import NIOPosix
import Synchronization

/// Tells the service manager from a thread of its own: sd_notify(3) waits while the manager's socket is full, and the
/// loop must not. What does not fit into the queue is dropped; a part of it is kept for what is not a sentence, so that
/// many sentences never cost the last word.
final class NotificationSender: Sendable {
    /// Notifications that may wait; sentences fewer.
    static let waitingMax = 64
    static let waitingSentencesMax = 32

    private let waitingCount = Atomic<Int>(0)
    private let sending = DispatchGroup()
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let send: @Sendable (String) -> Void

    /// `send` is called on the thread and may wait.
    init(send: @escaping @Sendable (String) -> Void = { _ = sd_notify(0, $0) }) {
        self.send = send
        thread.start()
    }

    /// Takes a notification; never waits. Whether it fitted.
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

    /// Waits until everything was sent, at most this long, then ends. Nothing may be sent afterwards.
    func finish(within timeout: DispatchTimeInterval = .milliseconds(200)) {
        _ = sending.wait(timeout: .now() + timeout)
        thread.shutdownGracefully { _ in }
    }
}
