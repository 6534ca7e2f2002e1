/// A SplitMix64 generator. A seed gives the same chart on every computer.
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

/// A random chart with every feature of the engine: nested parallels, both kinds of histories, initial elements,
/// internal and targetless transitions, several targets, raised, sent and delayed events, cancels, final states.
///
/// With the flavor of the recommendation it has more features: data, content that computes or fails, events with data,
/// unknown event names, states without a name.
struct RandomChart {
    /// The set of features.
    enum Flavor {
        /// A chart that can be compiled.
        case dialect
        /// A chart that runs without compilation, with the data model `ecmascript`.
        case recommendation
    }

    struct Node {
        var id: String
        var kind: String
        var parent: Int
        var children: [Int] = []
        var history: String?
    }

    let flavor: Flavor
    var random: SeededNumbers
    /// Whether nearly all transitions have the same event and therefore conflict.
    private(set) var isCrowded = false
    private(set) var nodes: [Node] = []
    private(set) var text = ""

    init(seed: UInt64, flavor: Flavor = .dialect) {
        self.flavor = flavor
        random = SeededNumbers(seed: seed)
        if flavor == .recommendation { isCrowded = random.chance(25) }
        for _ in 0..<(1 + random.below(3)) { grow(parent: -1, depth: 1) }
        // A chart with only final states tests nothing.
        if nodes.allSatisfy({ $0.kind == "final" }) { grow(parent: -1, depth: 1, kind: "parallel") }
        if flavor == .recommendation {
            text += rootData()
            if random.chance(20) {
                isCrowded = true
                // The names that a block may use.
                nodes = (0..<10).map { Node(id: "s\($0)", kind: "state", parent: -1) }
                text += corner()
                return
            }
        }
        for index in nodes.indices where nodes[index].parent == -1 { write(index) }
    }

    /// The ids of those nodes that have an id.
    func names(_ indices: [Int]) -> [String] { indices.map { nodes[$0].id }.filter { !$0.isEmpty } }

    /// The id of a random state with an id. The first state always has one.
    mutating func anyName() -> String { random.pick(names(Array(nodes.indices))) }

    private mutating func grow(parent: Int, depth: Int, kind wanted: String? = nil) {
        let index = nodes.count
        let isRegion = parent >= 0 && nodes[parent].kind == "parallel"
        let kinds = ["state", "state", "parallel", "parallel"] + (isCrowded ? [] : ["final", "final"])
        var kind = wanted ?? random.pick(kinds)
        if isRegion, kind == "final" { kind = "state" }
        nodes.append(Node(id: "s\(index)", kind: kind, parent: parent))
        if parent >= 0 { nodes[parent].children.append(index) }
        if flavor == .recommendation, index > 0, random.chance(10) { nodes[index].id = "" }
        guard kind != "final" else { return }
        let isLeaf = kind == "state" && (depth >= 4 || random.chance(30))
        // Blocks have many features, so fewer states are enough.
        let isFull = flavor == .recommendation && nodes.count > (isCrowded ? 20 : 11)
        if isLeaf || isFull || depth >= 5 {
            nodes[index].kind = "state"
            return
        }
        for _ in 0..<(1 + random.below(3)) { grow(parent: index, depth: depth + 1) }
        if random.chance(40) { nodes[index].history = "h\(index)" }
    }

    private mutating func write(_ index: Int) {
        let node = nodes[index]
        text += "<\(node.kind)" + (node.id.isEmpty ? "" : " id=\"\(node.id)\"")
        let inside = descendants(index)
        let isCompound = node.kind == "state" && !names(inside).isEmpty
        let style = isCompound ? random.below(4) : 0
        if style == 1 { text += " initial=\"\(initial(index))\"" }
        text += ">"
        if style == 2 { text += "<initial>\(transition("target=\"\(initial(index))\""))</initial>" }
        if let history = node.history { writeHistory(history, node, inside) }
        switch flavor {
        case .dialect:
            for block in ["onentry", "onexit"] where random.chance(50) { text += "<\(block)>\(content())</\(block)>" }
        case .recommendation: text += dataAndBlocks(node, index)
        }
        if node.kind != "final" {
            for _ in 0..<random.below(4) { writeTransition() }
        }
        for child in node.children { write(child) }
        text += "</\(node.kind)>"
    }

    private mutating func initial(_ index: Int) -> String {
        if flavor == .recommendation, let history = nodes[index].history, random.chance(25) { return history }
        return random.pick(names(descendants(index)))
    }

    private mutating func writeHistory(_ id: String, _ node: Node, _ inside: [Int]) {
        let isDeep = random.chance(50)
        let targets = names(isDeep ? inside : node.children)
        if targets.isEmpty { return }
        let target = random.pick(targets)
        text += "<history id=\"\(id)\" type=\"\(isDeep ? "deep" : "shallow")\">"
        text += transition("target=\"\(target)\"") + "</history>"
    }

    private mutating func writeTransition() {
        if flavor == .recommendation {
            let trigger = eventAndCondition()
            text += transition(trigger + (mayHaveTarget(trigger) ? targetAndType() : ""))
            return
        }
        var attributes = ""
        let condition = "\(random.chance(50) ? "" : "!")In('\(anyName())')"
        if random.chance(85) {
            let events = [
                "e", "f", "g", "x", "y", "t", "e f", "t.one", "done.state", "*", "done.state.\(anyName())",
            ]
            attributes += " event=\"\(random.pick(events))\""
            if random.chance(25) { attributes += " cond=\"\(condition)\"" }
        } else {
            attributes += " cond=\"\(condition)\""
        }
        text += transition(attributes + targetAndType())
    }

    private mutating func targetAndType() -> String {
        (random.chance(isCrowded ? 95 : 80) ? " target=\"\(target())\"" : "")
            + (random.chance(30) ? " type=\"internal\"" : "")
    }

    private mutating func target() -> String {
        let parallels = nodes.indices.filter { nodes[$0].kind == "parallel" && nodes[$0].children.count > 1 }
        if !parallels.isEmpty, random.chance(25) {
            let regions = nodes[random.pick(parallels)].children
            let targets = regions.prefix(2).map { names([$0] + descendants($0)) + historyNames(below: $0) }
            if targets.allSatisfy({ !$0.isEmpty }) {
                return targets.map { random.pick($0) }.joined(separator: " ")
            }
        }
        let histories = nodes.compactMap(\.history)
        if !histories.isEmpty, random.chance(30) { return random.pick(histories) }
        return anyName()
    }

    /// The histories in a region, which are also possible targets.
    private func historyNames(below region: Int) -> [String] {
        flavor == .dialect ? [] : ([region] + descendants(region)).compactMap { nodes[$0].history }
    }

    private mutating func transition(_ attributes: String) -> String {
        let isCounting = attributes.contains(Self.counting)
        let content = isCounting || random.chance(60) ? content(counts: isCounting) : ""
        return "<transition \(attributes)>\(content)</transition>"
    }

    private mutating func content(counts: Bool = false) -> String {
        if flavor == .recommendation { return block(counts: counts) }
        return dialectContent()
    }

    private mutating func dialectContent() -> String {
        switch random.below(9) {
        case 0: "<raise event=\"\(random.pick(["x", "y"]))\"/>"
        case 1: "<send event=\"\(random.pick(["x", "t"]))\"/>"
        case 2: "<send event=\"t.one\" id=\"i\" delay=\"\(random.below(4) * 5)ms\"/>"
        case 3: "<send event=\"t.two\" id=\"j\" delay=\"\(random.below(4) * 5)ms\"/><cancel sendid=\"i\"/>"
        default: "<bd:do action=\"a\(random.below(20))\"/>"
        }
    }

    func descendants(_ index: Int) -> [Int] {
        nodes[index].children.flatMap { [$0] + descendants($0) }
    }
}
