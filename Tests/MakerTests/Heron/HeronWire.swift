import Exposure
import NIOCore
import PTP

// Heron is a maker that exists only in this folder. Its bodies use PTP/IP with their own operations and their own speed
// encoding. They send no events, so the driver asks for new files.

extension OperationCode {
    /// Takes or returns the control of the body: parameter 1 is 1 or 0.
    static let heronRemote = Self(rawValue: 0x9A01)
    /// Reads the body's status. Data-in: `HeronState`.
    static let heronState = Self(rawValue: 0x9A02)
    /// Sets the speed. Data-out: a speed.
    static let heronSpeed = Self(rawValue: 0x9A03)
    /// Takes a picture.
    static let heronShoot = Self(rawValue: 0x9A04)
    /// Lists new files. Data-in: an array of u32, the handles of files that were not reported yet.
    static let heronFiles = Self(rawValue: 0x9A05)
}

/// A speed in the protocol. The high byte counts stops from 1/8000 on. The low byte is 0x00, 0x55 or 0xAA for the
/// thirds.
struct HeronSpeed: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    private static let thirds: [UInt16] = [0x00, 0x55, 0xAA]

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ speed: ShutterSpeed) {
        rawValue = UInt16(speed.index / 3) << 8 | Self.thirds[speed.index % 3]
    }

    /// The speed on the scale; nil: not on the scale.
    var speed: ShutterSpeed? {
        Self.thirds.firstIndex(of: rawValue & 0xFF).flatMap { ShutterSpeed(index: Int(rawValue >> 8) * 3 + $0) }
    }
}

/// A body's status.
struct HeronState: Hashable, Sendable {
    enum Activity: UInt8, Sendable {
        case idle, exposing, writing
    }

    /// The mode, as the letter on the dial.
    var mode: UInt8
    var activity: Activity
    var speed: HeronSpeed
    var shotsLeft: UInt16
    var battery: UInt8
    /// The number of files that were not reported yet.
    var newFiles: UInt16
    /// The speeds that can be set.
    var speeds: [HeronSpeed]

    var encoded: ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(mode)
        writer.integer(activity.rawValue)
        writer.integer(speed.rawValue)
        writer.integer(shotsLeft)
        writer.integer(battery)
        writer.integer(newFiles)
        writer.array(speeds.map(\.rawValue))
        return writer.buffer
    }

    /// Returns nil if the bytes cannot be read.
    init?(_ data: ByteBuffer) {
        do throws(DatasetError) {
            var reader = DatasetReader(data)
            mode = try reader.integer("Mode")
            let number: UInt8 = try reader.integer("Activity")
            guard let activity = Activity(rawValue: number) else { return nil }
            self.activity = activity
            speed = HeronSpeed(rawValue: try reader.integer("Speed"))
            shotsLeft = try reader.integer("ShotsLeft")
            battery = try reader.integer("Battery")
            newFiles = try reader.integer("NewFiles")
            speeds = try reader.array("Speeds", of: UInt16.self).map(HeronSpeed.init(rawValue:))
        } catch {
            return nil
        }
    }

    init(
        mode: UInt8,
        activity: Activity,
        speed: HeronSpeed,
        shotsLeft: UInt16,
        battery: UInt8,
        newFiles: UInt16,
        speeds: [HeronSpeed]
    ) {
        self.mode = mode
        self.activity = activity
        self.speed = speed
        self.shotsLeft = shotsLeft
        self.battery = battery
        self.newFiles = newFiles
        self.speeds = speeds
    }
}
