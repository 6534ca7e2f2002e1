/// What the frames of a set show of each block. It has some bytes per block, so one map at a time is enough.
package struct CoverageTally: Hashable, Sendable {
    /// What the frames so far show of a block.
    struct Block: Hashable, Sendable {
        /// Whether a frame exposes the block well.
        var isWell = false
        /// The index of the fastest speed at which the block is white.
        var fastestWhite: UInt8?
        /// The index of the slowest speed at which the block is dark.
        var slowestDark: UInt8?

        fileprivate mutating func note(_ code: UInt8, at index: UInt8) {
            switch code {
            case PictureMap.white: fastestWhite = min(fastestWhite ?? index, index)
            case ..<PictureMap.darkMax: slowestDark = max(slowestDark ?? index, index)
            default: isWell = true
            }
        }

        /// Why the block is not covered; nil: it is covered.
        var lack: Coverage.Lack? {
            if isWell { return nil }
            guard fastestWhite != nil else { return .dark }
            return slowestDark == nil ? .clipped : .gap
        }
    }

    private(set) var blocks: [Block] = []
    /// The size of the first map; 0: there is none.
    private(set) var columns = 0
    private(set) var rows = 0
    /// The speeds of the frames with a map.
    private(set) var speeds: Set<ShutterSpeed> = []
    private(set) var framesRead = 0
    private(set) var framesUnread = 0

    package init() {}

    /// Adds a frame. A map of another size than the first one counts as unread.
    ///
    /// - Parameter map: nil: the picture could not be read.
    package mutating func add(_ map: PictureMap?, at speed: ShutterSpeed) {
        guard let map, framesRead == 0 || (map.columns, map.rows) == (columns, rows) else {
            framesUnread += 1
            return
        }
        if framesRead == 0 {
            (columns, rows) = (map.columns, map.rows)
            blocks = Array(repeating: Block(), count: map.blocks.count)
        }
        framesRead += 1
        speeds.insert(speed)
        for (place, code) in map.blocks.enumerated() { blocks[place].note(code, at: UInt8(speed.index)) }
    }
}
