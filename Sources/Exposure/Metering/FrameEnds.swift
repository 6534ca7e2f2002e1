/// The numbers that decide what counts as an end of a scene's range, and where it is placed.
package struct MeteringOptions: Hashable, Sendable {
    /// The share of the pixels that may be brighter than the highlight end. A mirror or the sun is smaller.
    package var highlightShare = 0.0005
    /// The share of the pixels that may be darker than the shadow end.
    package var shadowShare = 0.01
    /// Where detail of highlights is placed: thirds of a stop above mid-grey. 2 EV (code 220) keeps 1 EV to clipping.
    package var highlightThirds = 6
    /// Where detail of shadows is placed: thirds of a stop from mid-grey. -5/3 EV is about code 50 (Magic Lantern).
    package var shadowThirds = -5
    /// A frame whose highlight end reaches this code needs a faster frame. With Magic Lantern's 235, which is
    /// 0.1 EV stricter, brackets have more frames.
    package var highlightCodeMax = 238
    /// A frame whose shadow end is below this code needs a slower frame. Magic Lantern's 50 is 0.1 EV stricter.
    package var shadowCodeMin = 47

    package init() {}
}

/// The two ends of a frame's codes, and by how much the exposure would have to change for each.
package struct FrameEnds: Hashable, Sendable {
    package enum Shift: Hashable, Sendable {
        /// The change of the speed in thirds of a stop; positive is slower.
        case thirds(Int)
        /// The end is white: a faster frame has to show it.
        case clipped
        /// The end is black: a slower frame has to show it.
        case dark
    }

    /// The code of the brightest channel that more than the highlight share reach.
    package let highlightCode: Int
    /// The code of luma below which no more than the shadow share are.
    package let shadowCode: Int
    package let highlight: Shift
    package let shadow: Shift

    /// - Parameters:
    ///   - brightest: the brightest of the three channels of each pixel.
    ///   - luma: JFIF luma of each pixel.
    package init(brightest: CodeHistogram, luma: CodeHistogram, options: MeteringOptions = MeteringOptions()) {
        let table = ToneTable.camera
        highlightCode = brightest.brightEnd(share: options.highlightShare)
        shadowCode = luma.darkEnd(share: options.shadowShare)
        let over = Double(options.highlightThirds) - 3 * table.ev(of: highlightCode)
        let under = Double(options.shadowThirds) - 3 * table.ev(of: shadowCode)
        highlight =
            switch highlightCode {
            case ToneTable.clippedCode...: .clipped
            case ..<ToneTable.darkCode: .dark
            default: .thirds(Int(over.rounded(.down)))
            }
        shadow = shadowCode < ToneTable.darkCode ? .dark : .thirds(Int(under.rounded(.up)))
    }

    /// The thirds of a stop, positive is slower, by which a point with this code becomes mid-grey. Halves are rounded
    /// away from zero.
    package static func greyShift(of code: Int) -> Int {
        Int((-3 * ToneTable.camera.ev(of: code)).rounded(.toNearestOrAwayFromZero))
    }
}
