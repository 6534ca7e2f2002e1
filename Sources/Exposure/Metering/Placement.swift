/// Where a metered spot is placed in the picture.
package enum Placement: Hashable, Sendable, CaseIterable {
    /// The speed that makes the spot mid-grey, as a spot meter says.
    case grey
    /// The speed that keeps the detail of the spot: highlights above mid-grey, shadows below. A plan between two such
    /// speeds has no needless frames.
    case detail

    /// The name in output and options.
    package var label: String {
        switch self {
        case .grey: "grey"
        case .detail: "detail"
        }
    }
}

/// An end of the scene's range.
package enum SceneEnd: Hashable, Sendable, CaseIterable {
    case shadow
    case highlight

    /// The name in output.
    package var label: String {
        switch self {
        case .shadow: "shadow"
        case .highlight: "highlight"
        }
    }
}

/// The speed for a spot, and how sure it is.
package struct MeteredSpeed: Hashable, Sendable {
    package enum Certainty: Hashable, Sendable {
        /// The frames show the curve, or one is near mid-grey: within 1/3 EV whatever the camera's curve.
        case measured
        /// By the curves of usual cameras, within this many EV on them.
        case estimated(error: Double)
        /// The spot is outside what the frames or the camera's speeds show. The speed is the nearest one.
        case outside
    }

    package let speed: ShutterSpeed
    package let certainty: Certainty
    /// The frame that would say more; nil: none.
    package let next: ShutterSpeed?

    /// The speed that places a spot. Nil without a reading.
    ///
    /// - Parameters:
    ///   - end: the end of the range that the spot is; nil: a spot that is placed at mid-grey.
    ///   - available: the camera's speeds, fastest first.
    ///   - tones: what is known of the camera's curve.
    package init?(
        _ spot: SpotReadings,
        placing end: SceneEnd?,
        as placement: Placement,
        options: MeteringOptions = MeteringOptions(),
        available: [ShutterSpeed],
        tones: ToneModel = .usual
    ) {
        let verdict = spot.verdict(in: available, tones: tones)
        guard let verdict, let first = available.first, let last = available.last else { return nil }
        let estimate = spot.greyIndex(tones)
        let shift =
            switch (placement, end) {
            case (.grey, _), (.detail, nil): 0
            case (.detail, .highlight?): options.highlightThirds
            case (.detail, .shadow?): options.shadowThirds
            }
        next = if case .test(let speed) = verdict { speed } else { nil }
        let limits = Double(first.index) - 0.5...Double(last.index) + 0.5
        guard let (index, error) = Self.index(verdict, estimate), limits ~= index + Double(shift) else {
            let isBright = (estimate?.index).map { $0 + Double(shift) < limits.lowerBound } ?? !spot.isDark
            // Without a usable reading the next frame is the best guess.
            let guess = estimate == nil ? next.map { ShutterSpeed(clamping: $0.index + shift) } : nil
            speed = guess?.nearest(in: available) ?? (isBright ? first : last)
            certainty = .outside
            return
        }
        let wanted = ShutterSpeed(clamping: Int(index.rounded()) + shift)
        speed = wanted.nearest(in: available) ?? wanted
        certainty = error.map { .estimated(error: $0) } ?? .measured
    }

    /// The place of mid-grey, and the error of an estimate.
    private static func index(
        _ verdict: SpotReadings.Verdict,
        _ estimate: (index: Double, deviation: Double)?
    ) -> (Double, Double?)? {
        switch verdict {
        case .settled(let index): (index, nil)
        case .test, .beyond: estimate.map { ($0.index, 2 * $0.deviation) }
        }
    }
}

/// The ends of a plan for the two speeds that make the shadows and the highlights mid-grey.
package struct MeteredRange: Hashable, Sendable {
    package let shadow: ShutterSpeed
    package let highlight: ShutterSpeed

    /// Places both ends so that their detail is kept. A plan between the metered speeds themselves would have needless
    /// frames over 11/3 EV.
    ///
    /// The order of the two speeds does not matter. If one frame shows both ends, both speeds are that frame's.
    package init(shadow: ShutterSpeed, highlight: ShutterSpeed, options: MeteringOptions = MeteringOptions()) {
        let slow = max(shadow, highlight).index + options.shadowThirds
        let fast = min(shadow, highlight).index + options.highlightThirds
        let (first, last) = fast <= slow ? (fast, slow) : ((fast + slow) / 2, (fast + slow) / 2)
        self.shadow = ShutterSpeed(clamping: last)
        self.highlight = ShutterSpeed(clamping: first)
    }
}
