/// A point in a picture, in percent from the top left of the picture as it is viewed.
package struct PicturePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// Reads `X,Y`, both 0 to 100, with a point as the decimal sign.
    package init(parsing text: String) throws(PicturePointError) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double(String($0)) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
            throw PicturePointError(text: text, reason: .notAPoint)
        }
        guard 0...100 ~= x, 0...100 ~= y else { throw PicturePointError(text: text, reason: .outside) }
        self.init(x, y)
    }
}

/// Why a text is not a point in a picture.
package struct PicturePointError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case notAPoint
        case outside
    }

    package let text: String
    package let reason: Reason

    package var description: String { sentence }
}
