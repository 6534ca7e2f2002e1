/// Targets of one transition, placed one after the other as long as all can be active together: they must lie in
/// different regions of a parallel. Its cost is that of the states around the targets, however many targets there are.
struct PlacedTargets {
    private let document: ChartDocument
    private var targets: Set<Int> = []
    /// The states around placed targets.
    private var around: Set<Int> = []
    /// The parallels of which a history was placed: that stands for all of their regions.
    private var remembered: Set<Int> = []

    init(_ document: ChartDocument) {
        self.document = document
    }

    /// Whether a target fits to those placed before.
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
