/// The scene of every simulated body: grey squares over eight stops, with the darkest at the top left. The brightness
/// depends only on the light. There is no noise, so the same frame has the same pixels.
package enum SimulatedScene {
    /// The width of the picture in pixels.
    package static let width = 96
    /// The height of the picture in pixels.
    package static let height = 64
    /// The side of a square in pixels, equal to a block of JPEG.
    static let side = 8

    static var columns: Int { width / side }
    static var rows: Int { height / side }

    /// The greys of the squares, row by row, 0 to 255. At a light of 1 the middle squares are a middle grey, and the
    /// darkest and brightest squares clip.
    static func greys(light: Double) -> [UInt8] {
        (0..<rows * columns).map { square in
            // Neighbors in a row differ by four sixths of a stop, neighbors in a column by one sixth.
            let stops = PowerOfTwo.sixths((square % columns) * 4 + square / columns - 26)
            // The square root approximates a display's curve. At a light of 1, middle grey is 18 % of white.
            let level = (0.18 * light * stops).squareRoot() * 255
            return UInt8(min(255, level.rounded()))
        }
    }
}
