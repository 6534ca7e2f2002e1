import Cameras
import Exposure

@testable import Controller

/// Values for the examples about cameras.
enum CameraValues {
    static let alpha = CameraIdentity(
        maker: "Sony",
        model: "ILCE-7M4",
        firmware: "2.00",
        serial: "0000000000000000000000000001234",
        id: "sony:0000000000000000000000000001234"
    )
    static let otherAlpha = CameraIdentity(
        maker: "Sony",
        model: "ILCE-7M4",
        firmware: "2.00",
        serial: "0000000000000000000000000005678",
        id: "sony:0000000000000000000000000005678"
    )
    static let compact = CameraIdentity(
        maker: "Sony",
        model: "DSC-RX0M2",
        firmware: "3.00",
        serial: "0000000000000000000000000009876",
        id: "sony:0000000000000000000000000009876"
    )
    static let host = IPAddress(bytes: [192, 168, 122, 1])
    static let address = CameraAddress(host: "192.168.122.1")
    static let status = CameraStatus(mode: .manual, batteryPercent: 74, shotsLeft: 812)
    static let lost = LossReason.closedByCamera.sentence
    static let unfit = "The camera is in the mode \"Send to Smartphone\". Switch it to PC remote control."
    static let wanted = WantedCamera(id: alpha.id, name: alpha.name)
    static let ssid = "DIRECT-a1E0:ILCE-7M3"
    static let frame = PlannedFrame(position: FramePosition(set: 1, frame: 2), speed: ShutterSpeed.all[21])
}
