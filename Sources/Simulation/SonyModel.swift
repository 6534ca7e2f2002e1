import Cameras
import PTP

/// A row of the table of simulated Sony bodies: everything in which one body differs from another.
package struct SonyModel: Sendable {
    /// As DeviceInfo and the handshake give it.
    package var name: String
    /// What is special about it, in one line.
    package var summary: String
    package var firmware: String
    package var serialNumber: String
    /// The last 6 bytes of the GUID.
    package var macAddress: [UInt8]
    /// Its state after power-on.
    package var properties: [SonyPropertyRecord]
    /// From the answer to a set until a reading shows it: 100 to 800 ms (alpha-fairy).
    package var readbackDelay = Duration.milliseconds(150)
    /// From the half press to focus; up to 1 s (libgphoto2, rocc). Not in manual focus.
    package var focusTime = Duration.milliseconds(300)
    /// From the full press to the open shutter. A press that ends earlier takes no picture: too short a press made an
    /// SLT-A58 miss shots (libgphoto2#88).
    package var releaseLag = Duration.milliseconds(40)
    /// From the end of the exposure, or of the dark frame, until the picture is ready.
    package var saveTime = Duration.milliseconds(500)
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

    /// All rows, the default first.
    package static let all: [SonyModel] = [ilce7M4, dscRX100M7, ilce7CM2, ilce1M2]

    /// The row with this name, in any case; nil when there is none.
    package static func named(_ name: String) -> SonyModel? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }

    /// A full-frame body with two slots that takes every speed of the third-stop scale, in manual focus.
    package static let ilce7M4 = SonyModel(
        name: "ILCE-7M4",
        summary: "full frame, 1/8000 to 30\" and BULB, two slots, manual focus",
        firmware: "3.00",
        serialNumber: "00000000000000003282933003783803",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x07, 0x04],
        properties: SonyPropertyTable.ilce7M4
    )

    /// The state of a real body's capture: 1/32000, autofocus, save target shown as host.
    package static let dscRX100M7 = SonyModel(
        name: "DSC-RX100M7",
        summary:
            "compact in the state of a real capture: 1/32000 to 30\" and BULB, autofocus, always stores on its card",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003100107",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x00, 0x01],
        properties: SonyPropertyTable.rx100M7,
        readbackDelay: .milliseconds(250),
        saveTime: .milliseconds(800),
        alwaysStoresOnCard: true
    )

    /// Leaves 10 s after the last command (alpha-fairy#39).
    package static let ilce7CM2 = SonyModel(
        name: "ILCE-7CM2",
        summary: "as ILCE-7M4, but drops the connection 10 s after the last command",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003700302",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x07, 0xC2],
        properties: SonyPropertyTable.ilce7M4,
        idleLimit: .seconds(10)
    )

    /// Reports its long-exposure noise reduction and forgets pictures that were not fetched.
    package static let ilce1M2 = SonyModel(
        name: "ILCE-1M2",
        summary:
            "as ILCE-7M4, but reports noise reduction (0xD15B), 1/32000, and forgets unfetched pictures at the end",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003100102",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x01, 0x02],
        properties: SonyPropertyTable.ilce1M2,
        readbackDelay: .milliseconds(100),
        saveTime: .milliseconds(300),
        keepsBufferOverSessions: false
    )
}
