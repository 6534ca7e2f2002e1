import NIOPosix

/// A daemon that runs on its own thread, for programs that also do other work.
package final class BackgroundDaemon: Sendable {
    private let thread: NIOThreadPool
    private let handle: DaemonHandle
    private let ending: Task<Daemon.Ending, any Error>

    private init(thread: NIOThreadPool, handle: DaemonHandle, ending: Task<Daemon.Ending, any Error>) {
        self.thread = thread
        self.handle = handle
        self.ending = ending
    }

    /// Starts a daemon. Clients can connect when this function returns.
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
        throw Daemon.StartError(description: DaemonSentences.endedBeforeReady(try await ending.value))
    }

    /// Begins the ordered stop, waits for the daemon's end, and returns how the daemon ended.
    package func stop() async throws -> Daemon.Ending {
        handle.stop()
        return try await end()
    }

    package func end() async throws -> Daemon.Ending {
        let ending = try await ending.value
        thread.shutdownGracefully { _ in }
        return ending
    }
}
