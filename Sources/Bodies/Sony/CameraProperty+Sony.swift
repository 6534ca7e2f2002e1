import Cameras
import PTP

extension CameraProperty {
    /// Its codes on bodies of either version.
    var sonyCodes: [PropertyCode] {
        switch self {
        case .shutterSpeed: [.sonyShutterSpeed, .sonyShutterSpeedVersion2]
        case .iso: [.sonyISO]
        case .aperture: [.fNumber]
        case .exposureCompensation: [.exposureBiasCompensation]
        case .whiteBalance: [.whiteBalance]
        case .drive: [.stillCaptureMode]
        case .focusMode: [.focusMode]
        // JPEG quality and file format; both in one on version 2.
        case .quality: [PropertyCode(rawValue: 0xD252), .sonyFileFormat, .compressionSetting]
        case .saveTarget: [.sonySaveTarget]
        }
    }
}
