import Statecharts

extension Core {
    /// The charts that it runs, by name, each with the digest of its file: it says whether another core decides alike.
    package static let chartDigests: [String: String] = {
        func entry<B: Behavior>(_ behavior: B.Type) -> (String, String) where B.Chart: ChartDefinition {
            (B.Chart.names.chart.lowercased(), B.Chart.digest)
        }
        return Dictionary(
            uniqueKeysWithValues: [
                entry(ConnectionModel.self), entry(ShootingModel.self), entry(NetworkModel.self),
                entry(TransferModel.self), entry(RecordingModel.self), entry(SettingsModel.self),
                entry(SearchModel.self), entry(CandidateModel.self), entry(ButtonModel.self),
                entry(ServiceModel.self),
            ]
        )
    }()
}
