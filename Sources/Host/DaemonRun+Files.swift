import Cameras
import Controller
import Dispatch
import Logging
import NIOCore

// The daemon reads and writes two files while it runs: its configuration and the armed plan.
extension DaemonRun {
    /// Reads the configuration again on another thread, because the disk can be slow.
    func reload() {
        guard case .running = state else { return }
        serviceManager.reloading()
        guard let read = options.readConfiguration else {
            logger.notice("\(ConfigurationSentences.noFile)")
            return serviceManager.ready()
        }
        let run = NIOLoopBound(self, eventLoop: eventLoop)
        // The queue is serial, so that the newest content of the file takes effect.
        files.async { [eventLoop] in
            let result = Result { () throws(ConfigurationError) in try read() }
            eventLoop.execute { run.value.takeReloaded(result) }
        }
    }

    private func takeReloaded(_ result: Result<Configuration, ConfigurationError>) {
        guard case .running = state else { return }
        switch result {
        case .success(let configuration):
            coreLoop?.enqueue(.configured(CoreConfiguration(configuration, identity: identity)))
            board?.adopt(configuration.board)
            let waiting = configuration.keysForRestart(since: options.configuration)
            logger.notice("\(ConfigurationSentences.readAgain(waiting: waiting))")
        case .failure(let error):
            logger.error("\(ConfigurationSentences.unchanged(error))")
        }
        serviceManager.ready()
    }

    func keep(_ plan: PlanInput?, for id: RequestID) {
        let run = NIOLoopBound(self, eventLoop: eventLoop)
        files.async { [planFile, eventLoop] in
            var failure: String?
            do { try planFile.write(plan) } catch { failure = DaemonSentences.planNotKept(error) }
            eventLoop.execute { [failure] in run.value.coreLoop?.enqueue(.planKept(id, failure: failure)) }
        }
    }
}
