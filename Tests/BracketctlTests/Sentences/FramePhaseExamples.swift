import enum Controller.Shooting

@testable import bracketctl

extension Examples {
    /// A line for each state of the shooting chart.
    static let phases: [String] = FramePhase.table.map { "\($0.key.name): \($0.value.text(speed: "1/60"))" }.sorted()
}
