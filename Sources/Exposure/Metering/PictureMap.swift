/// A picture as blocks, row by row: where it is white, and how bright each other block is.
package struct PictureMap: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
    /// A byte per block: the median luma, or ``white`` for a block with too many clipped pixels.
    package let blocks: [UInt8]

    /// A block with more clipped pixels than ``whiteShare``.
    package static let white: UInt8 = 255
    /// The share of clipped pixels that a block may have.
    package static let whiteShare = 0.05
    /// A block whose median luma is below this is too dark.
    package static let darkMax: UInt8 = 20
    /// The largest number of blocks along the longer and the shorter side. A picture with fewer pixels has a block for
    /// each.
    package static let longSideMax = 384
    package static let shortSideMax = 256

    /// Nil unless the numbers agree with each other and with the limits.
    package init?(columns: Int, rows: Int, blocks: [UInt8]) {
        guard 1...Self.longSideMax ~= max(columns, rows), 1...Self.shortSideMax ~= min(columns, rows),
            blocks.count == columns * rows
        else { return nil }
        self.columns = columns
        self.rows = rows
        self.blocks = blocks
    }

    func isSameSize(as other: PictureMap) -> Bool { columns == other.columns && rows == other.rows }
}

/// The numbers of a picture that metering needs.
package struct PictureLight: Hashable, Sendable {
    /// The brightest of the three channels of each pixel.
    package let brightest: CodeHistogram
    /// JFIF luma of each pixel.
    package let luma: CodeHistogram
    package let map: PictureMap

    package init(brightest: CodeHistogram, luma: CodeHistogram, map: PictureMap) {
        self.brightest = brightest
        self.luma = luma
        self.map = map
    }
}
