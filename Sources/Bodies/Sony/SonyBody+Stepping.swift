import Cameras
import NIOCore
import PTP

/// Notches, by which bodies of version 2 change properties that have no writable value.
extension SonyBody {
    /// Handles 0x9207 with a property and one signed byte. The answer is OK even if there is no effect.
    mutating func step(_ code: PropertyCode, _ data: ByteBuffer, at now: Duration) -> ResponderAnswer? {
        var data = data
        guard let notches: Int8 = data.readInteger(), data.readableBytes == 0 else {
            return ResponderAnswer(.invalidParameter)
        }
        let accuracy = model.stepAccuracy ?? model.stepping?.accuracy ?? .exact
        let moved = accuracy.notches(of: Int(notches))
        let delay = model.stepTime ?? model.stepping?.moveTime ?? model.readbackDelay
        if code == .sonyShutterSpeed {
            let wanted = SonyShutterSpeed(rawValue: UInt32(clamping: destination(moved, of: code)))
            outputs.append(.log("\(notches) notches"))
            return change(to: wanted, isTaken: mode.speedIsSettable, after: delay, at: now)
        }
        guard let record = sheet[code], let value = PTPValue(destination(moved, of: code), as: record.type) else {
            return ResponderAnswer(.parameterNotSupported)
        }
        plan(value, of: record, isTaken: true, after: delay, at: now)
        return .ok
    }

    /// The value that is `notches` away from the present or planned value, within the list.
    private func destination(_ notches: Int, of code: PropertyCode) -> Int64 {
        let values = stepValues(of: code)
        let from = underWay(code) ?? (code == .sonyShutterSpeed ? Int64(speed.rawValue) : sheet.integer(code) ?? 0)
        guard let index = values.firstIndex(of: from) else { return values.first ?? from }
        return values[min(max(index + notches, 0), values.count - 1)]
    }

    private func underWay(_ code: PropertyCode) -> Int64? {
        switch schedule.last(where: { $0.isShown(code) }) {
        case .speedShows(let speed), .speedTurned(let speed): Int64(speed.rawValue)
        case .propertyShows(_, let value): value.integer
        default: nil
        }
    }

    private func stepValues(of code: PropertyCode) -> [Int64] {
        if code == .sonyShutterSpeed { return offeredSpeeds.map { Int64($0.rawValue) } }
        return stepScale(of: code) ?? []
    }
}

extension SonyBody.ScheduledEvent {
    /// Whether the event changes the value of this property.
    func isShown(_ code: PropertyCode) -> Bool {
        switch self {
        case .speedShows, .speedTurned: code == .sonyShutterSpeed
        case .propertyShows(let other, _): other == code
        default: false
        }
    }
}
