import Cameras
import Exposure

/// The comparison of pictures with their frames, by the EXIF data of the pictures.
///
/// The result depends only on the pictures so far: the same pictures in the same order give the same results.
struct Verification: Equatable, Sendable {
    /// A release of the shutter, with the data to compare.
    struct Shot: Equatable, Sendable {
        var ticket: Ticket
        var shoot: Int
        var speed: ShutterSpeed
        /// The time by the daemon's clock at which the body accepted the command; before that, the time of the command.
        var firedAt: Duration
        /// The camera's aperture and ISO at that time; nil: not reported, or the camera chooses the value.
        var fNumber: Double?
        var iso: UInt32?
    }

    /// The time of the camera's clock minus that of the daemon's clock, in seconds, as one picture shows it.
    private struct Clock: Equatable {
        var offset: Double
        var exposure: Double
    }

    private struct Dated: Equatable {
        var shot: Shot
        var time: CaptureTime
    }

    private var clock: Clock?
    /// The newest shot with a verified picture, and the time in that picture.
    private var last: Dated?
    /// The clock according to the latest picture that is suspect only because of its time.
    private var doubted: Clock?

    /// The tolerance of an exposure time: a sixth of a stop, half the distance to the next speed.
    private static let speedRatioMax = 1.122_462_048_309_373
    /// The tolerance of an f-number: a sixth of a stop.
    private static let fNumberRatioMax = 1.059_463_094_359_295
    /// The tolerance of a sensitivity. Cameras round sensitivities, for example 101594 to 102400.
    private static let isoShareMax = 0.03
    /// EXIF 2.32, 4.6.5: a sensitivity that does not fit in 16 bits is written as 65535.
    private static let isoCeiling: UInt32 = 65535
    /// In seconds, the longest delay of a shutter after its command, plus the drift of a clock during a session.
    private static let lagMax = 5.0
    /// If two shots are at least this many seconds apart, their pictures cannot have the same time.
    private static let apart = 2.0

    /// Forgets the clock at a new connection, because the user may have set the camera's clock in the meantime.
    mutating func forgetClock() {
        clock = nil
        last = nil
        doubted = nil
    }

    /// Compares a picture's data with its shot.
    ///
    /// - Parameter isTimeKnown: whether this run of the daemon released the shutter, so that times can be compared.
    mutating func verify(
        _ metadata: PictureMetadata,
        _ kind: PictureInfo.Kind,
        of shot: Shot,
        isTimeKnown: Bool = true
    ) -> Verdict {
        let record: ExposureRecord
        switch metadata {
        case .read(let read): record = read
        // Only a JPEG file must have readable metadata.
        case .unreadable(let reason): return kind == .jpeg ? .suspect(.unreadable(reason)) : .none
        // If the daemon itself failed to read the metadata, the picture is not suspect.
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

    /// Whether the camera's clock was set back: two pictures in a row are too early by about the same amount.
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

    /// Compares the exposure time. Cameras write either the number of the speed's label or the true time.
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

    /// The text of an exposure time in the notation of photographers.
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

    /// The doubt about a picture's time; nil: none. A body always writes the begin of the exposure, or always the end.
    private func doubt(_ time: CaptureTime, _ shot: Shot) -> SuspectReason? {
        if let last, last.shot.shoot == shot.shoot, last.shot.ticket.rawValue < shot.ticket.rawValue {
            if time.seconds < last.time.seconds - 1 { return .outOfOrder(time.text) }
            let gap = (shot.firedAt - last.shot.firedAt).seconds
            let ends = gap + shot.exposure - last.shot.exposure
            if time == last.time, min(gap, ends) >= Self.apart { return .sameTime(time.text) }
        }
        guard let clock else { return nil }
        let late = time.seconds - shot.firedAt.seconds - clock.offset
        // The exposures count twice, because some bodies include the dark frame.
        guard late < -(Self.lagMax + 2 * max(shot.exposure, clock.exposure)) else { return nil }
        return .older(by: .seconds(Int64(-late)))
    }

    /// Learns the offset of the camera's clock from the first picture of a connection.
    ///
    /// A body delivers pictures late, never early. If a later picture is newer than possible by this offset, the first
    /// picture was an old one. Then the offset is learned from the later picture.
    private mutating func learn(_ time: CaptureTime, _ shot: Shot) {
        let seen = Clock(offset: time.seconds - shot.firedAt.seconds, exposure: shot.exposure)
        let isAhead = clock.map { seen.offset - $0.offset > Self.lagMax + 2 * max(seen.exposure, $0.exposure) }
        if isAhead ?? true { clock = seen }
        doubted = nil
        if last.map({ $0.shot.ticket.rawValue < shot.ticket.rawValue }) ?? true { last = Dated(shot: shot, time: time) }
    }
}

extension Verification.Shot {
    /// The exposure time in seconds.
    fileprivate var exposure: Double { speed.exposureTime.seconds }

    /// Creates the shot with the camera's present values.
    init(ticket: Ticket, shoot: Int, speed: ShutterSpeed, firedAt: Duration, camera: CameraStatus?) {
        self.init(ticket: ticket, shoot: shoot, speed: speed, firedAt: firedAt)
        // In mode S the body changes its aperture with the speed.
        if camera?.mode == .manual { fNumber = camera?.aperture.flatMap(Self.number) }
        if camera?.isISOAuto != true { iso = camera?.iso.flatMap { UInt32($0) } }
    }

    /// The f-number of a text such as `f/2.8`; nil for text without a number, such as `f/--`.
    private static func number(_ aperture: String) -> Double? {
        let digits = aperture.drop { $0 == "f" || $0 == "F" || $0 == "/" }
        guard let number = Double(digits), number.isFinite, number > 0 else { return nil }
        return number
    }
}

extension Duration {
    /// The duration in seconds, with its fraction.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
