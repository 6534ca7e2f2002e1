import Exposure

/// The result of reading the light of a stored picture.
package struct LightReading: Codable, Hashable, Sendable {
    /// The path relative to the configured folder.
    package var path: String
    package var outcome: Outcome

    package enum Outcome: Codable, Hashable, Sendable {
        case read(LightNumbers)
        /// The picture was not decoded; the sentence says why.
        case failed(String)
    }

    package init(path: String, outcome: Outcome) {
        self.path = path
        self.outcome = outcome
    }
}

/// The numbers of a picture's light, as the host reports and a recording stores them. They are not checked.
package struct LightNumbers: Codable, Hashable, Sendable {
    /// The number of pixels of each code: the brightest channel, and luma.
    package var brightest: [UInt32]
    package var luma: [UInt32]
    /// The sides of the map, and its blocks row by row.
    package var columns: Int
    package var rows: Int
    package var blocks: [UInt8]

    /// The largest map. It only has to show whether the light changed between two frames.
    package static let (columnsMax, rowsMax) = (48, 32)

    /// Takes the middle of each part of the map.
    package init(_ light: PictureLight) {
        brightest = light.brightest.counts
        luma = light.luma.counts
        let map = light.map
        let (columns, rows) = (min(map.columns, Self.columnsMax), min(map.rows, Self.rowsMax))
        blocks = (0..<rows).flatMap { row in
            (0..<columns).map { column in
                let (x, y) = ((2 * column + 1) * map.columns / (2 * columns), (2 * row + 1) * map.rows / (2 * rows))
                return map.blocks[y * map.columns + x]
            }
        }
        (self.columns, self.rows) = (columns, rows)
    }

    /// Nil if the numbers do not agree with each other.
    package var light: PictureLight? {
        guard let brightest = CodeHistogram(counts: brightest), let luma = CodeHistogram(counts: luma),
            let map = PictureMap(columns: columns, rows: rows, blocks: blocks)
        else { return nil }
        return PictureLight(brightest: brightest, luma: luma, map: map)
    }
}
