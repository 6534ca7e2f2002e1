import Cameras
import PTP

/// A row of the table of simulated Sony bodies: everything in which one body differs from another.
package struct SonyModel: Sendable {
    /// As people type it: the name in small letters, without what all of a family have in front (`rx100m7`).
    package var shortName: String
    /// As DeviceInfo and the handshake give it.
    package var name: String
    /// The generation of Sony's extension that it answers with.
    package var version = SonyExtensionVersion.version3
    /// What is special about it, in one line.
    package var summary: String
    package var firmware: String
    package var serialNumber: String
    /// As DeviceInfo gives it.
    package var maker = "Sony Corporation"
    /// What stands before the number in the names of its files.
    package var filePrefix = "DSC"
    /// What stands behind the number, before the ending.
    package var fileSuffix = ""
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    /// The object formats of DeviceInfo: folder, JPEG, RAW, MPEG, and Sony's own (LGD sony-a7m4).
    package var imageFormats: [UInt16] = [0x3001, 0x3801, 0xB101, 0x300B, 0xB982, 0xB110]
    /// Its state after power-on.
    package var properties: [SonyPropertyRecord]
    /// What a body of version 3 lists for an initiator that asks for version 2.
    package var profile = SonyProfile.ilce7M4
    /// What can only be moved by notches, and how; nil on bodies of version 3.
    package var stepping: SonyStepping?
    /// Where jumps of several notches end; nil: as the model has it.
    package var stepAccuracy: SonyStepping.Accuracy?
    /// How long a move by notches takes; nil: as the model has it.
    package var stepTime: Duration?
    /// From the answer to a set until a reading shows it: 100 to 800 ms (alpha-fairy).
    package var readbackDelay = Duration.milliseconds(150)
    /// From the half press to focus; up to 1 s (libgphoto2, rocc). Not in manual focus.
    package var focusTime = Duration.milliseconds(300)
    /// From the full press to the open shutter. A press that ends earlier takes no picture: too short a press made an
    /// SLT-A58 miss shots (libgphoto2#88).
    package var releaseLag = Duration.milliseconds(40)
    /// From the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
    /// Millions of pixels, for files as large as real ones.
    package var megapixels = 24
    /// From the end of the exposure until the file is ready, as real bodies take it: 2.5 to 4.5 s by model (VIEW).
    /// `saveTime` is quicker, for tests.
    package var fileDelay = Duration.milliseconds(2_500)
    /// From a change to its event.
    package var eventDelay = Duration.milliseconds(20)
    /// How long after the session was opened the body takes no picture when it has to focus: libgphoto2 waits 3 s
    /// before the first shot on a list of bodies and says that manual focus may not need it.
    package var settleTime = Duration.seconds(3)
    /// How long the place stays taken after a broken connection.
    package var slotHold = Duration.seconds(2)
    /// How long the body bears silence from the initiator; nil: for ever.
    package var idleLimit: Duration?
    /// Whether the card gets every picture whatever the save target says: an RX100 VII on phone WiFi shows 1 (host),
    /// display only, and yet stores on its card.
    package var alwaysStoresOnCard = false
    /// Whether pictures that were not fetched outlive the session. UNSURE: libgphoto2 saw them outlive a power cycle
    /// but not a reconnect (over USB); a driver has to bear both.
    package var keepsBufferOverSessions = true

    /// What its menu lets it be found as.
    package var discoveryKind = SonyAnnouncement.Kind.ptp

    /// How large a file of this kind is, in bytes. An assumption: a fine JPEG has about 0.35 bytes a pixel, and a
    /// compressed RAW 1.1.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        megapixels * (kind == .raw ? 1_100_000 : 350_000)
    }

    /// The row with this name, short or in full, in any case; nil when there is none.
    package static func named(_ name: String) -> SonyModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }
}
