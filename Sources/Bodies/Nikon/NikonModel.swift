import Cameras
import PTP

/// A row of the table of simulated Nikon bodies. The rows contain all differences between bodies.
package struct NikonModel: BodyIdentity, Sendable {
    /// The name on the command line: `z6-2`.
    package var shortName: String
    /// The name in DeviceInfo: `Z 6_2`.
    package var name: String
    /// The special features of the model, in one line.
    package var summary: String
    /// The quirks of the model, one sentence each.
    package var quirks: [String] = []
    package var firmware = "V1.00"
    /// The serial number, with zeros in front, as in DeviceInfo.
    package var serialNumber: String
    package var maker = "Nikon Corporation"
    /// The part of a file name before the number.
    package var filePrefix = "DSC_"
    /// The part of a file name after the number and before the extension.
    package var fileSuffix = ""
    /// The name of a folder after its number: `100NZ6_2`.
    package var folderSuffix: String
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    package var operations: [OperationCode]
    package var events: [EventCode] = NikonModel.eventsOfZ
    /// Nikon's own id is 0x0A, and no body sends it over WiFi: a D5300 sends 6, a Z 8 0xFFFFFFFF.
    package var vendorExtensionID: UInt32 = 0xFFFF_FFFF
    package var vendorExtensionDescription = ""
    /// The properties of the body.
    package var sheet: NikonSheet
    /// Whether the steps of the exposure are halves, as set in the menu.
    package var hasHalfSteps = false
    /// The codes with four bytes in the vendor list 0x9439.
    package var longCodes: [UInt32] = []
    /// The storage ids. The low half is 0 for a slot without a card.
    package var storages: [UInt32] = [0x0001_0001]

    // MARK: Behavior

    /// Whether only an initiator in the application mode or the remote mode can change settings and release.
    package var needsApplicationMode = false
    /// Whether the body refuses the change of the camera mode.
    package var refusesCameraMode = false
    /// The response to a change that the mode does not allow: 0x200F or 0xA005.
    package var refusal = ResponseCode.accessDenied
    /// The response to a release while the body works.
    package var notReady = ResponseCode.deviceBusy
    /// Whether the body also sends its events as packets. A Z 6 does (sabaipics).
    package var pushesEvents = false
    /// Whether events that no initiator has read remain for the next session.
    package var keepsEvents = false
    /// Whether the event of a picture in memory has the handle 0 instead of 0xFFFF0001.
    package var omitsMemoryHandle = false
    /// Whether a RAW file comes before its JPEG.
    package var sendsRawFirst = false
    /// Whether the list of speeds in A and P has only those that the program can reach (D750, D500).
    package var shortensSpeedList = false
    /// Whether the body closes its connections when 0x943C writes a property with two bytes (OpenZCine, ZR).
    package var closesOnLongWrite = false
    /// Whether the PIN is in UTF-16 instead of ASCII.
    package var hasWidePIN = false
    /// The time from the answer to a new value until a reading has the value.
    package var readbackDelay = Duration.milliseconds(30)
    /// The time from a release with autofocus to the focus.
    package var focusTime = Duration.milliseconds(300)
    /// The time from the release to the open shutter.
    package var releaseLag = Duration.milliseconds(60)
    /// The time from the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(400)
    /// How long the body rejects ObjectInfo after the announcement; up to 1 s (airnef).
    package var objectInfoDelay = Duration.zero
    /// The megapixels, which decide the size of files that are as large as real files.
    package var megapixels: Int
    /// The time from the end of the exposure until the file is ready on real bodies; an assumption.
    package var fileDelay = Duration.milliseconds(1_000)
    /// How long the session slot stays occupied after a connection breaks.
    package var slotHold = Duration.seconds(2)

    /// The row with this short or full name, in upper or lower case; nil: no such row.
    package static func named(_ name: String) -> NikonModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// The size of a file of this kind in bytes.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        SimulatedPicture.realSize(of: kind, megapixels: megapixels)
    }

    func has(_ code: OperationCode) -> Bool { operations.contains(code) }

    /// The PIN of a pairing: four digits, which depend on the serial number.
    package var pin: String {
        let sum = serialNumber.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9_000 }
        return String(1_000 + sum)
    }

    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    package var withHostileNames: NikonModel {
        var model = self
        model.name += BodyOptions.hostileText
        model.firmware += BodyOptions.hostileText
        model.serialNumber += BodyOptions.hostileText
        model.maker += BodyOptions.hostileText
        model.folderSuffix += BodyOptions.hostileText
        model.filePrefix = "../../../.DSC_"
        model.fileSuffix = BodyOptions.hostileText
        return model
    }
}
