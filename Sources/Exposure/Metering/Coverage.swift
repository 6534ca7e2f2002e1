/// Whether each part of the scene is well exposed in at least one frame of a set. The frames are not aligned: the
/// camera stands on a tripod.
package struct Coverage: Codable, Hashable, Sendable {
    /// Why a part of the scene is not covered.
    package enum Lack: String, Codable, Hashable, Sendable, CaseIterable {
        /// White in every frame.
        case clipped
        /// Dark in every frame.
        case dark
        /// White in some frames, and dark in all others.
        case gap

        /// The name in output.
        package var label: String { rawValue }
    }

    /// A rectangle in percent of the picture, from its top left.
    package struct Box: Codable, Hashable, Sendable {
        package let left: Double
        package let top: Double
        package let right: Double
        package let bottom: Double

        package init(left: Double, top: Double, right: Double, bottom: Double) {
            self.left = left
            self.top = top
            self.right = right
            self.bottom = bottom
        }
    }

    /// The largest connected part that is not covered.
    package struct Patch: Codable, Hashable, Sendable {
        package let lack: Lack
        package let box: Box
        /// The share of the picture, 0 to 1.
        package let share: Double
        /// The frame that would show it, or come nearer; nil: the camera has no such speed.
        package let frame: ShutterSpeed?
    }

    /// The shares of the picture, 0 to 1, in the order of ``Lack``.
    package let clippedShare: Double
    package let darkShare: Double
    package let gapShare: Double
    package let worst: Patch?
    /// The number of frames whose picture was read.
    package let framesRead: Int
    /// The number of frames without a readable picture, or with a picture of another size.
    package let framesUnread: Int

    /// Whether every part is well exposed in a frame.
    package var isCovered: Bool { worst == nil }

    /// Whether all numbers are in their ranges. A recording can have other ones.
    package var isSound: Bool {
        let shares = [clippedShare, darkShare, gapShare, worst?.share].compactMap(\.self)
        let sides = worst.map { [$0.box.left, $0.box.top, $0.box.right, $0.box.bottom] } ?? []
        let counts = [framesRead, framesUnread]
        return shares.allSatisfy { 0...1 ~= $0 } && sides.allSatisfy { 0...100 ~= $0 }
            && counts.allSatisfy { 0...Self.framesMax ~= $0 }
    }

    /// The largest number of frames of a set.
    package static let framesMax = 1_000

    /// Nil if no frame has a picture: nothing is known.
    ///
    /// - Parameters:
    ///   - frames: the speed of each frame, and its map; nil: the picture could not be read.
    ///   - spacing: the distance of the frame to add from the set.
    ///   - available: the camera's speeds.
    package init?(
        _ frames: [(speed: ShutterSpeed, map: PictureMap?)],
        spacing: Spacing,
        available: [ShutterSpeed] = ShutterSpeed.all
    ) {
        var tally = CoverageTally()
        for frame in frames { tally.add(frame.map, at: frame.speed) }
        self.init(tally, spacing: spacing, available: available)
    }

    /// Nil if no frame has a picture: nothing is known.
    package init?(_ tally: CoverageTally, spacing: Spacing, available: [ShutterSpeed] = ShutterSpeed.all) {
        guard tally.framesRead > 0 else { return nil }
        framesRead = tally.framesRead
        framesUnread = tally.framesUnread
        let lacks = tally.blocks.map(\.lack)
        let count = Double(lacks.count)
        func share(_ lack: Lack) -> Double { Double(lacks.reduce(0) { $0 + ($1 == lack ? 1 : 0) }) / count }
        (clippedShare, darkShare, gapShare) = (share(.clipped), share(.dark), share(.gap))
        worst = Patches.largest(in: lacks, columns: tally.columns).map { patch in
            Patch(
                lack: patch.lack,
                box: patch.box(columns: tally.columns, rows: tally.rows),
                share: Double(patch.blocks.count) / count,
                frame: Self.frame(for: patch, tally, spacing, available.sorted())
            )
        }
    }

    /// The frame to add: one spacing out, or in the middle of a gap.
    private static func frame(
        for patch: Patches.Patch,
        _ tally: CoverageTally,
        _ spacing: Spacing,
        _ available: [ShutterSpeed]
    ) -> ShutterSpeed? {
        guard let fastest = tally.speeds.min(), let slowest = tally.speeds.max() else { return nil }
        let index: Int
        switch patch.lack {
        case .clipped: index = fastest.index - spacing.stepThirds
        case .dark: index = slowest.index + spacing.stepThirds
        case .gap:
            let block = tally.blocks[patch.blocks[0]]
            guard let white = block.fastestWhite, let dark = block.slowestDark else { return nil }
            index = (Int(white) + Int(dark)) / 2
        }
        let speed = ShutterSpeed(clamping: index).nearest(in: available)
        return speed.flatMap { tally.speeds.contains($0) ? nil : $0 }
    }
}

/// The connected parts of a picture that are not covered for one reason.
enum Patches {
    struct Patch {
        let lack: Coverage.Lack
        /// The positions of the blocks, at least one.
        let blocks: [Int]

        func box(columns: Int, rows: Int) -> Coverage.Box {
            let (across, down) = (blocks.map { $0 % columns }, blocks.map { $0 / columns })
            func percent(_ place: Int?, _ count: Int) -> Double { Double(place ?? 0) * 100 / Double(count) }
            return Coverage.Box(
                left: percent(across.min(), columns),
                top: percent(down.min(), rows),
                right: percent(across.max().map { $0 + 1 }, columns),
                bottom: percent(down.max().map { $0 + 1 }, rows)
            )
        }
    }

    /// The largest patch; of equally large ones, the first from the top.
    static func largest(in lacks: [Coverage.Lack?], columns: Int) -> Patch? {
        var isSeen = lacks.map { $0 == nil }
        var largest: Patch?
        for start in lacks.indices where !isSeen[start] {
            guard let lack = lacks[start] else { continue }
            var blocks = [start]
            isSeen[start] = true
            var place = 0
            while place < blocks.count {
                for next in neighbors(of: blocks[place], columns, lacks.count)
                where !isSeen[next] && lacks[next] == lack {
                    isSeen[next] = true
                    blocks.append(next)
                }
                place += 1
            }
            if blocks.count > largest?.blocks.count ?? 0 { largest = Patch(lack: lack, blocks: blocks) }
        }
        return largest
    }

    private static func neighbors(of block: Int, _ columns: Int, _ count: Int) -> [Int] {
        var found: [Int] = []
        if block % columns > 0 { found.append(block - 1) }
        if block % columns < columns - 1 { found.append(block + 1) }
        if block >= columns { found.append(block - columns) }
        if block + columns < count { found.append(block + columns) }
        return found
    }
}
