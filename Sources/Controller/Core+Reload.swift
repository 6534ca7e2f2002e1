import Statecharts

// The configuration may be read again while the daemon runs.

extension Core {
    /// Goes by this configuration from now on, as far as it can change while the daemon runs: where and how cameras are
    /// looked for, suspects, checks, what goes on by itself, the button. The camera that is connected stays, and so
    /// does a shoot with its plan.
    mutating func adopt(_ wanted: CoreConfiguration, in turn: inout Turn) {
        let searchBefore = configuration.search
        configuration.cameraAddress = wanted.cameraAddress
        configuration.search = wanted.search
        configuration.transfer.firesSuspectsAgain = wanted.transfer.firesSuspectsAgain
        configuration.resumesByItself = wanted.resumesByItself
        configuration.skippedChecks = wanted.skippedChecks
        configuration.button = wanted.button
        shooting.chart.inform { $0.firesSuspectsAgain = wanted.transfer.firesSuspectsAgain }
        button.inform { $0.rules = wanted.button.rules }
        finder.lastPick = nil
        guard configuration.search != searchBefore else { return }
        if connection.isActive(.seeking) {
            turn.append(.enqueue(.searchWanted(isSearched)))
        }
        deliver(Search.Input.networkChanged, in: &turn)
    }
}
