import Cameras
import PTP

/// A row of the table of simulated Canon bodies. The rows contain all differences between bodies.
package struct CanonModel: BodyIdentity, Sendable {
    /// The name on the command line: `eos-60d`.
    package var shortName: String
    /// The name in DeviceInfo and the handshake.
    package var name: String
    /// The special features of the model, in one line.
    package var summary: String
    /// The quirks of the model, one sentence each.
    package var quirks: [String] = []
    package var firmware: String
    package var serialNumber: String
    /// The maker's name in DeviceInfo. Bodies from about 2016 have no blank (80D, R6).
    package var maker = "Canon.Inc"
    /// The part of a file name before the number.
    package var filePrefix = "IMG_"
    /// The part of a file name after the number and before the extension.
    package var fileSuffix = ""
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    package var operations: [OperationCode]
    package var events: [EventCode] = CanonModel.newEvents
    package var properties: [PropertyCode] = []
    package var vendorExtensionVersion: UInt16 = 100
    /// The format of the RAW files: 0xB103 CR2, 0xB108 CR3.
    package var rawFormat: UInt16 = 0xB103
    /// The first event list of a body of this model.
    package var dump: CanonSheet
    /// The records that differ in the simulated body, which can shoot; nil: none.
    package var changes: CanonSheet?
    /// Whether the body keeps the settings of its captured list, whatever its options.
    package var isAsCaptured = false

    // MARK: Behavior

    /// The response to a value that the body does not offer now. A 60D answers Device_Busy; other bodies may answer
    /// 0x201C.
    package var rejection = ResponseCode.deviceBusy
    /// Whether the body wants both stages of the button at once, and reports the result in its display data.
    package var pressesBothStages = false
    /// The record that announces a file on the card.
    package var objectRecord = CanonRecordType.objectAdded64
    /// Whether a RAW file comes before its JPEG.
    package var sendsRawFirst = false
    /// Whether the body sends its lists again after each picture.
    package var sendsListsAgain = false
    /// The time from the answer to a new value until the event list has the value.
    package var readbackDelay = Duration.milliseconds(50)
    /// The time from the half press to the focus. The answer to the half press comes then.
    package var focusTime = Duration.milliseconds(300)
    /// The time from the full press to the open shutter.
    package var releaseLag = Duration.milliseconds(60)
    /// The time from the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
    /// The megapixels, which decide the size of files that are as large as real files.
    package var megapixels: Int
    /// The time from the end of the exposure until the file is ready on real bodies; an assumption.
    package var fileDelay = Duration.milliseconds(2_500)
    /// How long the session slot stays occupied after a connection breaks.
    package var slotHold = Duration.seconds(2)
    /// The service that the body announces, as set in its menu.
    package var discoveryKind = CanonAnnouncement.Kind.utility

    /// The row with this short or full name, in upper or lower case; nil: no such row.
    package static func named(_ name: String) -> CanonModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }

    /// The size of a file of this kind in bytes.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        SimulatedPicture.realSize(of: kind, megapixels: megapixels)
    }

    var rawExtension: String { rawFormat == 0xB108 ? ".CR3" : ".CR2" }

    /// Whether the body reports display data, such as the focus.
    var hasDisplayInfo: Bool { operations.contains(.canonRequestDisplayInfo) }

    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    package var withHostileNames: CanonModel {
        var model = self
        model.name += BodyOptions.hostileText
        model.firmware += BodyOptions.hostileText
        model.serialNumber += BodyOptions.hostileText
        model.maker += BodyOptions.hostileText
        model.filePrefix = "../../../.IMG_"
        model.fileSuffix = BodyOptions.hostileText
        return model
    }
}
