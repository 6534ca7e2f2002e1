import Exposure

extension Bracketd.Coverage {
    package init(_ coverage: Exposure.Coverage) {
        self.init(
            isCovered: coverage.isCovered,
            sentence: coverage.sentence,
            clippedPct: coverage.clippedShare.percent,
            darkPct: coverage.darkShare.percent,
            gapPct: coverage.gapShare.percent,
            worst: coverage.worst.map(Bracketd.UncoveredPart.init),
            framesRead: coverage.framesRead,
            framesUnread: coverage.framesUnread
        )
    }
}

extension Bracketd.UncoveredPart {
    fileprivate init(_ patch: Exposure.Coverage.Patch) {
        let box = patch.box
        let numbers = [box.left, box.top, box.right - box.left, box.bottom - box.top]
        self.init(
            lack: patch.lack.label,
            pct: patch.share.percent,
            box: numbers.map { ($0 / 100).percent },
            frame: patch.frame?.label
        )
    }
}

extension Double {
    /// A share as percent with three decimals, which show one block of the map.
    fileprivate var percent: Double { (self * 100_000).rounded() / 1_000 }
}
