import Cameras
import PTP

extension CameraProperty {
    /// The codes of the property on bodies of version 2 and version 3.
    var sonyCodes: [PropertyCode] {
        switch self {
        case .shutterSpeed: [.sonyShutterSpeed, .sonyShutterSpeedVersion2]
        case .iso: [.sonyISO]
        case .aperture: [.fNumber]
        case .exposureCompensation: [.exposureBiasCompensation]
        case .whiteBalance: [.whiteBalance]
        case .drive: [.stillCaptureMode]
        case .focusMode: [.focusMode]
        // JPEG quality and file format. Version 2 has one property for both.
        case .quality: [PropertyCode(rawValue: 0xD252), .sonyFileFormat, .compressionSetting]
        case .saveTarget: [.sonySaveTarget]
        // Bodies with PTP/IP do not have these properties.
        case .exposureMode, .flash, .selfTimer, .postviewSize, .zoomSetting: []
        }
    }
}
