import Cameras

@testable import Host

extension Examples {
    static let networkCheck: [String] = networkFindings.flatMap { [$0.sentence, $0.advice] } + networkStates

    private static var networkStates: [String] {
        [
            NetworkCheckSentences.interfaces([wifiAddress]),
            NetworkCheckSentences.reachable(cameraOfCheck, own: wifiAddress.address, interface: wifiAddress.interface),
            NetworkCheckSentences.reachable(cameraOfCheck, own: wifiAddress.address, interface: nil),
        ]
    }

    private static var networkFindings: [CheckFinding] {
        [
            NetworkCheckSentences.noAddress,
            NetworkCheckSentences.nameUnresolved("camera", reason: "Name or service not known", []),
            NetworkCheckSentences.nameUnresolved("camera", reason: "Name or service not known", [wifiAddress]),
            NetworkCheckSentences.noRoute(to: "192.168.122.1", reason: "Network is unreachable", []),
            NetworkCheckSentences.behindRouter(
                cameraOfCheck,
                own: IPAddress(bytes: [192, 168, 1, 20]),
                interface: wifiAddress.interface
            ),
        ]
    }

    private static var cameraOfCheck: IPAddress { IPAddress(bytes: [192, 168, 122, 1]) }

    private static var wifiAddress: InterfaceAddress {
        InterfaceAddress(
            interface: "wlan0",
            address: IPAddress(bytes: [192, 168, 122, 20]),
            prefixLength: 24,
            isLoopback: false
        )
    }
}
