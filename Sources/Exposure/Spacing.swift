/// The distance between two neighbouring frames of a set.
package enum Spacing: Codable, Hashable, Sendable, CaseIterable {
    case one
    case oneAndAHalf
    case two

    /// The spacing of 1, 1.5 or 2 EV; nil for any other number.
    package init?(ev: Double) {
        guard let spacing = Spacing.allCases.first(where: { $0.ev == ev }) else { return nil }
        self = spacing
    }

    package var ev: Double {
        switch self {
        case .one: 1
        case .oneAndAHalf: 1.5
        case .two: 2
        }
    }

    /// The spacing as the user types it: `1`, `1.5`, `2`.
    package var label: String {
        switch self {
        case .one: "1"
        case .oneAndAHalf: "1.5"
        case .two: "2"
        }
    }

    /// The spacing in sixths of a stop. In this unit every spacing is an integer.
    package var sixths: Int {
        switch self {
        case .one: 6
        case .oneAndAHalf: 9
        case .two: 12
        }
    }

    /// The distance on the scale, in thirds of a stop: 3 × spacing rounded up, so 5 thirds for 1.5 EV. Each frame is
    /// rounded before the next one is placed, so that all distances are equal.
    package var stepThirds: Int { (sixths + 1) / 2 }
}

/// How often a frame that belongs to two neighbouring sets is fired.
package enum Sharing: Codable, Hashable, Sendable, CaseIterable {
    /// The frame is fired in both sets, so that each set is complete.
    case twice
    case once
}
