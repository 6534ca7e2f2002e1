/// A service of the Camera Remote API. Each has its own path (Development Guide v1.20).
package enum SonyHTTPService: String, CaseIterable, Sendable {
    case guide, accessControl, camera, system, avContent
}

/// A method of the Camera Remote API (API Reference v2.40; a real ILCE-5000's `getMethodTypes`).
package struct SonyHTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// `actTakePicture`.
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    package var description: String { rawValue }

    // MARK: The session

    package static let getVersions = Self("getVersions")
    package static let getMethodTypes = Self("getMethodTypes")
    package static let getApplicationInfo = Self("getApplicationInfo")
    /// The methods that can be called now. Only this list decides.
    package static let getAvailableApiList = Self("getAvailableApiList")
    package static let getEvent = Self("getEvent")
    package static let startRecMode = Self("startRecMode")
    package static let stopRecMode = Self("stopRecMode")
    package static let setCameraFunction = Self("setCameraFunction")
    package static let getCameraFunction = Self("getCameraFunction")
    package static let getAvailableCameraFunction = Self("getAvailableCameraFunction")
    package static let getStorageInformation = Self("getStorageInformation")
    package static let setCurrentTime = Self("setCurrentTime")

    // MARK: The shutter

    package static let actTakePicture = Self("actTakePicture")
    package static let awaitTakePicture = Self("awaitTakePicture")
    package static let actHalfPressShutter = Self("actHalfPressShutter")
    package static let cancelHalfPressShutter = Self("cancelHalfPressShutter")
    package static let startBulbShooting = Self("startBulbShooting")
    package static let stopBulbShooting = Self("stopBulbShooting")
    package static let startContShooting = Self("startContShooting")
    package static let stopContShooting = Self("stopContShooting")

    // MARK: Other actions

    package static let actZoom = Self("actZoom")
    package static let startLiveview = Self("startLiveview")
    package static let startLiveviewWithSize = Self("startLiveviewWithSize")
    package static let stopLiveview = Self("stopLiveview")
    package static let setLiveviewFrameInfo = Self("setLiveviewFrameInfo")
    package static let getLiveviewFrameInfo = Self("getLiveviewFrameInfo")
    package static let setTouchAFPosition = Self("setTouchAFPosition")
    package static let getTouchAFPosition = Self("getTouchAFPosition")
    package static let cancelTouchAFPosition = Self("cancelTouchAFPosition")

    // MARK: Contents

    package static let getSchemeList = Self("getSchemeList")
    package static let getSourceList = Self("getSourceList")
    package static let getContentCount = Self("getContentCount")
    package static let getContentList = Self("getContentList")
    package static let deleteContent = Self("deleteContent")

    // MARK: Settings

    package static let setShutterSpeed = set("ShutterSpeed")
    package static let getShutterSpeed = get("ShutterSpeed")
    package static let setShootMode = set("ShootMode")
    package static let setSelfTimer = set("SelfTimer")
    package static let setPostviewImageSize = set("PostviewImageSize")

    /// The setter of a setting. `setting` is the common part of its methods: `ShutterSpeed`.
    package static func set(_ setting: String) -> Self { Self("set" + setting) }
    package static func get(_ setting: String) -> Self { Self("get" + setting) }
    /// Returns the present value and the values that can be set now.
    package static func getAvailable(_ setting: String) -> Self { Self("getAvailable" + setting) }
    /// Returns the values that the model supports in some state.
    package static func getSupported(_ setting: String) -> Self { Self("getSupported" + setting) }
}

extension SonyHTTPMethod {
    /// The service of the method.
    package var service: SonyHTTPService {
        switch self {
        case .getSchemeList, .getSourceList, .getContentCount, .getContentList, .deleteContent: .avContent
        case .setCurrentTime: .system
        default: .camera
        }
    }

    /// The only version of the method. `getEvent` has several; see ``SonyHTTPEventSlot``.
    package var version: String {
        switch self {
        case .deleteContent: "1.1"
        case .getContentCount: "1.2"
        case .getContentList: "1.3"
        default: "1.0"
        }
    }
}
