import Cameras
import PTP

/// A row of the table of simulated Sony bodies. The rows contain all differences between bodies.
package struct SonyModel: Sendable {
    /// The name on the command line: in small letters, without the prefix of the family (`rx100m7`).
    package var shortName: String
    /// The name in DeviceInfo and the handshake.
    package var name: String
    /// The version of Sony's extension that the body answers with.
    package var version = SonyExtensionVersion.version3
    /// The special features of the model, in one line.
    package var summary: String
    package var firmware: String
    package var serialNumber: String
    /// The maker's name in DeviceInfo.
    package var maker = "Sony Corporation"
    /// The part of a file name before the number.
    package var filePrefix = "DSC"
    /// The part of a file name after the number and before the extension.
    package var fileSuffix = ""
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    /// The object formats of DeviceInfo: folder, JPEG, RAW, MPEG, and Sony's own (LGD sony-a7m4).
    package var imageFormats: [UInt16] = [0x3001, 0x3801, 0xB101, 0x300B, 0xB982, 0xB110]
    /// The properties after power-on.
    package var properties: [SonyPropertyRecord]
    /// The properties that a version 3 body lists for an initiator that requests version 2.
    package var profile = SonyProfile.ilce7M4
    /// The properties that only notches change, and their values; nil on bodies of version 3.
    package var stepping: SonyStepping?
    /// Where a jump of several notches ends; nil: the model's value.
    package var stepAccuracy: SonyStepping.Accuracy?
    /// How long a change by notches takes; nil: the model's value.
    package var stepTime: Duration?
    /// The time from the answer to a new value until the initiator can read the value: 100 to 800 ms (alpha-fairy).
    package var readbackDelay = Duration.milliseconds(150)
    /// The time from the half press to focus, except in manual focus: up to 1 s (libgphoto2, rocc).
    package var focusTime = Duration.milliseconds(300)
    /// The time from the full press to the open shutter. A shorter press takes no picture. After presses that were too
    /// short, shots of an SLT-A58 were missing (libgphoto2#88).
    package var releaseLag = Duration.milliseconds(40)
    /// The time from the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
    /// The megapixels, which decide the size of files that are as large as real files.
    package var megapixels = 24
    /// The time from the end of the exposure until the file is ready on real bodies: 2.5 to 4.5 s by model (VIEW).
    /// `saveTime` is shorter, so that tests are faster.
    package var fileDelay = Duration.milliseconds(2_500)
    /// The time from a change to its event.
    package var eventDelay = Duration.milliseconds(20)
    /// The time after the start of a session during which the body takes no picture with autofocus. For some bodies
    /// libgphoto2 waits 3 s before the first shot. Its source says that manual focus perhaps needs no wait.
    package var settleTime = Duration.seconds(3)
    /// How long the session slot stays occupied after a connection breaks.
    package var slotHold = Duration.seconds(2)
    /// The maximum time without an operation of the initiator; nil: no limit.
    package var idleLimit: Duration?
    /// Whether the body stores every picture on its card, even with the save target host. An RX100 VII on phone WiFi
    /// reports 1 (host), display only, but stores on its card.
    package var alwaysStoresOnCard = false
    /// Whether unfetched pictures stay in the buffer after the session. UNSURE: over USB, libgphoto2 saw them after a
    /// power cycle but not after a reconnect. A driver must handle both cases.
    package var keepsBufferOverSessions = true

    /// The service that the body announces, as set in its menu.
    package var discoveryKind = SonyAnnouncement.Kind.ptp

    /// The size of a file of this kind in bytes.
    package func fileSize(of kind: PictureInfo.Kind) -> Int {
        SimulatedPicture.realSize(of: kind, megapixels: megapixels)
    }

    /// The row with this short or full name, in upper or lower case; nil: no such row.
    package static func named(_ name: String) -> SonyModel? {
        all.first { [$0.shortName, $0.name.lowercased()].contains(name.lowercased()) }
    }
}
