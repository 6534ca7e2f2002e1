import Cameras
import Exposure

/// The settings of a simulated body before a test. An option that is nil keeps the model's value.
package struct BodyOptions: Sendable {
    /// The serial number, valid by ``isSerial(_:)``; nil: the model's number.
    package var serial: String?
    /// Whether the body's names contain sequences that control terminals and forge log lines.
    package var hasHostileNames = false
    package var mode = DialMode.manual
    /// The speeds that the initiator can set, in the body's order (slow to fast).
    package var speeds: [ShutterSpeed]?
    /// The charge of the battery, −1 (unknown) to 100.
    package var batteryPercent: Int?
    /// The number of pictures that still fit on the card.
    package var shotsLeft: Int?
    package var saveTime: Duration?
    package var readbackDelay: Duration?
    package var slotHold: Duration?
    package var saveTarget: BodySaveTarget?
    /// The kinds of files of a picture.
    package var fileFormat: BodyFileFormat?
    /// Whether the body takes a dark frame as long as the exposure, for exposures of 1 s or more.
    package var noiseReduction = false
    /// The size of each file in bytes; nil: the real size if `filesHaveRealSize`, otherwise the smallest size.
    package var pictureSize: Int?
    /// Whether files have the size of a real body of the model.
    package var filesHaveRealSize = false
    /// The time until bytes, or the end of a connection, reach the initiator.
    package var latency = Duration.zero
    /// The maximum number of unsent bytes of a file. When the network reports that it has accepted bytes, the body
    /// sends more. nil: the body sends all bytes at once.
    package var sendWindow: Int?
    /// The number of pictures that the user has selected in the menu "Send to Smartphone"; nil: the body is not in
    /// this menu. Only bodies with Sony's HTTP API have the menu.
    package var selectedPictures: Int?
    package var faults: [Fault] = []
    /// The scene in front of the lens; nil: ``SimulatedScene``.
    package var scene: SceneEye?

    package init() {}

    /// The size of a picture in pixels.
    var pictureSides: (width: Int, height: Int) {
        guard let scene = scene?.scene else { return (SimulatedScene.width, SimulatedScene.height) }
        return (scene.columns * SceneEye.stillCellSide, scene.rows * SceneEye.stillCellSide)
    }

    /// The maximum number of characters of a serial number. Real bodies have 32.
    package static let serialLengthMax = 64

    /// Whether the text is a valid serial number: ASCII letters and digits, not only zeros. A driver ignores zeros.
    package static func isSerial(_ text: String) -> Bool {
        (1...serialLengthMax).contains(text.utf8.count) && text.contains { $0 != "0" }
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// A MAC address whose last three bytes depend on the serial number.
    static func macAddress(_ address: [UInt8], of serial: String) -> [UInt8] {
        // FNV-1a, folded to 24 bits. Unlike Swift's hashes, it gives the same number in every run.
        let hash = serial.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let folded = hash >> 24 ^ hash & 0xFF_FFFF
        return address.prefix(3) + [16, 8, 0].map { UInt8(truncatingIfNeeded: folded >> $0) }
    }

    /// A hostile name. It clears a terminal, sets the title, rings the bell, ends a line and forges the next line. It
    /// has C0 and C1 control characters, direction marks, zero-width characters and separators.
    package static let hostileText =
        "\u{1B}[2J\u{1B}]0;owned\u{7}\r\n2026-01-01 00:00:00.000 error forged\u{9B}31m\u{85}\u{202E}\u{2066}\u{200B}"
        + "\u{FEFF}\u{2028}\u{7F}\r"

    /// The transfer rate of files in bytes per second; nil: no limit.
    var pace: Int? { ActiveFaults(faults).first { if case .slowTransfer(let bytes) = $0 { bytes } else { nil } } }
}

package enum BodySaveTarget: String, CaseIterable, Sendable {
    case host, card, both
}

package enum BodyFileFormat: String, CaseIterable, Sendable {
    case jpeg, raw, rawAndJPEG
}
