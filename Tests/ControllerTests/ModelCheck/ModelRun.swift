import Controller
import Foundation
import SCXML
import Statecharts

/// The rules that the charts must keep.
enum ModelCheck: CaseIterable, Sendable {
    case legality
    /// An action is never requested in a state in which the real code could not do it.
    case actions
    case timers
    case queue
    case orders
    case shutter
    case stuck
    case end
    case endByPerson
    case endWithoutPerson
    case completed
    case wishes
    case wishesInDoubt
    case views
    case network
    case button
    case stop
}

/// One complete exploration: all results, as plain values.
struct ModelRun: Sendable {
    /// The part of the world in which errors can occur. The other parts always work.
    enum Scene: String, CaseIterable, Sendable {
        /// The link, the network, the search, connect requests and the daemon's stop, with simple shoots.
        case comingAndGoing
        /// A disk that is slow or that fails.
        case disk
        /// Pictures that arrive, suspect pictures, and frames that users request again.
        case firingAgain
        /// The button on the tripod, and a stop that waits for the current frame.
        case tripod

        var extent: ModelRules.Extent {
            switch self {
            case .comingAndGoing: .init(shoots: [], hasNetwork: true, hasCalls: true, messagesInFlight: 2)
            case .disk: .init(shoots: [.disk], hasNetwork: true, hasCalls: false, messagesInFlight: 1)
            case .firingAgain: .init(shoots: [.again], hasNetwork: false, hasCalls: false, messagesInFlight: 1)
            case .tripod: .init(shoots: [], hasNetwork: false, hasCalls: false, messagesInFlight: 1, hasTripod: true)
            }
        }
    }

    let graph: ModelGraph
    let connection: ChartFacts<Connection>
    let shooting: ChartFacts<Shooting>
    let network: ChartFacts<Network>
    let button: ChartFacts<Button>
    let service: ChartFacts<Service>
    /// For each situation of the shooting chart, whether pictures were lost whose frames only `retry` fires again.
    private let losses: [Bool]
    /// The violations, each with the way to it.
    private(set) var faults: [(check: ModelCheck, sentence: String)] = []

    private static let comingAndGoing = ModelRun(Scene.comingAndGoing.extent)
    private static let disk = ModelRun(Scene.disk.extent)
    private static let firingAgain = ModelRun(Scene.firingAgain.extent)
    private static let tripod = ModelRun(Scene.tripod.extent)

    /// The run of a scene. The first test that needs it computes it.
    static func of(_ scene: Scene) -> ModelRun {
        switch scene {
        case .comingAndGoing: comingAndGoing
        case .disk: disk
        case .firingAgain: firingAgain
        case .tripod: tripod
        }
    }

    init(_ extent: ModelRules.Extent, _ charts: ModelRules.Charts = ModelRules.Charts()) {
        let rules = ModelRules(extent, charts)
        graph = ModelGraph(rules)
        connection = ChartFacts(rules.connection)
        shooting = ChartFacts(rules.shooting)
        network = ChartFacts(rules.network)
        button = ChartFacts(rules.button)
        service = ChartFacts(rules.service)
        losses = rules.shooting.machines.map(\.behavior.notes.isLost)
        addSteps(rules)
        addWorlds()
    }

    /// Adds the violations that were found during the exploration, and those of single charts' situations.
    private mutating func addSteps(_ rules: ModelRules) {
        for sentence in rules.oracle.faults.sorted() { faults.append((.actions, sentence)) }
        for fault in rules.faults {
            let world = graph.worlds.firstIndex(of: fault.world)
            faults.append((fault.check, "\(fault.sentence): \(world.map(way) ?? "")\n  \(fault.event)"))
        }
        add(connection.faults) { $0.connection }
        add(shooting.faults) { $0.shooting }
        add(network.faults) { $0.network }
        add(button.faults) { $0.button }
        add(service.faults) { $0.service }
    }

    private mutating func add(_ found: [ChartFault], _ situation: (ModelWorld) -> Int) {
        for fault in found {
            guard let world = graph.worlds.firstIndex(where: { situation($0) == fault.situation }) else { continue }
            faults.append((fault.check, "\(fault.sentence): \(way(to: world))"))
        }
    }

    // MARK: Reading

    /// The shortest way to a world, one line for each event.
    func way(to world: Int) -> String {
        graph.path(to: world).map { "\n  \($0.event) → \(text(graph.worlds[$0.world]))" }.joined()
    }

    private func text(_ world: ModelWorld) -> String {
        let messages =
            world.messages == 0 ? "" : ", waiting: \(world.messageList.map { "\($0)" }.joined(separator: " "))"
        let shoot = world.isStopping ? "stopping" : shooting.leaves(world.shooting)
        let tripod = "\(button.leaves(world.button)), \(service.leaves(world.service))"
        return
            "\(connection.leaves(world.connection)), \(shoot), \(network.leaves(world.network)), \(tripod)\(messages)"
    }

    /// For each world, whether the condition holds.
    func worlds(where holds: (View) -> Bool) -> [Bool] {
        let (connection, shooting, network) = (connection.states, shooting.states, network.states)
        let (button, service) = (button.states, service.states)
        return graph.worlds.map { world in
            let shoot = world.isStopping ? [] : shooting[world.shooting]
            let isAtRest = world.messages == 0 && !world.isStopping
            return holds(
                View(
                    connection: connection[world.connection],
                    shooting: shoot,
                    network: network[world.network],
                    button: button[world.button],
                    service: service[world.service],
                    isAtRest: isAtRest,
                    isStopping: world.isStopping,
                    hasLost: losses[world.shooting],
                    nextMessage: ModelMessage(rawValue: world.messages & 15)
                )
            )
        }
    }

    /// A world in the form in which a check reads it.
    struct View {
        let connection: StateFlags<Connection.State>
        let shooting: StateFlags<Shooting.State>
        let network: StateFlags<Network.State>
        let button: StateFlags<Button.State>
        let service: StateFlags<Service.State>
        /// Whether the queue is empty and the daemon does not stop.
        let isAtRest: Bool
        let isStopping: Bool
        let hasLost: Bool
        let nextMessage: ModelMessage?

        func connection(_ state: Connection.State) -> Bool { connection.contains(state) }
        func shooting(_ state: Shooting.State) -> Bool { shooting.contains(state) }
        func network(_ state: Network.State) -> Bool { network.contains(state) }
        func button(_ state: Button.State) -> Bool { button.contains(state) }
        func service(_ state: Service.State) -> Bool { service.contains(state) }
    }

    mutating func append(_ check: ModelCheck, _ sentence: String) {
        faults.append((check, sentence))
    }
}

/// The active states in one integer, because they are read often.
struct StateFlags<State: ChartNumber>: ExpressibleByArrayLiteral {
    private var word: UInt64 = 0

    init(arrayLiteral states: State...) {
        for state in states { word |= 1 << UInt64(state.rawValue) }
    }

    init(_ numbers: [Int]) {
        for number in numbers { word |= 1 << UInt64(number) }
    }

    var isEmpty: Bool { word == 0 }

    func contains(_ state: State) -> Bool { word >> UInt64(state.rawValue) & 1 != 0 }
}

extension ModelRun {
    static func file(of chart: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("statecharts/\(chart.lowercased()).scxml")
    }

    static func document(of chart: String) -> ChartDocument {
        guard let data = try? Data(contentsOf: file(of: chart)), let document = Chart(reading: data).document else {
            preconditionFailure("\(chart) is a chart")
        }
        return document
    }
}

/// A violation in a situation of one chart, without the other charts.
struct ChartFault: Sendable {
    var check: ModelCheck
    var situation: Int
    var sentence: String
}

/// The results about one chart after an exploration, as plain values.
struct ChartFacts<Definition: ChartDefinition>: Sendable {
    let situations: [MachineSnapshot]
    /// The numbers of the transitions that were taken and of the states that were entered.
    let taken: Set<Int>
    let entered: Set<Int>
    private(set) var faults: [ChartFault]

    init<Sketch: ChartSketch>(_ model: ChartModel<Sketch>) where Sketch.Chart == Definition {
        situations = model.snapshots
        taken = model.taken
        entered = model.entered
        faults = model.faults
        // The mark of states that may wait forever is not compiled, because only readers of the chart need it.
        let document = ModelRun.document(of: Definition.names.chart)
        for situation in situations.indices { checkTimer(of: situation, model, document) }
    }

    /// Checks that each leaf has a timer that leads out of it, unless the leaf may wait forever.
    private mutating func checkTimer<Sketch: ChartSketch>(
        of situation: Int,
        _ model: ChartModel<Sketch>,
        _ document: ChartDocument
    ) {
        for leaf in situations[situation].active where Definition.table.kind(of: leaf) == .atomic {
            guard !document.states[leaf].waitsForever else { continue }
            var path: Set<Int> = [leaf]
            while let parent = path.min(), parent != 0 { path.insert(document.states[parent].parent) }
            let outcomes = model.afterTimer(situation)
            let isMoved = outcomes.allSatisfy { outcome in
                outcome.enabled.contains { path.contains(model.table.source(of: $0)) }
            }
            if outcomes.isEmpty || !isMoved {
                let name = Definition.names.states[leaf]
                add(ChartFault(check: .timers, situation: situation, sentence: "\(name) waits and has no timer"))
            }
        }
    }

    /// Adds a violation, if no violation with the same sentence is present.
    private mutating func add(_ fault: ChartFault) {
        if !faults.contains(where: { $0.sentence == fault.sentence }) { faults.append(fault) }
    }

    /// The active states of each situation.
    var states: [StateFlags<Definition.State>] { situations.map { StateFlags($0.active) } }

    func leaves(_ situation: Int) -> String {
        let leaves = situations[situation].active.filter { Definition.table.isLeaf($0) }
        return leaves.isEmpty ? "stopped" : leaves.map { Definition.names.states[$0] }.joined(separator: "+")
    }
}
