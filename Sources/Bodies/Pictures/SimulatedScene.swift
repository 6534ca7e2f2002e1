/// The scene of every simulated body: grey squares over eight stops, the darkest at the top left. Only the light
/// decides their brightness. There is no noise, so the same frame has the same pixels.
package enum SimulatedScene {
    /// Pixels.
    package static let width = 96
    /// Pixels.
    package static let height = 64
    /// The side of a square in pixels: a JPEG's block.
    static let side = 8

    static var columns: Int { width / side }
    static var rows: Int { height / side }

    /// The greys of the squares, row by row, 0 to 255. At a light of 1 the middle squares are a middle grey; at the
    /// ends they clip.
    static func greys(light: Double) -> [UInt8] {
        (0..<rows * columns).map { square in
            // Four sixths of a stop from square to square in a row, one sixth from row to row.
            let stops = PowerOfTwo.sixths((square % columns) * 4 + square / columns - 26)
            // An approximation of a display's curve: the square root. At a light of 1, middle grey is 18 % of white.
            let level = (0.18 * light * stops).squareRoot() * 255
            return UInt8(min(255, level.rounded()))
        }
    }
}
