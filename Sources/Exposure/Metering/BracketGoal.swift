/// What a bracket that finds its own range has to reach, and when it gives up.
package struct BracketGoal: Codable, Hashable, Sendable {
    /// The largest number of frames.
    package let framesMax: Int
    /// The share of the picture that may be brighter than the highlights, in hundredths of a percent.
    package let clipHundredths: Int
    /// The code of luma that the shadows must reach in the slowest frame.
    package let floorCode: Int
    /// Whether the first frame is fired once more at the end. It shows whether the light changed, or the lamps flicker.
    package let checksLight: Bool

    package static let framesRange = 1...ShutterSpeed.all.count
    /// At most half of the picture.
    package static let clipRange = 0...5_000
    /// From where a code says more than "dark", to mid-grey.
    package static let floorRange = ToneTable.darkCode...ToneTable.greyCode

    /// At most 12 frames, 0.05 % of white, and shadows at -5/3 EV.
    package static let usual = BracketGoal(
        checkedFramesMax: AutoBracket.framesMaxDefault,
        clipHundredths: 5,
        floorCode: MeteringOptions().shadowCodeMin,
        checksLight: false
    )

    /// Nil if a number is out of its range.
    package init?(framesMax: Int, clipHundredths: Int, floorCode: Int, checksLight: Bool = false) {
        guard Self.framesRange ~= framesMax, Self.clipRange ~= clipHundredths, Self.floorRange ~= floorCode else {
            return nil
        }
        self.init(
            checkedFramesMax: framesMax,
            clipHundredths: clipHundredths,
            floorCode: floorCode,
            checksLight: checksLight
        )
    }

    /// Creates a goal from a client's numbers. A missing number gets its default.
    ///
    /// - Parameter clipPercent: The share of the picture that may be brighter than the highlights, in percent.
    /// - Throws: the first number that is out of its range.
    package init(
        framesMax: Int?,
        clipPercent: Double?,
        floorCode: Int?,
        checksLight: Bool?
    ) throws(BracketGoalError) {
        let framesMax = framesMax ?? Self.usual.framesMax
        let percent = clipPercent ?? Double(Self.usual.clipHundredths) / 100
        let floorCode = floorCode ?? Self.usual.floorCode
        try BracketGoalError.check(.framesMax, Double(framesMax), in: Self.framesRange)
        try BracketGoalError.check(.clipPercent, percent, in: 0...Self.clipRange.upperBound / 100)
        try BracketGoalError.check(.floorCode, Double(floorCode), in: Self.floorRange)
        self.init(
            checkedFramesMax: framesMax,
            clipHundredths: Int((percent * 100).rounded()),
            floorCode: floorCode,
            checksLight: checksLight ?? false
        )
    }

    private init(checkedFramesMax: Int, clipHundredths: Int, floorCode: Int, checksLight: Bool) {
        framesMax = checkedFramesMax
        self.clipHundredths = clipHundredths
        self.floorCode = floorCode
        self.checksLight = checksLight
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let goal = BracketGoal(
            framesMax: try fields.decode(Int.self, forKey: .framesMax),
            clipHundredths: try fields.decode(Int.self, forKey: .clipHundredths),
            floorCode: try fields.decode(Int.self, forKey: .floorCode),
            checksLight: try fields.decodeIfPresent(Bool.self, forKey: .checksLight) ?? false
        )
        guard let goal else {
            throw DecodingError.dataCorruptedError(
                forKey: .framesMax,
                in: fields,
                debugDescription: "a number of the goal is out of its range"
            )
        }
        self = goal
    }

    package var options: MeteringOptions {
        var options = MeteringOptions()
        options.highlightShare = Double(clipHundredths) / 10_000
        options.shadowCodeMin = floorCode
        return options
    }
}

/// A number of a goal that is out of its range.
package struct BracketGoalError: Error, Hashable, Sendable {
    /// The name of the number in the interface.
    package enum Number: String, Hashable, Sendable {
        case framesMax
        case clipPercent
        case floorCode
    }

    package let number: Number
    package let value: Double
    package let range: ClosedRange<Int>

    fileprivate static func check(_ number: Number, _ value: Double, in range: ClosedRange<Int>) throws(Self) {
        guard Double(range.lowerBound)...Double(range.upperBound) ~= value else {
            throw Self(number: number, value: value, range: range)
        }
    }
}
