import Cameras
import Controller

extension CoreConfiguration {
    /// The part of the daemon's configuration that the core uses.
    package init(_ configuration: Configuration, identity: InitiatorIdentity, armedPlan: PlanInput? = nil) {
        self.init(
            cameraAddress: configuration.cameraAddress,
            identity: identity,
            transfer: configuration.transfer,
            ledger: configuration.ledger,
            resumesByItself: configuration.resumesByItself,
            skippedChecks: configuration.skippedChecks,
            search: configuration.search,
            button: ButtonConfiguration(
                rules: configuration.buttonRules,
                pressWhileShooting: configuration.pressWhileShooting,
                plan: PlanInput(configuration.plan, strict: configuration.planIsStrict)
            ),
            armedPlan: armedPlan
        )
    }
}
