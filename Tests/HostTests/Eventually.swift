import Glibc

/// For values that send no event when they change: a table of the kernel, a value that another thread holds.
private enum Poll {
    /// Reached only where a test fails: a busy machine is slow, and not wrong.
    static let limit = Duration.seconds(20)
    static let pause = Duration.milliseconds(5)
}

/// Whether something comes to hold before the deadline.
func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + Poll.limit
    while try !holds() {
        guard ContinuousClock.now < end else { return false }
        poll(nil, 0, CInt(Poll.pause / .milliseconds(1)))
    }
    return true
}

/// Whether something comes to hold before the deadline, where asking takes another thread.
func eventually(asking holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + Poll.limit
    while try await !holds() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: Poll.pause)
    }
    return true
}
