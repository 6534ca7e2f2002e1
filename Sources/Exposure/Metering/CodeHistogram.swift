/// The number of pixels of each JPEG code in a picture or in a part of it.
package struct CodeHistogram: Hashable, Sendable {
    /// 256 numbers.
    package let counts: [UInt32]
    /// The number of pixels, at least 1.
    package let total: Int

    /// Nil unless there are 256 numbers and at least one pixel.
    package init?(counts: [UInt32]) {
        guard counts.count == 256 else { return nil }
        let total = counts.reduce(0) { $0 + Int($1) }
        guard total > 0 else { return nil }
        self.counts = counts
        self.total = total
    }

    /// The largest code that more than this share of the pixels reach.
    package func brightEnd(share: Double) -> Int {
        var sum = 0
        for code in stride(from: 255, through: 1, by: -1) {
            sum += Int(counts[code])
            if Double(sum) > share * Double(total) { return code }
        }
        return 0
    }

    /// The smallest code that more than this share of the pixels do not exceed.
    package func darkEnd(share: Double) -> Int {
        var sum = 0
        for code in 0..<255 {
            sum += Int(counts[code])
            if Double(sum) > share * Double(total) { return code }
        }
        return 255
    }

    /// The lower median.
    package var median: Int {
        var sum = 0
        for code in 0..<255 {
            sum += Int(counts[code])
            if sum * 2 >= total { return code }
        }
        return 255
    }

    /// The share of the pixels with at least this code, 0 to 1.
    package func share(from code: Int) -> Double {
        Double(counts[min(max(code, 0), 255)...].reduce(0) { $0 + Int($1) }) / Double(total)
    }
}
