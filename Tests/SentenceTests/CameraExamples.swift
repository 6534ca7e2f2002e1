import Cameras

@testable import Controller

extension Examples {
    static let camera: [String] = [
        CameraSentences.connected(CameraValues.alpha.name),
        CameraSentences.connected(nil),
        CameraSentences.ready(CameraValues.alpha.name),
        CameraSentences.connected(CameraValues.alpha.name, at: CameraValues.address, CameraValues.status),
        CameraSentences.connected(nil, at: nil, CameraStatus(mode: .shutterPriority)),
        CameraSentences.connectingUnfinished,
        CameraSentences.stillAway(after: 125, CameraValues.lost),
        CameraSentences.stillAway(after: 250, nil),
        CameraSentences.answerIgnored("status"),
        CameraSentences.done(.set(.iso, "400"), showing: PropertyState(property: .iso, value: "400")),
        CameraSentences.done(.files(.list(since: nil, limit: 10)), showing: nil),
        CameraSentences.done(.files(.get(["image:content?contentId=00240"])), showing: nil),
        CameraSentences.done(.liveView(nil), showing: nil),
        CameraSentences.notDone(.set(.drive, "single")),
        CameraSentences.notDone(.files(.list(since: nil, limit: 10))),
        CameraSentences.notDone(.liveView(nil)),
        PropertyRefusal.busy.sentence,
        PropertyRefusal.failed(.propertyNotWritable(.iso)).sentence,
        PropertyRefusal.superseded.sentence,
        PropertyRefusal.silent.sentence,
        PropertyRefusal.lost(.closedByCamera).sentence,
        CameraValues.wanted.sentence(about: CameraValues.otherAlpha, at: CameraValues.address),
        CameraValues.wanted.sentence(about: CameraValues.compact, at: CameraValues.address),
    ]
}
