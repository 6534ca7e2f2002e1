import Cameras
import Exposure

/// Compares pictures with their frames by their EXIF data.
///
/// Pure arithmetic over the pictures so far: the same pictures in the same order give the same results.
struct Verification: Equatable, Sendable {
    /// A release of the shutter, with the data to compare.
    struct Shot: Equatable, Sendable {
        var ticket: Ticket
        var shoot: Int
        var speed: ShutterSpeed
        /// When the body accepted the command, by the daemon's clock; before that, the time of the command.
        var firedAt: Duration
        /// The camera's values at that time; nil: not reported, or the camera chooses them.
        var fNumber: Double?
        var iso: UInt32?
    }

    /// The camera's clock minus the daemon's, in seconds, by the picture of this shot.
    private struct Clock: Equatable {
        var offset: Double
        var exposure: Double
    }

    private struct Dated: Equatable {
        var shot: Shot
        var time: CaptureTime
    }

    private var clock: Clock?
    /// The newest shot with a right picture, and the time in that picture.
    private var last: Dated?
    /// The clock by the last picture of which only the time was in doubt.
    private var doubted: Clock?

    /// A sixth of a stop: half the way to the next speed.
    private static let speedRatioMax = 1.122_462_048_309_373
    /// A sixth of a stop in f-numbers.
    private static let fNumberRatioMax = 1.059_463_094_359_295
    /// Cameras round sensitivities: 102400 for 101594.
    private static let isoShareMax = 0.03
    /// EXIF 2.32, 4.6.5: a sensitivity that does not fit in 16 bits is written as 65535.
    private static let isoCeiling: UInt32 = 65535
    /// In seconds: the longest delay of a shutter after the command, and the drift of a clock over a session.
    private static let lagMax = 5.0
    /// Two shots this far apart, in seconds, cannot have the same second.
    private static let apart = 2.0

    /// On another connection the user may have set the camera's clock.
    mutating func forgetClock() {
        clock = nil
        last = nil
        doubted = nil
    }

    /// Compares a picture's data with its shot.
    ///
    /// - Parameter isTimeKnown: whether this daemon released the shutter, so that the picture's time can be compared.
    mutating func verify(
        _ metadata: PictureMetadata,
        _ kind: PictureInfo.Kind,
        of shot: Shot,
        isTimeKnown: Bool = true
    ) -> Verdict {
        let record: ExposureRecord
        switch metadata {
        case .read(let read): record = read
        // The metadata of other files may be unreadable.
        case .unreadable(let reason): return kind == .jpeg ? .suspect(.unreadable(reason)) : .none
        // A fault of the daemon is no doubt about the picture.
        case .notRead: return .none
        }
        guard let exposure = record.exposureTime else { return kind == .jpeg ? .suspect(.silent) : .none }
        let time = record.capturedAt.flatMap(CaptureTime.init)
        if let doubt = Self.doubt(exposure, shot) ?? Self.doubt(record, shot) { return .suspect(doubt) }
        guard isTimeKnown, let time else { return .verified }
        if let doubt = doubt(time, shot), !isClockSet(time, shot) { return .suspect(doubt) }
        learn(time, shot)
        return .verified
    }

    /// Whether two pictures in a row are late by the same time: the camera's clock was set back.
    private mutating func isClockSet(_ time: CaptureTime, _ shot: Shot) -> Bool {
        let seen = Clock(offset: time.seconds - shot.firedAt.seconds, exposure: shot.exposure)
        defer { doubted = seen }
        guard let doubted, let clock, seen.offset < clock.offset - Self.lagMax else { return false }
        let tolerance = Self.lagMax + 2 * max(seen.exposure, doubted.exposure)
        guard abs(seen.offset - doubted.offset) < tolerance else { return false }
        forgetClock()
        return true
    }

    // MARK: Exposure

    /// Cameras write the number of the label or the true time.
    private static func doubt(_ exposure: ExposureRecord.Fraction, _ shot: Shot) -> SuspectReason? {
        let seconds = exposure.value
        let truth = [shot.speed.nominalSeconds, shot.speed.exposureTime.seconds]
        if truth.contains(where: { isWithin(speedRatioMax, seconds, $0) }) { return nil }
        return .speed(found: text(seconds))
    }

    private static func doubt(_ record: ExposureRecord, _ shot: Shot) -> SuspectReason? {
        if let set = shot.fNumber, let found = record.fNumber?.value, !isWithin(fNumberRatioMax, found, set) {
            return .aperture(found: "f/\(tenths(found))", set: "f/\(tenths(set))")
        }
        if let set = shot.iso, let found = record.iso, !isSameISO(found, set) { return .iso(found: found, set: set) }
        return nil
    }

    private static func isSameISO(_ found: UInt32, _ set: UInt32) -> Bool {
        if found == isoCeiling, set >= isoCeiling { return true }
        return abs(Double(found) - Double(set)) <= isoShareMax * Double(set)
    }

    private static func isWithin(_ ratio: Double, _ one: Double, _ other: Double) -> Bool {
        one <= other * ratio && other <= one * ratio
    }

    /// A time as photographers write it.
    private static func text(_ seconds: Double) -> String {
        let near = ShutterSpeed.all.first { isWithin(speedRatioMax, seconds, $0.nominalSeconds) }
        if let near { return near.label }
        if seconds >= 0.3 { return "\(tenths(seconds))\"" }
        return seconds > 0 ? "1/\(Int64((1 / seconds).rounded()))" : "0\""
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: Time

    /// A body may stamp a picture at the begin or the end of the exposure, but always at the same.
    private func doubt(_ time: CaptureTime, _ shot: Shot) -> SuspectReason? {
        if let last, last.shot.shoot == shot.shoot, last.shot.ticket.rawValue < shot.ticket.rawValue {
            if time.seconds < last.time.seconds - 1 { return .outOfOrder(time.text) }
            let gap = (shot.firedAt - last.shot.firedAt).seconds
            let ends = gap + shot.exposure - last.shot.exposure
            if time == last.time, min(gap, ends) >= Self.apart { return .sameTime(time.text) }
        }
        guard let clock else { return nil }
        let late = time.seconds - shot.firedAt.seconds - clock.offset
        // Twice, for bodies that include the dark frame.
        guard late < -(Self.lagMax + 2 * max(shot.exposure, clock.exposure)) else { return nil }
        return .older(by: .seconds(Int64(-late)))
    }

    /// Learns the offset of the camera's clock from the first picture of a connection.
    ///
    /// If a later picture is newer than possible, the first was an old one: a body delivers pictures late, never early.
    /// Then the offset is learned from this picture.
    private mutating func learn(_ time: CaptureTime, _ shot: Shot) {
        let seen = Clock(offset: time.seconds - shot.firedAt.seconds, exposure: shot.exposure)
        let isAhead = clock.map { seen.offset - $0.offset > Self.lagMax + 2 * max(seen.exposure, $0.exposure) }
        if isAhead ?? true { clock = seen }
        doubted = nil
        if last.map({ $0.shot.ticket.rawValue < shot.ticket.rawValue }) ?? true { last = Dated(shot: shot, time: time) }
    }
}

extension Verification.Shot {
    /// In seconds.
    fileprivate var exposure: Double { speed.exposureTime.seconds }

    /// The shot with the camera's present values.
    init(ticket: Ticket, shoot: Int, speed: ShutterSpeed, firedAt: Duration, camera: CameraStatus?) {
        self.init(ticket: ticket, shoot: shoot, speed: speed, firedAt: firedAt)
        // On S the body answers a new speed with another aperture.
        if camera?.mode == .manual { fNumber = camera?.aperture.flatMap(Self.number) }
        if camera?.isISOAuto != true { iso = camera?.iso.flatMap { UInt32($0) } }
    }

    /// `f/2.8`; nil for text without an f-number, such as `f/--`.
    private static func number(_ aperture: String) -> Double? {
        let digits = aperture.drop { $0 == "f" || $0 == "F" || $0 == "/" }
        guard let number = Double(digits), number.isFinite, number > 0 else { return nil }
        return number
    }
}

extension Duration {
    /// With the fraction.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
