@testable import Controller

extension Examples {
    static let network: [String] = [
        NetworkSentences.joined(CameraValues.ssid),
        NetworkSentences.missingInterface("wlan1"),
        NetworkDeparture.elsewhere(from: CameraValues.ssid, to: "Home").sentence,
        NetworkDeparture.elsewhere(from: CameraValues.ssid, to: nil).sentence,
        NetworkDeparture.elsewhere(from: nil, to: nil).sentence,
        NetworkDeparture.down(from: CameraValues.ssid).sentence,
        NetworkDeparture.down(from: nil).sentence,
        NetworkDeparture.noRoute.sentence,
        NetworkDeparture.moved.sentence,
    ]
}
