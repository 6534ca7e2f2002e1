import Cameras

/// What becomes of pictures, as `[transfer]` configures it. The folder is the host's business.
package struct TransferConfiguration: Codable, Hashable, Sendable {
    package var policy: TransferPolicy
    /// Whether a frame whose picture does not fit the plan is fired again at the end of its set, once.
    package var firesSuspectsAgain: Bool

    package init(policy: TransferPolicy = .none, firesSuspectsAgain: Bool = false) {
        self.policy = policy
        self.firesSuspectsAgain = firesSuspectsAgain
    }
}
