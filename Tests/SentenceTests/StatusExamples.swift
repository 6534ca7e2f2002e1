import Cameras

@testable import Controller

extension Examples {
    static let status: [String] = [
        StatusSentences.stopping,
        StatusSentences.stoppingAfterFrame("Set 1, frame 2 at 30\"."),
        StatusSentences.stopWaits(.seconds(35)),
        StatusSentences.secondStop,
        StatusSentences.frameTooLate(.seconds(35)),
        StatusSentences.searchingForTheCamera(after: CameraValues.lost),
        StatusSentences.searchingForAnyCamera(after: nil, nil),
        StatusSentences.searchingForAnyCamera(
            after: nil,
            StatusSentences.unfitCamera("DSC-RX0", CameraValues.unfit)
        ),
        StatusSentences.nextSearch(in: .seconds(420)),
        StatusSentences.connecting(to: CameraValues.address, after: nil),
        StatusSentences.connecting(to: CameraValues.address, after: nil, mayAsk: true),
        StatusSentences.connecting(to: nil, after: CameraValues.lost),
        StatusSentences.checkingMode,
        StatusSentences.justConnected,
        StatusSentences.tryingAgain(after: CameraValues.lost),
        StatusSentences.tryingAgainNow(after: Refusal.unpaired.sentence),
        StatusSentences.refused(Refusal.unpaired.sentence),
        StatusSentences.disconnecting(after: nil),
        StatusSentences.disconnected,
        StatusSentences.searchOff,
        StatusSentences.transition("shooting", from: ["capturing"], to: ["saving"], of: CameraValues.frame),
        StatusSentences.transition("connection", from: [], to: ["discovering"], of: nil),
        StatusSentences.transition("candidate: connecting → handshake", at: CameraValues.address),
    ]
}
