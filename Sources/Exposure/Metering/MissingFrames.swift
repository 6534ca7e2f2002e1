/// The frames that a range lacks when some were fired already.
package enum MissingFrames {
    /// The speeds to fire, fastest first, so that the range is covered and neighbours are at most one spacing apart.
    ///
    /// An end is covered by a frame at most one spacing minus a third of a stop farther out. The gaps are divided
    /// evenly.
    ///
    /// - Parameters:
    ///   - fired: the speeds at hand, in any order.
    ///   - highlight: the fast end that is wanted.
    ///   - shadow: the slow end that is wanted; not faster than `highlight`.
    package static func speeds(
        fired: [ShutterSpeed],
        highlight: ShutterSpeed,
        shadow: ShutterSpeed,
        spacing: Spacing
    ) -> [ShutterSpeed] {
        precondition(highlight <= shadow, "the highlight end is the faster one")
        let step = spacing.stepThirds
        let (first, last) = (highlight.index, shadow.index)
        var near = Set(fired.map(\.index)).filter { first - step < $0 && $0 < last + step }
        var missing: Set<Int> = []
        if !near.contains(where: { $0 <= first }) { missing.insert(first) }
        if !near.contains(where: { $0 >= last }) { missing.insert(last) }
        near.formUnion(missing)
        let ends = near.sorted()
        // Only the innermost frame at each end counts; a gap farther out needs no frame.
        let low = ends.last { $0 <= first } ?? first
        let high = ends.first { $0 >= last } ?? last
        let inner = ends.filter { low...max(low, high) ~= $0 }
        for (left, right) in zip(inner, inner.dropFirst()) {
            let gap = right - left
            let parts = (gap + step - 1) / step
            for part in 1..<max(parts, 1) {
                // Rounded to the nearest third.
                missing.insert(left + (2 * gap * part + parts) / (2 * parts))
            }
        }
        return missing.sorted().map { ShutterSpeed(clamping: $0) }
    }
}
