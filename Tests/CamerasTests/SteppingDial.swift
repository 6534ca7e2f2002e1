// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap

import Cameras
import Exposure
import Foundation
import NIOCore
import PTP
import Testing

/// The shutter speed of a version 2 body. It moves by notches, and the body shows it later. It uses the list of a real
/// body, not the driver's scale.
struct SteppingDial {
    /// Sony's speeds as numbers in the protocol, from slow to fast. BULB is the first.
    static let scale: [UInt32] = (SonyVectors.object("ptp_shutter_speed_0xD20D")["values"] as! [[String: Any]])
        .map { ($0["raw"] as! NSNumber).uint32Value }

    /// The body's speed after all received notches.
    private(set) var place: Int
    /// The ends of the range.
    var range = scale.indices
    /// The time from a command until the body shows the speed.
    var moveTime: Duration = .milliseconds(300)
    /// The time for which the body shows each notch on the way; nil: it shows only the last one.
    var walk: Duration?
    /// The number of notches that a command moves. The parameters are the requested notches and the number of earlier
    /// commands.
    var landing: (Int, Int) -> Int = { notches, _ in notches }
    /// The commands so far. Each has the body's speed before it.
    private(set) var commands: [(from: Int, notches: Int)] = []

    init(_ raw: UInt32) {
        place = Self.place(raw)
    }

    static func place(_ raw: UInt32) -> Int { scale.firstIndex(of: raw)! }

    static func place(_ speed: ShutterSpeed) -> Int { place(SonyShutterSpeed(speed).rawValue) }

    /// The total of requested notches.
    var notchesSent: Int { commands.map { abs($0.notches) }.reduce(0, +) }

    mutating func take(_ data: ByteBuffer, at now: Duration) -> [(at: Duration, raw: UInt32)] {
        // According to Sony's document, the data is one signed byte.
        guard data.readableBytes == 1, let byte = data.getInteger(at: 0, as: Int8.self) else {
            Issue.record("a step of \(data.readableBytes) bytes")
            return []
        }
        let notches = Int(byte)
        commands.append((place, notches))
        let aim = place + landing(notches, commands.count - 1)
        let end = min(max(aim, range.lowerBound), range.upperBound - 1)
        defer { place = end }
        guard end != place else { return [] }
        guard let walk else { return [(now + moveTime, Self.scale[end])] }
        let way = end > place ? Array(place + 1...end) : Array((end..<place).reversed())
        return way.enumerated().map { (now + moveTime + walk * $0.offset, Self.scale[$0.element]) }
    }
}

extension ScriptedBody {
    /// Changes the body to version 2 and lets it show `raw`. It then has one list per enumeration, short modes, and a
    /// read-only speed (gphoto2#306).
    mutating func becomeVersion2(showing raw: UInt32, _ change: (inout SteppingDial) -> Void = { _ in }) {
        extensionVersion = 0x00C8
        controls = [.halfPress, .fullPress, .shutterSpeed]
        // On the version 3 body that this one is made from, the code of the absolute speed means something else.
        records.removeAll { $0.code == .sonyShutterSpeedVersion2 }
        for index in records.indices {
            if case .enumeration(let settable, _) = records[index].form {
                records[index].form = .enumeration(settable: settable, supported: nil)
            }
        }
        for code in [PropertyCode.exposureProgramMode, .stillCaptureMode] {
            let value = UInt16(truncatingIfNeeded: self[code].currentValue.integer ?? 0)
            let form: SonyPropertyRecord.Form = .enumeration(settable: [.uint16(value)], supported: nil)
            self[code] = SonyPropertyRecord(
                code: code,
                defaultValue: .uint16(value),
                currentValue: .uint16(value),
                form: form
            )
        }
        self[.sonyShutterSpeed] = SonyPropertyRecord(
            code: .sonyShutterSpeed,
            getSet: 0,
            availability: .displayOnly,
            defaultValue: .uint32(0),
            currentValue: .uint32(raw),
            form: .range(min: .uint32(0), max: .uint32(.max), step: .uint32(1))
        )
        // The test does not concern the priority of the dials.
        self[.sonyPositionKey].getSet = 0
        var dial = SteppingDial(raw)
        change(&dial)
        stepper = dial
    }
}

extension DriverBench {
    /// A connected version 2 body that shows a speed.
    static func stepping(
        from speed: ShutterSpeed,
        _ dial: (inout SteppingDial) -> Void = { _ in },
        body: (inout ScriptedBody) -> Void = { _ in }
    ) -> DriverBench {
        stepping(from: SonyShutterSpeed(speed).rawValue, dial, body: body)
    }

    /// A connected version 2 body that shows a speed outside the third-stop scale.
    static func stepping(
        from raw: UInt32,
        _ dial: (inout SteppingDial) -> Void = { _ in },
        body change: (inout ScriptedBody) -> Void = { _ in }
    ) -> DriverBench {
        let bench = DriverBench { body in
            body.becomeVersion2(showing: raw, dial)
            change(&body)
        }
        bench.connect()
        bench.run(for: .milliseconds(300))
        bench.forget()
        return bench
    }

    /// The notches of each step so far.
    var steps: [Int] { body.stepper?.commands.map(\.notches) ?? [] }

    /// The last reported status, of the connection or later.
    var lastStatus: CameraStatus? {
        reported.reversed().compactMap { if case .status(let status) = $0.event { status } else { nil } }.first
    }
}
