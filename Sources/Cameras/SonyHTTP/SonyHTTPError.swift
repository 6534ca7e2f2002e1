/// The number of an error reply (API Reference v2.40, "Status code"). The text of an error is never used: it can be
/// empty (an ILCE-6600 sends 40400 with "").
package struct SonyHTTPError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The method is not available now, or the reason is not known.
    package static let any = Self(rawValue: 1)
    package static let timeout = Self(rawValue: 2)
    package static let illegalArgument = Self(rawValue: 3)
    package static let illegalDataFormat = Self(rawValue: 4)
    package static let illegalRequest = Self(rawValue: 5)
    package static let illegalResponse = Self(rawValue: 6)
    package static let illegalState = Self(rawValue: 7)
    package static let noSuchMethod = Self(rawValue: 12)
    package static let unsupportedVersion = Self(rawValue: 14)
    package static let unsupportedOperation = Self(rawValue: 15)
    /// HTTP 403: the method is locked for this client.
    package static let forbidden = Self(rawValue: 403)
    package static let notFound = Self(rawValue: 404)
    /// The camera app's answer to a value that it does not know.
    package static let internalServerError = Self(rawValue: 500)
    /// The picture was not taken, or it was taken and has no URL.
    package static let shootingFailed = Self(rawValue: 40400)
    package static let cameraNotReady = Self(rawValue: 40401)
    /// Another `getEvent` or `awaitTakePicture` replaced this one.
    package static let alreadyPolling = Self(rawValue: 40402)
    /// The exposure still runs. So far it is a success.
    package static let stillCapturing = Self(rawValue: 40403)
    package static let contentProtected = Self(rawValue: 41000)
    package static let contentDoesNotExist = Self(rawValue: 41001)
    package static let storageRemoved = Self(rawValue: 41002)
    package static let someContentNotDeleted = Self(rawValue: 41003)

    /// The numbers with a name in Sony's table. The numbers 41000 to 41002 are only in kz-remote-api (UNSURE).
    package static let names: [(value: Self, name: String)] = [
        (Self(rawValue: 0), "OK"), (any, "Any"), (timeout, "Timeout"), (illegalArgument, "Illegal Argument"),
        (illegalDataFormat, "Illegal Data Format"), (illegalRequest, "Illegal Request"),
        (illegalResponse, "Illegal Response"), (illegalState, "Illegal State"),
        (Self(rawValue: 8), "Illegal Type"), (Self(rawValue: 9), "Index Out Of Bounds"),
        (Self(rawValue: 10), "No Such Element"), (Self(rawValue: 11), "No Such Field"),
        (noSuchMethod, "No Such Method"), (Self(rawValue: 13), "Null Pointer"),
        (unsupportedVersion, "Unsupported Version"), (unsupportedOperation, "Unsupported Operation"),
        (Self(rawValue: 401), "Unauthorized"), (forbidden, "Forbidden"), (notFound, "Not Found"),
        (Self(rawValue: 406), "Not Acceptable"), (Self(rawValue: 413), "Request Entity Too Large"),
        (Self(rawValue: 414), "Request-URI Too Long"), (internalServerError, "Internal Server Error"),
        (Self(rawValue: 501), "Not Implemented"), (Self(rawValue: 503), "Service Unavailable"),
        (shootingFailed, "Shooting Fail"), (cameraNotReady, "Camera Not Ready"),
        (alreadyPolling, "Already Running Polling Api"), (stillCapturing, "Still Capturing Not Finished"),
        (contentProtected, "Content Protected"), (contentDoesNotExist, "Content Does Not Exist"),
        (storageRemoved, "Storage Removed"), (someContentNotDeleted, "Some Content Could Not Be Deleted"),
    ]

    /// `40401 (Camera Not Ready)`; for a number without a name, the number.
    package var description: String {
        Self.names.first { $0.value == self }.map { "\(rawValue) (\($0.name))" } ?? "\(rawValue)"
    }

    /// Whether the body does not have the method, so that it makes no sense to call it again.
    package var meansAbsent: Bool {
        switch self {
        case .noSuchMethod, .unsupportedOperation, .forbidden, .notFound: true
        default: false
        }
    }

    /// Whether the body did not perform the call, because the call itself is invalid.
    package var meansUncalled: Bool {
        switch self {
        case .illegalArgument, .illegalDataFormat, .illegalRequest, .unsupportedVersion: true
        default: meansAbsent
        }
    }

    /// Whether the same call can succeed later without a change on the body.
    package var isPassing: Bool {
        switch self {
        case .any, .timeout, .illegalState, .cameraNotReady, .alreadyPolling: true
        default: false
        }
    }
}
