import Exposure
import PTP

/// The list of a body's speeds in one of its two properties, and the meaning of the values.
///
/// The order, the completeness and the special codes differ between bodies (LGD: 16 bodies). So every speed is chosen
/// from the body's own list.
package struct NikonSpeedList: Hashable, Sendable {
    /// The property that the list belongs to.
    package enum Source: Hashable, Sendable {
        /// 0xD100, see `NikonShutterSpeed`.
        case fractions
        /// 0x500D: tenths of a millisecond without the rest. Some values mean two speeds, see ``substitutions``.
        case tenths

        package var code: PropertyCode {
            switch self {
            case .fractions: .nikonShutterSpeed
            case .tenths: .exposureTime
            }
        }
    }

    /// The steps between the speeds.
    package enum Step: Hashable, Sendable {
        /// Thirds of a stop, or whole stops. A J5 lists thirds and halves together (LGD nikon-j5).
        case thirds
        /// Halves of a stop. The numbers 1/10, 1/20, 1/6, 1/3, 3, 6, 10 and 20 then mean half stops.
        case halves
    }

    /// A value of the list that means two speeds. The driver offers `shown` alone, so the plan shows what replaces
    /// `hidden`.
    package struct Substitution: Hashable, Sendable {
        package let value: UInt32
        package let shown: ShutterSpeed
        package let hidden: ShutterSpeed
    }

    package let source: Source
    /// The values in the body's order.
    package let values: [UInt32]
    package let step: Step
    /// The speeds that can be set now, fastest first, without special codes. In a list of half stops only the whole
    /// stops are speeds of the third-stop scale.
    package let speeds: [ShutterSpeed]
    private let rawValues: [ShutterSpeed: UInt32]

    package init(_ source: Source, _ values: [UInt32]) {
        self.source = source
        self.values = values
        let hasHalves = values.contains { Self.isHalf($0, source) }
        let step = hasHalves && !values.contains { Self.isThird($0, source) } ? Step.halves : .thirds
        self.step = step
        var rawValues: [ShutterSpeed: UInt32] = [:]
        for value in values {
            guard let speed = Self.speed(value, source, step), rawValues[speed] == nil else { continue }
            rawValues[speed] = value
        }
        self.rawValues = rawValues
        speeds = rawValues.keys.sorted()
    }

    /// The value of the body's list for a speed; nil: the body does not offer the speed now.
    package func value(for speed: ShutterSpeed) -> UInt32? { rawValues[speed] }

    /// The speed that a value means, if it is one of the third-stop scale. The value need not be in the list.
    package func speed(of value: UInt32) -> ShutterSpeed? { Self.speed(value, source, step) }

    /// A value for the core.
    package func reading(of value: UInt32) -> SpeedReading {
        speed(of: value).map(SpeedReading.speed) ?? .other(text(of: value))
    }

    /// The label of a value.
    package func text(of value: UInt32) -> String {
        if let fraction = fraction(of: value) { return fraction.description }
        // A value of 0x500D without a speed, in seconds.
        let digits = String(String(10_000 + value % 10_000).dropFirst())
        return "\(value / 10_000).\(digits)\""
    }

    /// Whether a value is an exposure time.
    package func isTimed(_ value: UInt32) -> Bool { fraction(of: value)?.isTimed ?? (value > 0) }

    /// The true time of the exposure with a value; nil: no timed speed.
    package func exposureTime(of value: UInt32) -> Duration? {
        guard isTimed(value) else { return nil }
        return fraction(of: value)?.exposureTime ?? .microseconds(Int(value) * 100)
    }

    /// A time that the exposure with a value does not exceed, see ``NikonShutterSpeed/exposureTimeMax``.
    package func exposureTimeMax(of value: UInt32) -> Duration? {
        guard isTimed(value) else { return nil }
        return fraction(of: value)?.exposureTimeMax ?? .microseconds((Int(value) + 1) * 100) * 8 / 7
    }

    /// The speeds that this list cannot distinguish. Empty for 0xD100 and for half stops, whose whole stops have values
    /// of their own.
    package var substitutions: [Substitution] {
        guard source == .tenths, step == .thirds else { return [] }
        return Self.substitutions.filter { values.contains($0.value) }
    }

    // MARK: Tables

    /// The values of 0x500D that mean two speeds: 1/8000 and 1/6400, 1/5000 and 1/4000. The whole stop is shown.
    package static let substitutions: [Substitution] = ShutterSpeed.all.compactMap { hidden in
        guard let value = NikonShutterSpeed(hidden).tenths, let shown = speedsOfTenths[value], shown != hidden else {
            return nil
        }
        return Substitution(value: value, shown: shown, hidden: hidden)
    }

    /// The speed of each value of 0x500D.
    private static let speedsOfTenths: [UInt32: ShutterSpeed] = {
        let pairs = ShutterSpeed.all.compactMap { speed in NikonShutterSpeed(speed).tenths.map { ($0, speed) } }
        return Dictionary(pairs) { $0.isWholeStop ? $0 : $1 }
    }()

    /// The half stop of each value of 0x500D.
    private static let halvesOfTenths: [UInt32: NikonShutterSpeed] = {
        let pairs = NikonShutterSpeed.halves.compactMap { half in half.tenths.map { ($0, half) } }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// Whether a value means a half stop only.
    private static func isHalf(_ value: UInt32, _ source: Source) -> Bool {
        source.has(value, in: NikonShutterSpeed.halves) && !source.has(value, in: NikonShutterSpeed.thirds)
    }

    /// Whether a value is a third of a stop that no list of half stops contains.
    private static func isThird(_ value: UInt32, _ source: Source) -> Bool {
        source.has(value, in: NikonShutterSpeed.thirds) && !source.has(value, in: ofHalfStops)
    }

    /// The speeds of a list of half stops.
    private static let ofHalfStops =
        NikonShutterSpeed.halves + NikonShutterSpeed.sharedHalves
        + ShutterSpeed.all.filter(\.isWholeStop).map(NikonShutterSpeed.init)

    private static func speed(_ value: UInt32, _ source: Source, _ step: Step) -> ShutterSpeed? {
        let speed =
            switch source {
            case .fractions: NikonShutterSpeed(rawValue: value).shutterSpeed
            case .tenths: speedsOfTenths[value]
            }
        return step == .halves && speed?.isWholeStop == false ? nil : speed
    }

    /// The value in the form of 0xD100; nil: a value of 0x500D that no known speed has.
    private func fraction(of value: UInt32) -> NikonShutterSpeed? {
        if source == .fractions { return NikonShutterSpeed(rawValue: value) }
        let special = NikonShutterSpeed(rawValue: value)
        if special == .bulb || special == .time || special == .flashSync { return special }
        let speed = Self.speedsOfTenths[value]
        if step == .halves, speed?.isWholeStop != true, let half = Self.halvesOfTenths[value] { return half }
        return speed.map(NikonShutterSpeed.init)
    }
}

extension NikonSpeedList.Source {
    /// Whether a value is that of one of these speeds.
    fileprivate func has(_ value: UInt32, in speeds: [NikonShutterSpeed]) -> Bool {
        switch self {
        case .fractions: speeds.contains { $0.isSameTime(as: NikonShutterSpeed(rawValue: value)) }
        case .tenths: speeds.contains { $0.tenths == value }
        }
    }
}

extension ShutterSpeed {
    /// Whether the speed is a whole number of stops from 1″. Lists of half stops contain these speeds too.
    fileprivate var isWholeStop: Bool { index % 3 == 0 }
}
