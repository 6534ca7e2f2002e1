/// A table of JPEG codes against light, linear between its knots.
///
/// Light is in EV from mid-grey. Cameras differ in their curves, and a table is right for most of them only near
/// mid-grey. A reading by table is therefore an estimate; ``SpotSearch`` needs no curve.
package struct ToneTable: Hashable, Sendable {
    package struct Knot: Hashable, Sendable {
        package let ev: Double
        package let code: Double

        package init(_ ev: Double, _ code: Double) {
            self.ev = ev
            self.code = code
        }
    }

    /// At least two knots, both numbers ascending.
    package let knots: [Knot]

    package init(knots: [Knot]) {
        precondition(knots.count >= 2, "a line needs two ends")
        precondition(zip(knots, knots.dropFirst()).allSatisfy { $0.ev < $1.ev && $0.code < $1.code }, "ascending")
        self.knots = knots
    }

    /// The median of seven measured camera curves (darktable, src/iop/basecurve.c, JPEG linearised by sRGB) and of one
    /// measured table (timelapseplus/VIEW). Code 118 is mid-grey: 18 % of white.
    package static let camera = ToneTable(
        knots: [
            Knot(-9, 0), Knot(-8, 1), Knot(-7, 2), Knot(-6, 3), Knot(-5, 6), Knot(-4, 12), Knot(-3.5, 16),
            Knot(-3, 21), Knot(-2.5, 29), Knot(-2, 40), Knot(-1.5, 53), Knot(-1, 71), Knot(-0.5, 93), Knot(0, 118),
            Knot(0.5, 144), Knot(1, 170), Knot(1.5, 197), Knot(2, 220), Knot(2.5, 239), Knot(3, 250),
            Knot(3.25, 253), Knot(3.5, 255),
        ]
    )

    /// The code of mid-grey.
    package static let greyCode = 118
    /// The lowest code that says "clipped". Sharp edges ring a few codes, so it is below 255.
    package static let clippedCode = 250
    /// The lowest code that says more than "dark".
    package static let darkCode = 12

    /// The code that light gives; the first or last code beyond the knots.
    package func code(at ev: Double) -> Double {
        let (low, high) = segment { $0.ev <= ev }
        let share = (ev - low.ev) / (high.ev - low.ev)
        return low.code + (high.code - low.code) * min(max(share, 0), 1)
    }

    /// The light of a code, in EV from mid-grey. It is exact at a knot.
    package func ev(of code: Int) -> Double {
        let (low, high) = segment { $0.code <= Double(code) }
        let share = (Double(code) - low.code) / (high.code - low.code)
        return low.ev + (high.ev - low.ev) * min(max(share, 0), 1)
    }

    /// The largest error of ``camera`` at a code, in EV, over the eight curves that it is made of; nil: the code says
    /// only "dark" or "clipped".
    package static func error(of code: Int) -> Double? {
        switch code {
        case 29...170: 0.2
        case 21...197: 0.3
        case darkCode..<clippedCode: 0.54
        default: nil
        }
    }

    /// The neighbouring knots around a place.
    private func segment(_ isBelow: (Knot) -> Bool) -> (Knot, Knot) {
        let above = knots.firstIndex { !isBelow($0) } ?? knots.count - 1
        let high = max(1, above)
        return (knots[high - 1], knots[high])
    }
}
