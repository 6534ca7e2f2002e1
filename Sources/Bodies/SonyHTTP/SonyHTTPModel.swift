import Cameras

/// A row of the table of simulated bodies with Sony's HTTP API. The rows contain all differences between bodies.
package struct SonyHTTPModel: Sendable {
    /// The name on the command line: `a6000`.
    package var shortName: String
    /// The name in the description.
    package var name: String
    /// The special features of the model, in one line.
    package var summary: String
    /// The quirks of the model, one sentence each.
    package var quirks: [String] = []
    /// The name and the version of the app in the camera.
    package var application: (name: String, version: String)
    /// The version in the files of pictures. The API does not report it.
    package var firmware = "1.00"
    /// The last 6 bytes of the UDN.
    package var macAddress: [UInt8]
    package var port: UInt16 = 8080
    /// The versions of the API, in ascending order.
    package var versions: [String]
    /// The part of a file name before the number.
    package var filePrefix = "DSC"
    /// The part of a file name after the number and before the extension.
    package var fileSuffix = ""

    // MARK: Methods

    /// Whether the body must be switched to its recording mode before anything else. Other bodies have no method for
    /// that mode, so nothing ends their session but the end of the poll.
    package var needsRecMode = true
    /// Whether the mode can be set remotely. Bodies with a mode dial do not offer it (sony_camera_remote_api).
    package var setsMode = false
    /// Whether the card can be listed: the service avContent, and the function "Contents Transfer".
    package var hasContents = false
    /// Whether the app is the pre-installed one, which offers neither speed nor aperture nor ISO.
    package var isReduced = false
    /// Whether the body has the methods of the half press (a real ILCE-5000). Few bodies need them for a picture.
    package var hasHalfPress: Bool { !isReduced }
    package var hasPowerZoom = false
    /// The fastest speed: 1/4000 s is 4000.
    package var fastest = 4_000

    // MARK: Behavior

    /// The error of a value that the body does not have.
    package var unknownValue = SonyHTTPFailure.setFailed
    /// How the body answers a poll in which nothing changed.
    package var pollEnd = Fault.PollEnd.nulls
    /// Whether the body reports `StillSaving`. The source of the smart remote app never does.
    package var reportsSaving = true
    /// Whether replies are sent in chunks.
    package var sendsChunks = false
    package var focusMode = "AF-S"
    /// Whether pictures are RAW and JPEG.
    package var hasRAW = false
    package var recModeTime = Duration.milliseconds(800)
    package var functionTime = Duration.milliseconds(600)
    package var focusTime = Duration.milliseconds(350)
    /// The time from the call to the open shutter.
    package var releaseLag = Duration.milliseconds(60)
    /// The time from the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
    /// The time from the reply with the picture until the status is IDLE.
    package var idleLag = Duration.milliseconds(30)
    package var readbackDelay = Duration.milliseconds(50)
    package var megapixels: Int
    /// The time from the end of the exposure until the file is ready on real bodies; an assumption.
    package var fileDelay = Duration.milliseconds(2_000)

    /// The row with this short or full name, in upper or lower case; nil: no such row.
    package static func named(_ name: String) -> SonyHTTPModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// The size of a file in bytes.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        SimulatedPicture.realSize(of: kind, megapixels: megapixels)
    }

    /// The unique name of the device. The digits are those of an HX400V (sony_camera_api).
    package var udn: String { "uuid:000000001000-1010-8000-\(macAddress.map(\.twoDigits).joined())" }

    /// Another body of the same model with this serial number, which decides the end of the UDN.
    ///
    /// - Returns: nil when the text is not a valid serial number; see ``BodyOptions/isSerial(_:)``.
    package func identified(as serial: String) -> SonyHTTPModel? {
        guard BodyOptions.isSerial(serial) else { return nil }
        var model = self
        model.macAddress = BodyOptions.macAddress(macAddress, of: serial)
        return model
    }

    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    package var withHostileNames: SonyHTTPModel {
        var model = self
        model.name += BodyOptions.hostileText
        model.firmware += BodyOptions.hostileText
        model.application.name += BodyOptions.hostileText
        model.filePrefix = "../../../.DSC"
        model.fileSuffix = BodyOptions.hostileText
        return model
    }
}

/// An error of a call, as the body sends it.
package struct SonyHTTPFailure: Error, Hashable, Sendable {
    package var code: Int
    package var text: String

    package init(_ code: Int, _ text: String) {
        self.code = code
        self.text = text
    }

    // The texts are those of the smart remote app (SR 2.0 and 4.x). Other bodies have other texts, or none.
    package static let notAvailable = SonyHTTPFailure(1, "Not Available Now")
    package static let unknown = SonyHTTPFailure(1, "Unknown")
    package static let stillShootingNotCalled = SonyHTTPFailure(1, "StillShootingNotCalled")
    package static let timedOut = SonyHTTPFailure(2, "Timed out")
    package static let illegalArgument = SonyHTTPFailure(3, "Illegal Argument")
    package static let illegalRequest = SonyHTTPFailure(5, "Illegal Request")
    package static let noSuchMethod = SonyHTTPFailure(12, "No Such Method")
    package static let unsupportedVersion = SonyHTTPFailure(14, "Unsupported Version")
    package static let setFailed = SonyHTTPFailure(500, "Set operation failed.")
    package static let shootingFailed = SonyHTTPFailure(40400, "Shooting Failed")
    package static let noURL = SonyHTTPFailure(40400, "Shooting Succeeded: No URL")
    package static let notReady = SonyHTTPFailure(40401, "Camera Not Ready")
    package static let doublePolling = SonyHTTPFailure(40402, "DoublePolling")
    package static let longShooting = SonyHTTPFailure(40403, "Long shooting")
    package static let notFinished = SonyHTTPFailure(40403, "Not Finished")
    package static func otherSize(_ size: String, running: String) -> SonyHTTPFailure {
        SonyHTTPFailure(3, "Default size(=\(size)) differs from the current(=\(running)).")
    }

    package static let someNotDeleted = SonyHTTPFailure(41003, "Some content could not be deleted")
}
