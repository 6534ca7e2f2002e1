/// The possible routes of arrows. Routes are vertical in gutters and horizontal in channels. They are also horizontal
/// between a box's side and the gutters beside the box.
struct RoutingGraph {
    let skeleton: Skeleton
    let placement: Placement
    /// All arrows. The arrows to one target form a net: their lines join.
    let edges: [Edge]
    private(set) var levels: [Level] = []
    private(set) var nodes: [Node] = []
    private(set) var nodesOfLevel: [[Int]] = []
    /// For each arrow: the levels at which the arrow can start, at most one for each side of the box.
    private(set) var starts: [[Int]] = []
    /// For each state: the levels at which arrows enter it.
    private(set) var entries: [[Int]]

    /// An arrow from a row of a state to a target.
    struct Edge {
        var state: Int
        var row: Int
        var target: Int
    }

    /// A horizontal line on which arrows can run.
    struct Level {
        var kind: Kind
        var y: Int
        /// The gutters that the level crosses, from left to right.
        var gutters: [Int]

        enum Kind: Hashable {
            case row(state: Int, row: Int, Skeleton.Side)
            case entry(state: Int, Skeleton.Side)
            case channel(Int)
        }
    }

    /// The crossing of a level and a gutter.
    struct Node {
        var level: Int
        var gutter: Int
        /// The neighbours in the same gutter.
        var above: Int?
        var below: Int?
        /// The neighbours on the same level.
        var left: Int?
        var right: Int?
    }

    init(_ placement: Placement, _ edges: [Edge]) {
        skeleton = placement.skeleton
        self.placement = placement
        self.edges = edges
        entries = Array(repeating: [], count: skeleton.document.states.count)
        addStarts()
        addEntries()
        for channel in skeleton.channels.indices {
            let space = placement.channels[channel]
            let gutters = skeleton.reach(channel: channel)
            add(Level(kind: .channel(channel), y: space.y + space.height / 2, gutters: gutters))
        }
        connect()
    }

    /// The arrows of a chart: one for each row and target.
    static func edges(_ skeleton: Skeleton) -> [Edge] {
        skeleton.rows.enumerated().flatMap { state, rows in
            rows.enumerated().flatMap { number, row in
                row.targets.map { Edge(state: state, row: number, target: $0) }
            }
        }
    }

    func x(_ gutter: Int) -> Int { placement.gutters[gutter].middle }

    /// The y at which an arrow leaves a row: the middle of the last line, slightly higher on the right side.
    static func exit(_ placement: Placement, _ state: Int, _ row: Int, _ side: Skeleton.Side) -> Int {
        let lines = placement.skeleton.rows[state][...row].reduce(0) { $0 + $1.lines.count }
        return placement.firstLine(state) + (lines - 1) * Grid.linePitch + (side == .left ? 1 : -2)
    }

    /// The y at which arrows enter a box. It is the height of the box's name.
    static func entry(_ placement: Placement, _ state: Int, _ side: Skeleton.Side) -> Int {
        placement.boxes[state].y + Grid.titleHeight / 2 + (side == .left ? -2 : 2)
    }

    private mutating func add(_ level: Level) { levels.append(level) }

    private mutating func addStarts() {
        var known: [Level.Kind: Int] = [:]
        for edge in edges {
            var found: [Int] = []
            let isInside = skeleton.isInside(skeleton.rows[edge.state][edge.row], of: edge.state)
            for side in [Skeleton.Side.right, .left] where side == .right || !isInside {
                let kind = Level.Kind.row(state: edge.state, row: edge.row, side)
                if let level = known[kind] {
                    found.append(level)
                    continue
                }
                let reach = skeleton.reach(edge.state, side)
                let y = Self.exit(placement, edge.state, edge.row, side)
                let gutters = isInside ? [skeleton.lastGutter(edge.state)] : side == .left ? reach.reversed() : reach
                known[kind] = levels.count
                found.append(levels.count)
                add(Level(kind: kind, y: y, gutters: gutters))
            }
            starts.append(found)
        }
    }

    private mutating func addEntries() {
        for target in Set(edges.map(\.target)).sorted() where target != 0 {
            for side in [Skeleton.Side.left, .right] {
                let reach = skeleton.reach(target, side)
                entries[target].append(levels.count)
                let y = Self.entry(placement, target, side)
                let gutters = side == .left ? reach.reversed() : reach
                add(Level(kind: .entry(state: target, side), y: y, gutters: gutters))
            }
        }
    }

    private mutating func connect() {
        var ofGutter: [[Int]] = Array(repeating: [], count: skeleton.gutters.count)
        for (number, level) in levels.enumerated() {
            var row: [Int] = []
            for gutter in level.gutters {
                let node = nodes.count
                nodes.append(Node(level: number, gutter: gutter, left: row.last))
                if let left = row.last { nodes[left].right = node }
                row.append(node)
                ofGutter[gutter].append(node)
            }
            nodesOfLevel.append(row)
        }
        for list in ofGutter {
            let sorted = list.sorted { (levels[nodes[$0].level].y, $0) < (levels[nodes[$1].level].y, $1) }
            for (upper, lower) in zip(sorted, sorted.dropFirst()) {
                nodes[upper].below = lower
                nodes[lower].above = upper
            }
        }
    }
}
