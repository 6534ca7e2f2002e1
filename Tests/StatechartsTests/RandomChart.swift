/// Numbers from a seed: SplitMix64, so that a seed means the same chart on every machine.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
}

/// A chart of random shape, with every feature of the engine in it: nested parallels, both histories, initial elements,
/// internal and targetless transitions, several targets, raised, sent and delayed events, cancels, final states.
struct RandomChart {
    private struct Node {
        var id: String
        var kind: String
        var parent: Int
        var children: [Int] = []
        var history: String?
    }

    private var random: SeededNumbers
    private var nodes: [Node] = []
    private(set) var text = ""

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        for _ in 0..<(1 + random.below(3)) { grow(parent: -1, depth: 1) }
        // A chart of one final state tells nothing.
        if nodes.allSatisfy({ $0.kind == "final" }) { grow(parent: -1, depth: 1, kind: "parallel") }
        for index in nodes.indices where nodes[index].parent == -1 { write(index) }
    }

    private mutating func grow(parent: Int, depth: Int, kind wanted: String? = nil) {
        let index = nodes.count
        let isRegion = parent >= 0 && nodes[parent].kind == "parallel"
        var kind = wanted ?? random.pick(["state", "state", "parallel", "parallel", "final", "final"])
        if isRegion, kind == "final" { kind = "state" }
        nodes.append(Node(id: "s\(index)", kind: kind, parent: parent))
        if parent >= 0 { nodes[parent].children.append(index) }
        guard kind != "final" else { return }
        let isLeaf = kind == "state" && (depth >= 4 || random.chance(30))
        if isLeaf || depth >= 5 {
            nodes[index].kind = "state"
            return
        }
        for _ in 0..<(1 + random.below(3)) { grow(parent: index, depth: depth + 1) }
        if random.chance(40) { nodes[index].history = "h\(index)" }
    }

    private mutating func write(_ index: Int) {
        let node = nodes[index]
        text += "<\(node.kind) id=\"\(node.id)\""
        let inside = descendants(index)
        let isCompound = node.kind == "state" && !node.children.isEmpty
        let style = isCompound ? random.below(4) : 0
        if style == 1 { text += " initial=\"\(initial(index))\"" }
        text += ">"
        if style == 2 { text += "<initial>\(transition("target=\"\(initial(index))\""))</initial>" }
        if let history = node.history { writeHistory(history, node, inside) }
        for block in ["onentry", "onexit"] where random.chance(50) { text += "<\(block)>\(content())</\(block)>" }
        if node.kind != "final" {
            for _ in 0..<random.below(4) { writeTransition() }
        }
        for child in node.children { write(child) }
        text += "</\(node.kind)>"
    }

    private mutating func initial(_ index: Int) -> String { random.pick(descendants(index).map { nodes[$0].id }) }

    private mutating func writeHistory(_ id: String, _ node: Node, _ inside: [Int]) {
        let isDeep = random.chance(50)
        let target = nodes[random.pick(isDeep ? inside : node.children)].id
        text += "<history id=\"\(id)\" type=\"\(isDeep ? "deep" : "shallow")\">"
        text += transition("target=\"\(target)\"") + "</history>"
    }

    private mutating func writeTransition() {
        var attributes = ""
        let condition = "\(random.chance(50) ? "" : "!")In('\(random.pick(nodes).id)')"
        if random.chance(85) {
            let events = [
                "e", "f", "g", "x", "y", "t", "e f", "t.one", "done.state", "*", "done.state.\(random.pick(nodes).id)",
            ]
            attributes += " event=\"\(random.pick(events))\""
            if random.chance(25) { attributes += " cond=\"\(condition)\"" }
        } else {
            attributes += " cond=\"\(condition)\""
        }
        if random.chance(80) { attributes += " target=\"\(target())\"" }
        if random.chance(30) { attributes += " type=\"internal\"" }
        text += transition(attributes)
    }

    private mutating func target() -> String {
        let parallels = nodes.indices.filter { nodes[$0].kind == "parallel" && nodes[$0].children.count > 1 }
        if !parallels.isEmpty, random.chance(25) {
            let regions = nodes[random.pick(parallels)].children
            return regions.prefix(2).map { nodes[random.pick([$0] + descendants($0))].id }.joined(separator: " ")
        }
        let histories = nodes.compactMap(\.history)
        if !histories.isEmpty, random.chance(30) { return random.pick(histories) }
        return random.pick(nodes).id
    }

    private mutating func transition(_ attributes: String) -> String {
        "<transition \(attributes)>\(random.chance(60) ? content() : "")</transition>"
    }

    private mutating func content() -> String {
        switch random.below(9) {
        case 0: "<raise event=\"\(random.pick(["x", "y"]))\"/>"
        case 1: "<send event=\"\(random.pick(["x", "t"]))\"/>"
        case 2: "<send event=\"t.one\" id=\"i\" delay=\"\(random.below(4) * 5)ms\"/>"
        case 3: "<send event=\"t.two\" id=\"j\" delay=\"\(random.below(4) * 5)ms\"/><cancel sendid=\"i\"/>"
        default: "<bd:do action=\"a\(random.below(20))\"/>"
        }
    }

    private func descendants(_ index: Int) -> [Int] {
        nodes[index].children.flatMap { [$0] + descendants($0) }
    }
}
