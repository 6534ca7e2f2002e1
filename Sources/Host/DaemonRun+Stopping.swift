import Controller
import Dispatch
import Logging
import NIOCore

// The ordered stop, and the end.
extension DaemonRun {
    /// Begins the ordered stop, which ends with ``Effect/finished`` or with the deadline. Told again, the core does not
    /// wait for a frame any more.
    func stop(because reason: String) {
        switch state {
        case .running:
            logger.notice("Stopping: \(reason).")
            // For a core that does not answer.
            state = .stopping(deadline: endForced(after: options.stopTimeout))
        case .stopping: break
        case .ended: return
        }
        coreLoop?.enqueue(.stop)
    }

    /// The core stops; with a frame to wait for, the deadline is later by so much.
    func noteStopping(_ frameLimit: Duration?) {
        serviceManager.stopping()
        guard case .stopping(let deadline) = state else { return }
        deadline.cancel()
        state = .stopping(deadline: endForced(after: (frameLimit ?? .zero) + options.stopTimeout))
    }

    private func endForced(after time: Duration) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.logger.error(
                """
                The ordered stop took longer than \(self.options.stopTimeout); \
                the camera may need to be switched off and on.
                """
            )
            self.end(.forced)
        }
    }

    /// Lets go of everything and ends the loop.
    func end(_ ending: Daemon.Ending) {
        switch state {
        case .ended: return
        case .stopping(let deadline): deadline.cancel()
        case .running: break
        }
        state = .ended
        onEnd(ending)
        serviceManager.stopWatchdog()
        coreLoop?.end()
        pictures?.close()
        ledger?.close()
        inspector?.close()
        board?.close()
        networkWatcher?.close()
        discovery?.close()
        links?.closeAll()
        httpRequests?.closeAll()
        socket.remove()
        service?.close()
        signals?.close(promise: nil)
        (coreLoop, links, httpRequests, service, inspector, signals) = (nil, nil, nil, nil, nil, nil)
        (networkWatcher, discovery, board) = (nil, nil, nil)
        // The loop ends when what was begun above is done.
        eventLoop.shutdownGracefully(queue: .global()) { _ in }
    }

    /// After the loop has ended: what was told last is on its way, and rows and pictures that had come are kept.
    func finishTelling() {
        if ledger?.finish() == false {
            logger.error(
                """
                The ledger's disk did not answer within \(LedgerStore.endMax): what happened last may not be recorded.
                """
            )
        }
        pictures?.finish()
        flight?.recorder.end()
        flight?.store.finish()
        serviceManager.finish()
    }
}
