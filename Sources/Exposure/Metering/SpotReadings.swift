/// The codes of one spot of the scene in frames at several speeds, and the speed that makes it mid-grey.
package struct SpotReadings: Hashable, Sendable {
    package struct Reading: Hashable, Sendable {
        package let speed: ShutterSpeed
        /// The median code of the spot, 0 to 255.
        package let code: Int

        package init(speed: ShutterSpeed, code: Int) {
            self.speed = speed
            self.code = code
        }

        /// Whether the code says more than "dark" or "clipped".
        var isUsable: Bool { ToneTable.darkCode..<ToneTable.clippedCode ~= code }
    }

    package enum Verdict: Hashable, Sendable {
        /// Mid-grey is at this place on the scale of speeds, within a third of a stop, whatever the curve.
        case settled(index: Double)
        /// The frame that says most about the spot.
        case test(ShutterSpeed)
        /// The spot is too bright at the fastest speed, or too dark at the slowest speed.
        case beyond(ShutterSpeed)
    }

    /// How far clipped readings jump: thirds of a stop towards faster speeds.
    static let clippedJump = 12
    /// How far dark readings jump: thirds of a stop towards slower speeds.
    static let darkJump = 12
    /// An answer may have this standard deviation, in EV.
    private static let deviationMax = 0.2

    package private(set) var readings: [Reading] = []

    package init() {}

    package init(_ readings: [Reading]) { self.readings = readings }

    package mutating func add(_ code: Int, at speed: ShutterSpeed) {
        readings.append(Reading(speed: speed, code: min(max(code, 0), 255)))
    }

    /// The place of mid-grey on the scale of speeds, from the reading that says most, and its deviation in EV. Nil: all
    /// readings are dark or clipped.
    package func greyIndex(_ tones: ToneModel) -> (index: Double, deviation: Double)? {
        let answers = readings.filter(\.isUsable).map { reading in
            let light = tones.light(of: reading.code)
            return (index: Double(reading.speed.index) - 3 * light.ev, deviation: light.deviation)
        }
        return answers.min { $0.deviation < $1.deviation }
    }

    /// What the readings say. Nil: no reading.
    ///
    /// - Parameters:
    ///   - available: the camera's speeds, fastest first, at least one.
    ///   - tones: what is known of the camera's curve.
    package func verdict(in available: [ShutterSpeed], tones: ToneModel) -> Verdict? {
        guard !readings.isEmpty else { return nil }
        let grey = greyIndex(tones)
        if let grey, grey.deviation <= Self.deviationMax { return .settled(index: grey.index) }
        let wanted = grey?.index ?? jumpIndex
        guard let speed = ShutterSpeed(clamping: Int(wanted.rounded())).nearest(in: available) else { return nil }
        if !readings.contains(where: { $0.speed == speed }) { return .test(speed) }
        // The camera has nothing nearer, or the light flickers.
        let isAtEnd = speed == available.first || speed == available.last
        return isAtEnd && abs(wanted - Double(speed.index)) > 1 ? .beyond(speed) : .settled(index: wanted)
    }

    /// Whether all readings are dark.
    var isDark: Bool { !readings.isEmpty && readings.allSatisfy { $0.code < ToneTable.darkCode } }

    /// The place of the next frame if all readings say only "dark" or "clipped".
    private var jumpIndex: Double {
        let clipped = readings.filter { $0.code >= ToneTable.clippedCode }.map(\.speed.index).min()
        let dark = readings.filter { $0.code < ToneTable.darkCode }.map(\.speed.index).max()
        switch (dark, clipped) {
        case (let dark?, let clipped?): return Double(dark + clipped) / 2
        case (nil, let clipped?): return Double(clipped - Self.clippedJump)
        case (let dark?, nil): return Double(dark + Self.darkJump)
        case (nil, nil): return Double(ShutterSpeed.oneSecondIndex)
        }
    }
}
