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
        CameraSentences.propertySet(.iso, to: "400"),
        CameraSentences.propertyNotSet(.drive, to: "single"),
        PropertyRefusal.busy.sentence,
        PropertyRefusal.failed(.propertyNotWritable(.iso)).sentence,
        PropertyRefusal.superseded.sentence,
        PropertyRefusal.silent.sentence,
        PropertyRefusal.lost(.closedByCamera).sentence,
        CameraValues.wanted.sentence(about: CameraValues.otherAlpha, at: CameraValues.address),
        CameraValues.wanted.sentence(about: CameraValues.compact, at: CameraValues.address),
    ]
}
