import Controller
import Statecharts

/// Every possible world, and the events between them.
struct ModelGraph: Sendable {
    private(set) var worlds: [ModelWorld] = []
    /// For each world, the world and the event from which it was first reached. This is the shortest way to it.
    private var from: [Int32] = []
    private var by: [ModelEvent] = []
    /// The index of each world's first edge. The next entry is the end of its edges.
    private var starts: [Int32] = [0]
    private var targets: [Int32] = []
    private var actors: [UInt8] = []
    private var backStarts: [Int32] = []
    private var backEdges: [Int32] = []
    private var sources: [Int32] = []

    var edgeCount: Int { targets.count }

    /// The maximum number of worlds. More worlds mean an error in the sketches.
    private static let worldsMax = 4_000_000

    init(_ rules: ModelRules) {
        var numbers: [UInt64: Int32] = [:]
        let first = ModelWorld()
        worlds.append(first)
        from.append(-1)
        by.append(.message)
        numbers[first.code] = 0
        var next = 0
        while next < worlds.count {
            let world = worlds[next]
            for (event, actor) in rules.events(in: world) {
                for reached in rules.after(event, world) {
                    if reached == world { continue }
                    let code = reached.code
                    let number: Int32
                    if let known = numbers[code] {
                        number = known
                    } else {
                        number = Int32(worlds.count)
                        numbers[code] = number
                        worlds.append(reached)
                        from.append(Int32(next))
                        by.append(event)
                        precondition(worlds.count < Self.worldsMax, "the number of worlds exceeds the limit")
                    }
                    targets.append(number)
                    actors.append(actor.rawValue)
                }
            }
            next += 1
            starts.append(Int32(targets.count))
        }
        indexBackwards()
    }

    private mutating func indexBackwards() {
        sources = Array(repeating: 0, count: targets.count)
        backStarts = Array(repeating: 0, count: worlds.count + 1)
        for target in targets { backStarts[Int(target) + 1] += 1 }
        for world in worlds.indices { backStarts[world + 1] += backStarts[world] }
        backEdges = Array(repeating: 0, count: targets.count)
        var place = backStarts
        for world in worlds.indices {
            for edge in Int(starts[world])..<Int(starts[world + 1]) {
                sources[edge] = Int32(world)
                let target = Int(targets[edge])
                backEdges[Int(place[target])] = Int32(edge)
                place[target] += 1
            }
        }
    }

    /// For each world, whether a goal can be reached when only these actors act.
    func canReach(_ goals: [Bool], by allowed: ModelActor) -> [Bool] {
        var reaching = goals
        var open = worlds.indices.filter { goals[$0] }
        while let world = open.popLast() {
            for place in Int(backStarts[world])..<Int(backStarts[world + 1]) {
                let edge = Int(backEdges[place])
                guard actors[edge] & allowed.rawValue != 0 else { continue }
                let source = Int(sources[edge])
                guard !reaching[source] else { continue }
                reaching[source] = true
                open.append(source)
            }
        }
        return reaching
    }

    /// Whether an event of these actors leads from this world to another one.
    func isLeft(_ world: Int, by allowed: ModelActor) -> Bool {
        (Int(starts[world])..<Int(starts[world + 1])).contains { actors[$0] & allowed.rawValue != 0 }
    }

    /// The shortest way to a world.
    func path(to world: Int) -> [(event: ModelEvent, world: Int)] {
        var path: [(event: ModelEvent, world: Int)] = []
        var place = world
        while from[place] >= 0 {
            path.append((by[place], place))
            place = Int(from[place])
        }
        return path.reversed()
    }
}
