/// The targets of one transition that can be active together, in different regions of a parallel. The cost of adding a
/// target depends on the number of its ancestors, not on the number of targets.
struct PlacedTargets {
    private let document: ChartDocument
    private var targets: Set<Int> = []
    /// The ancestors of the added targets.
    private var around: Set<Int> = []
    /// The parallels that have a history among the targets. This history represents all regions of the parallel.
    private var remembered: Set<Int> = []

    init(_ document: ChartDocument) {
        self.document = document
    }

    /// Adds a target. Returns false if it cannot be active together with the earlier targets.
    mutating func place(_ target: Int) -> Bool {
        let isHistory = document.states[target].isHistory
        guard !targets.contains(target), !around.contains(target) else { return false }
        var child = target
        repeat {
            let parent = document.states[child].parent
            if targets.contains(parent) { return false }
            if !around.insert(parent).inserted {
                guard document.states[parent].kind == .parallel, !remembered.contains(parent),
                    !(isHistory && child == target)
                else { return false }
                break
            }
            child = parent
        } while child != 0
        targets.insert(target)
        if isHistory { remembered.insert(document.states[target].parent) }
        return true
    }
}
