import NIOPosix

/// A daemon on a thread of its own, for programs that are more than the daemon.
package final class BackgroundDaemon: Sendable {
    private let thread: NIOThreadPool
    private let handle: DaemonHandle
    private let ending: Task<Daemon.Ending, any Error>

    private init(thread: NIOThreadPool, handle: DaemonHandle, ending: Task<Daemon.Ending, any Error>) {
        self.thread = thread
        self.handle = handle
        self.ending = ending
    }

    /// Starts a daemon; clients can connect when this returns.
    ///
    /// - Throws: ``Daemon/StartError``.
    package static func start(_ options: Daemon.Options) async throws -> BackgroundDaemon {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let (handles, serving) = AsyncStream.makeStream(of: DaemonHandle.self)
        let ending = Task {
            defer { serving.finish() }
            return try await thread.runIfActive { try Daemon.run(options) { serving.yield($0) } }
        }
        for await handle in handles { return BackgroundDaemon(thread: thread, handle: handle, ending: ending) }
        defer { thread.shutdownGracefully { _ in } }
        throw Daemon.StartError(description: "the daemon ended before it served: \(try await ending.value)")
    }

    /// Stops the daemon in order, waits for its end and says how it ended.
    package func stop() async throws -> Daemon.Ending {
        handle.stop()
        return try await end()
    }

    /// Waits for the daemon's end.
    package func end() async throws -> Daemon.Ending {
        let ending = try await ending.value
        thread.shutdownGracefully { _ in }
        return ending
    }
}
