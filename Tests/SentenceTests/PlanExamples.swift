import Cameras
import Exposure

@testable import Controller

extension Examples {
    /// What is reported of plans.
    static let plan: [String] = [
        PlanSentences.unknown("edh1dprfe7", limit: 32),
        planChanged(from: nil),
        planChanged(from: planIdentity(on: planOtherCamera)),
        planChanged(from: planIdentity(frames: Array(planFrames.dropLast()))),
        planChanged(from: planIdentity(frames: planOtherFrames)),
        planChanged(from: planIdentity(offering: planSlowerSpeeds)),
        planChanged(from: planIdentity(offering: [])),
        PlanSentences.goalOutOfRange("goal.framesMax", 1, 55),
        PlanSentences.changedByCamera(Plan(.usual).validated(against: planSlowerSpeeds).notes.map(\.sentence)),
        PlanSentences.basis(Estimate(Plan(.usual), noiseReduction: .possible)),
    ]

    private static func planChanged(from shown: PlanIdentity?) -> String {
        PlanSentences.changed("edh1dprfe7", to: planIdentity(), from: shown)
    }

    private static let planFrames = Plan(.usual).frames

    /// A plan whose first frame has another speed.
    private static let planOtherFrames =
        [PlannedFrame(position: planFrames[0].position, speed: .fastest)] + Array(planFrames.dropFirst())

    private static let planSlowerSpeeds = Array(ShutterSpeed.all.dropFirst(12))

    private static let planOtherCamera = CameraIdentity(
        maker: "Sony Corporation",
        model: "ZV-E10",
        firmware: "2.00",
        serial: "7654321",
        id: "7654321"
    )

    private static func planIdentity(
        frames: [PlannedFrame] = planFrames,
        on camera: CameraIdentity = ShootFixture.camera,
        offering speeds: [ShutterSpeed] = ShutterSpeed.all
    ) -> PlanIdentity {
        PlanIdentity(Plan(request: .usual, frames: frames), on: camera, offering: speeds)
    }
}
