import Cameras

/// The handling of pictures, from `[transfer]` of the configuration. Only the host knows the folder.
package struct TransferConfiguration: Codable, Hashable, Sendable {
    package var policy: TransferPolicy
    /// Whether a suspect frame is fired once more at the end of its set.
    package var firesSuspectsAgain: Bool

    package init(policy: TransferPolicy = .none, firesSuspectsAgain: Bool = false) {
        self.policy = policy
        self.firesSuspectsAgain = firesSuspectsAgain
    }
}
