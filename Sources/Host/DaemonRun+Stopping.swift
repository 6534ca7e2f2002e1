import Controller
import Dispatch
import Logging
import NIOCore

extension DaemonRun {
    /// Begins the ordered stop, which ends with ``Effect/finished`` or at the deadline. A second call makes the core
    /// stop waiting for a frame.
    func stop(because reason: StopReason) {
        switch state {
        case .running:
            logger.notice("\(DaemonSentences.stopping(reason))")
            // The deadline ends the daemon even if the core does not answer.
            state = .stopping(deadline: endForced(after: options.stopTimeout))
        case .stopping: break
        case .ended: return
        }
        coreLoop?.enqueue(.stop)
    }

    /// Handles the core's report that it stops. With a pending frame the deadline is `frameLimit` later.
    func noteStopping(_ frameLimit: Duration?) {
        serviceManager.stopping()
        guard case .stopping(let deadline) = state else { return }
        deadline.cancel()
        state = .stopping(deadline: endForced(after: (frameLimit ?? .zero) + options.stopTimeout))
    }

    private func endForced(after time: Duration) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.logger.error("\(DaemonSentences.stopTooLong(self.options.stopTimeout))")
            self.end(.forced)
        }
    }

    /// Closes all parts and ends the loop.
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
        // The loop completes the work that was started above, then ends.
        eventLoop.shutdownGracefully(queue: .global()) { _ in }
    }

    /// Runs after the loop has ended. Sends the last notifications and saves the received ledger rows and pictures.
    func finishReporting() {
        if ledger?.finish() == false {
            logger.error("\(DaemonSentences.ledgerUnfinished(within: LedgerStore.endMax))")
        }
        pictures?.finish()
        flight?.recorder.end()
        flight?.store.finish()
        serviceManager.finish()
    }
}
