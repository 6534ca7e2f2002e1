import Cameras

@testable import Controller

extension Examples {
    static let search: [String] = [
        SearchSentences.noTarget,
        SearchSentences.unnamedCamera(at: CameraValues.host),
        SearchSentences.unsupportedProtocol("Canon CCAPI"),
        SearchSentences.notConnected(CameraValues.address, Refusal.inUse.sentence),
        SearchSentences.descriptionUnreadable(at: CameraValues.host, .failed(.closed(isAnswered: false))),
        SearchSentences.descriptionUnreadable(at: CameraValues.host, .status(302)),
        SearchSentences.descriptionUnreadable(at: CameraValues.host, .status(404)),
    ]
}
