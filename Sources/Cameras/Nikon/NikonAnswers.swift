import PTP

/// The answer of DeviceReady about the running action (libgphoto2 library.c, OpenZCine).
package enum NikonReadiness: Hashable, Sendable {
    case ready
    case busy
    /// The shutter is open in Bulb or Time.
    case bulb
    /// The body reports a silent release. Some bodies repeat this forever, so after the end of the exposure it counts
    /// as busy for a short time only.
    case silentRelease
    case movie
    /// The action has failed.
    case failed(CameraFailure)

    package init(_ code: ResponseCode) {
        self = Self.table[code] ?? .failed(NikonFailures.failure(code, of: .nikonDeviceReady))
    }

    package var isBusy: Bool {
        switch self {
        case .busy, .bulb, .silentRelease, .movie: true
        case .ready, .failed: false
        }
    }

    private static let table: [ResponseCode: Self] = [
        .ok: .ready, .deviceBusy: .busy, .nikonBulbBusy: .bulb, .nikonSilentReleaseBusy: .silentRelease,
        .nikonMovieBusy: .movie,
    ]
}

/// The answer to a release.
package enum NikonCaptureAnswer: Hashable, Sendable {
    /// The release is going on. The busy codes also mean this: Nikon's SDK counts them as success.
    case accepted
    /// The body is not ready. Nothing was released, and a retry may succeed.
    case retry
    /// The body waits for a second release, as in the mirror-up mode. A D850 also answers so while it is not ready, and
    /// then a retry succeeds (libgphoto2 library.c).
    case secondRelease
    /// The body accepts only the first parameter (D3X).
    case oneParameter
    /// The mode of the body does not allow a release. ChangeCameraMode may help.
    case modeRefused
    case failed(CameraFailure)

    package init(_ code: ResponseCode, of operation: OperationCode = .nikonCapture) {
        self = Self.table[code] ?? .failed(NikonFailures.failure(code, of: operation))
    }

    private static let table: [ResponseCode: Self] = [
        .ok: .accepted, .nikonBulbBusy: .accepted, .nikonSilentReleaseBusy: .accepted, .nikonMovieBusy: .accepted,
        .deviceBusy: .retry, .nikonInvalidStatus: .retry, .nikonSecondRelease: .secondRelease,
        .parameterNotSupported: .oneParameter, .accessDenied: .modeRefused,
    ]
}

/// The answer to a write of a property.
package enum NikonWriteAnswer: Hashable, Sendable {
    /// The body accepted the value. Only a later reading confirms it.
    case accepted
    /// A retry may succeed.
    case busy
    /// The value is not in the body's list now.
    case notOffered
    /// The property cannot be set in this mode.
    case notWritable
    /// The mode of the body does not allow it. ChangeCameraMode may help; otherwise the property is not writable.
    case modeRefused
    case failed(CameraFailure)

    package init(_ code: ResponseCode) {
        self = Self.table[code] ?? .failed(NikonFailures.failure(code, of: .setDevicePropValue))
    }

    private static let table: [ResponseCode: Self] = [
        .ok: .accepted, .deviceBusy: .busy, .invalidDevicePropValue: .notOffered,
        .nikonSetPropertyNotSupported: .notWritable, .nikonInvalidStatus: .modeRefused, .accessDenied: .modeRefused,
    ]
}

/// The neutral failures behind Nikon's response codes.
package enum NikonFailures {
    package static func failure(_ code: ResponseCode, of operation: OperationCode) -> CameraFailure {
        table[code] ?? .refused(operation: operation.nikonName, code: code.rawValue, name: code.nikonName)
    }

    /// Whether a code says that the shutter was not released. Any other code leaves that open.
    static func meansNoRelease(_ code: ResponseCode) -> Bool { noRelease.contains(code) }

    private static let noRelease: Set<ResponseCode> = [
        .nikonOutOfFocus, .nikonShutterIsBulb, .nikonShutterIsTime, .nikonMirrorUpSequence, .nikonMirrorUpStarted,
        .nikonApertureNotAtMinimum, .storeFull, .nikonStoreUnformatted,
    ]

    private static let table: [ResponseCode: CameraFailure] = [
        .storeFull: .storageFull,
        .nikonOutOfFocus: .focusFailed,
        .storeNotAvailable: .other(NikonCaptureSentences.noCard),
        .nikonHardwareError: .other(NikonCaptureSentences.hardwareError),
        .nikonShutterIsBulb: .other(NikonCaptureSentences.untimedSpeed),
        .nikonShutterIsTime: .other(NikonCaptureSentences.untimedSpeed),
        .nikonMirrorUpSequence: .other(NikonCaptureSentences.mirrorUp),
        .nikonMirrorUpStarted: .other(NikonCaptureSentences.mirrorUp),
        .nikonApertureNotAtMinimum: .other(NikonCaptureSentences.apertureRing),
        .nikonStoreError: .other(NikonCaptureSentences.cardError),
        .nikonStoreUnformatted: .other(NikonCaptureSentences.cardUnformatted),
    ]
}
