/// What every simulated body looks at: a still life of grey squares over eight stops, darkest at the top left. How
/// bright it comes out follows from the light alone; there is no noise, so that the same frame has the same pixels.
package enum SimulatedScene {
    /// Pixels.
    package static let width = 96
    /// Pixels.
    package static let height = 64
    /// Pixels of a square's side: a JPEG's block.
    static let side = 8

    static var columns: Int { width / side }
    static var rows: Int { height / side }

    /// The greys of the squares, row by row, 0 to 255. At a light of 1 the middle ones are a middle grey; at the ends
    /// they clip.
    static func greys(light: Double) -> [UInt8] {
        (0..<rows * columns).map { square in
            // Along a row four sixths of a stop a square, a sixth from row to row.
            let stops = PowerOfTwo.sixths((square % columns) * 4 + square / columns - 26)
            // A display's curve, nearly: the square root. At a light of 1, middle grey is 18 % of white.
            let level = (0.18 * light * stops).squareRoot() * 255
            return UInt8(min(255, level.rounded()))
        }
    }
}
