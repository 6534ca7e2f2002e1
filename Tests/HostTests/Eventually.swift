import Glibc

/// Polls values that cause no event when they change, such as a table of the kernel or a value of another thread.
private enum Poll {
    /// The time limit. Only a test that fails reaches it, because a busy computer is slow.
    static let limit = Duration.seconds(20)
    static let pause = Duration.milliseconds(5)
}

/// Whether a condition becomes true before the deadline.
func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + Poll.limit
    while try !holds() {
        guard ContinuousClock.now < end else { return false }
        poll(nil, 0, CInt(Poll.pause / .milliseconds(1)))
    }
    return true
}

/// Whether a condition becomes true before the deadline, if only another thread can check it.
func eventually(asking holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + Poll.limit
    while try await !holds() {
        guard ContinuousClock.now < end else { return false }
        // No event reports the condition. The pause leaves the processor to the thread that is under test.
        try await Task.sleep(for: Poll.pause)
    }
    return true
}
