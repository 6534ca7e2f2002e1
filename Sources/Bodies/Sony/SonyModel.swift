import Cameras
import PTP

/// A row of the table of simulated Sony bodies: all differences between bodies.
package struct SonyModel: Sendable {
    /// The name on the command line: in small letters, without the prefix of the family (`rx100m7`).
    package var shortName: String
    /// The name in DeviceInfo and the handshake.
    package var name: String
    /// The generation of Sony's extension that it answers with.
    package var version = SonyExtensionVersion.version3
    /// Its special features, in one line.
    package var summary: String
    package var firmware: String
    package var serialNumber: String
    /// The maker's name in DeviceInfo.
    package var maker = "Sony Corporation"
    /// The part before the number in its file names.
    package var filePrefix = "DSC"
    /// The part after the number, before the extension.
    package var fileSuffix = ""
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    /// The object formats of DeviceInfo: folder, JPEG, RAW, MPEG, and Sony's own (LGD sony-a7m4).
    package var imageFormats: [UInt16] = [0x3001, 0x3801, 0xB101, 0x300B, 0xB982, 0xB110]
    /// Its state after power-on.
    package var properties: [SonyPropertyRecord]
    /// What a version 3 body lists for an initiator that requests version 2.
    package var profile = SonyProfile.ilce7M4
    /// The properties that only notches move, and how; nil on bodies of version 3.
    package var stepping: SonyStepping?
    /// Where jumps of several notches end; nil: the model's value.
    package var stepAccuracy: SonyStepping.Accuracy?
    /// How long a move by notches takes; nil: the model's value.
    package var stepTime: Duration?
    /// From the answer to a set until a reading shows it: 100 to 800 ms (alpha-fairy).
    package var readbackDelay = Duration.milliseconds(150)
    /// From the half press to focus; up to 1 s (libgphoto2, rocc). Not in manual focus.
    package var focusTime = Duration.milliseconds(300)
    /// From the full press to the open shutter. A shorter press takes no picture: too short a press made an SLT-A58
    /// miss shots (libgphoto2#88).
    package var releaseLag = Duration.milliseconds(40)
    /// From the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
    /// Megapixels, for files as large as real ones.
    package var megapixels = 24
    /// From the end of the exposure until the file is ready on real bodies: 2.5 to 4.5 s by model (VIEW). `saveTime` is
    /// shorter, for tests.
    package var fileDelay = Duration.milliseconds(2_500)
    /// From a change to its event.
    package var eventDelay = Duration.milliseconds(20)
    /// How long after the session was opened the body takes no picture when it must focus. libgphoto2 waits 3 s before
    /// the first shot on a list of bodies, and says that manual focus may not need it.
    package var settleTime = Duration.seconds(3)
    /// How long the place stays taken after a broken connection.
    package var slotHold = Duration.seconds(2)
    /// How long the body tolerates silence from the initiator; nil: no limit.
    package var idleLimit: Duration?
    /// Whether the card gets every picture whatever the save target is: an RX100 VII on phone WiFi shows 1 (host),
    /// display only, but stores on its card.
    package var alwaysStoresOnCard = false
    /// Whether pictures that were not fetched outlive the session. UNSURE: libgphoto2 saw them outlive a power cycle
    /// but not a reconnect (over USB); a driver must handle both.
    package var keepsBufferOverSessions = true

    /// How its menu lets it be found.
    package var discoveryKind = SonyAnnouncement.Kind.ptp

    /// The size of a file of this kind in bytes. An assumption: a fine JPEG has about 0.35 bytes a pixel, and a
    /// compressed RAW 1.1.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        megapixels * (kind == .raw ? 1_100_000 : 350_000)
    }

    /// The row with this name, short or full, in any case; nil when there is none.
    package static func named(_ name: String) -> SonyModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }
}
