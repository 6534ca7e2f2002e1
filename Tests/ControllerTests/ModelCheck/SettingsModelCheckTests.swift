import Cameras
import Exposure
import Statecharts
import Testing

@testable import Controller

/// All behavior of one setting, explored to a depth: commands, late effects, turned dials, lost links, kills, stops.
/// After each situation nothing more happens. Then the camera must have its setting from before, or the user's, or the
/// daemon must still have the setting to restore.
@Suite struct SettingsModelCheckTests {
    @Test(arguments: [false, true])
    func `in any order of events, no setting that the daemon changed is forgotten`(isStepwise: Bool) {
        var worlds = [SettingsWorld(isStepwise: isStepwise)]
        var seen = Set(worlds.map(\.key))
        var faults: [String] = []
        for _ in 0..<Self.depth {
            var next: [SettingsWorld] = []
            for world in worlds {
                for action in SettingsWorld.Action.allCases {
                    guard var after = world.doing(action), seen.insert(after.key).inserted else { continue }
                    next.append(after)
                    if let fault = after.faultWhenQuiet() { faults.append(fault) }
                }
            }
            worlds = next
        }
        #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(5).joined(separator: "\n"))")
        #expect(seen.count > 2000, "\(seen.count)")
    }

    private static let depth = 7
}

/// A settings chart, a body, a ledger and a user.
private struct SettingsWorld {
    enum Action: CaseIterable {
        case presses, begins, sets, arrives, reading, pauses, goesOn, ends, isPutBack, isBusy, isSentAndNotShown, lands
        case turns, turnsBack, linkLost, linkBack, kill, stop, timePasses
    }

    private static let camera = CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")
    private static let plan = ["1/125", "1/60"]
    private static let original = "1/1000"
    private static let turned = "30\""

    let isStepwise: Bool
    private var run = ChartRun(SettingsModel())
    private var now = Duration.zero
    private var shown = original
    /// A command that the body received and does not show yet: a value, or a number of notches from the present value.
    private var late: Late?
    private var target: String?
    private var isLinked = true
    private var isAlive = true
    private var wasAsked = false
    private var row: SettingRow?
    /// The values that the body may have at the end.
    private var allowed: Set<String> = [original]
    private var story: [Action] = []

    private enum Late: Hashable { case value(String), notches(Int) }

    init(isStepwise: Bool) {
        self.isStepwise = isStepwise
        take(run.start(at: now))
        take(run.handle(.cameraReady(reading()), at: now))
    }

    /// The key of the situation; equal keys have the same future. The event that the chart waits for stands for the
    /// time.
    var key: String {
        let places = run.configuration.joined(separator: " ")
        let body = "\(shown) \(String(describing: late)) \(target ?? "") \(isLinked) \(isAlive) \(isAsked)"
        return "\(places)|\(body)|\(String(describing: row))|\(allowed.sorted())|\(run.machine.behavior)"
    }

    private var isStopping: Bool { run.machine.isActive(.lastTry) || !run.machine.isRunning }
    /// Whether the driver is setting a value. The driver's time limits are shorter than the chart's.
    private var isAsked: Bool {
        wasAsked && (run.machine.isActive(.puttingBack) || run.machine.isActive(.lastRestoring))
    }
    private var isShooting: Bool { run.machine.isActive(.shoot) }

    private func reading(isPassing: Bool? = nil) -> SettingsReading {
        let values: [CameraProperty: String] = [.shutterSpeed: shown]
        return SettingsReading(
            camera: Self.camera,
            values: values,
            isStepwise: isStepwise,
            isPassing: isPassing ?? isStepwise
        )
    }

    // MARK: Events

    func doing(_ action: Action) -> SettingsWorld? {
        var world = self
        guard world.perform(action) else { return nil }
        world.story.append(action)
        return world
    }

    private mutating func perform(_ action: Action) -> Bool {
        switch action {
        case .lands: return land()
        case .turns: return turn(to: Self.turned)
        case .turnsBack: return turn(to: Self.original)
        case .kill: return kill()
        case .timePasses: return pass()
        case .linkBack: return linkBack()
        case .linkLost: return isAlive && isLinked && loseLink()
        case .presses: return isAlive && isLinked && !isStopping && !isShooting && deliver(.pressBegins(plannedShoot))
        case .begins, .sets, .arrives, .pauses, .goesOn, .ends: return isAlive && !isStopping && shoot(action)
        case .reading: return isAlive && isLinked && deliver(.cameraReading(reading()))
        case .isPutBack, .isBusy, .isSentAndNotShown: return isAlive && isAsked && isLinked && answer(action)
        case .stop:
            return isAlive && run.machine.isRunning && deliver(.stop(SettingsStop(mayTouch: isLinked)))
        }
    }

    private var plannedShoot: SettingsShoot {
        SettingsShoot(reading: reading(), changes: [.shutterSpeed: Self.plan])
    }

    private mutating func shoot(_ action: Action) -> Bool {
        let isWorking = run.machine.isActive(.working)
        switch action {
        case .begins where isLinked && !isShooting:
            wasAsked = false
            target = nil
            return deliver(.shootBegins(plannedShoot))
        case .sets where isLinked && isWorking:
            let speed = target == Self.plan[0] ? Self.plan[1] : Self.plan[0]
            target = speed
            send(speed)
            return deliver(.shootSets(PropertySetting(property: .shutterSpeed, value: speed)))
        case .arrives where isLinked && isWorking && late == nil && shown == target:
            return deliver(.cameraReading(reading(isPassing: false)))
        case .pauses where isWorking: return deliver(.shootPauses)
        case .goesOn where isLinked && run.machine.isActive(.pausing): return deliver(.shootContinues)
        case .ends where isShooting: return deliver(.shootEnds)
        default: return false
        }
    }

    /// The driver's answer. Before it answers, the driver waits until the body is quiet, and reads the value.
    private mutating func answer(_ action: Action) -> Bool {
        guard let original = row?.original else { return false }
        switch action {
        case .isPutBack:
            wasAsked = false
            late = nil
            shown = original
            let state = PropertyState(property: .shutterSpeed, value: original, choices: [], isWritable: true)
            return deliver(.cameraSet(state))
        case .isBusy:
            _ = land()
            _ = deliver(.cameraReading(reading()))
            guard isAsked else { return false }
            wasAsked = false
            return deliver(.cameraBusy)
        default:
            guard late == nil else { return false }
            send(original)
            return true
        }
    }

    private mutating func send(_ speed: String) {
        // The driver waits for the earlier notches, and then computes the new notches from the shown value.
        if isStepwise { _ = land() }
        late = isStepwise ? .notches(Self.place(speed) - Self.place(shown)) : .value(speed)
    }

    private static func place(_ label: String) -> Int { ShutterSpeed.all.firstIndex { $0.label == label } ?? 0 }

    private mutating func land() -> Bool {
        guard let late else { return false }
        self.late = nil
        switch late {
        case .value(let value): shown = value
        case .notches(let count):
            let place = min(max(Self.place(shown) + count, 0), ShutterSpeed.all.count - 1)
            shown = ShutterSpeed.all[place].label
        }
        return true
    }

    private mutating func turn(to label: String) -> Bool {
        guard shown != label else { return false }
        shown = label
        allowed.insert(label)
        return true
    }

    private mutating func loseLink() -> Bool {
        isLinked = false
        wasAsked = false
        return deliver(.cameraGone)
    }

    private mutating func linkBack() -> Bool {
        if !isAlive {
            isAlive = true
            run = ChartRun(SettingsModel())
            take(run.start(at: now))
            if let row { _ = deliver(.recovered(SettingsRecovery(rows: [row]))) }
        }
        guard !isLinked, run.machine.isRunning else { return false }
        isLinked = true
        return deliver(.cameraReady(reading()))
    }

    private mutating func kill() -> Bool {
        guard isAlive else { return false }
        (isAlive, isLinked, wasAsked) = (false, false, false)
        return true
    }

    /// Advances the time. A body shows a received value within a second, and each wait of the chart is longer.
    private mutating func pass() -> Bool {
        guard isAlive, run.machine.nextDeadline != nil else { return land() }
        _ = land()
        // While the driver sets a value, it reads the body.
        if isAsked { _ = deliver(.cameraReading(reading())) }
        guard let due = run.machine.nextDeadline else { return true }
        now = due
        take(run.advance(to: now))
        return true
    }

    // MARK: The chart

    private mutating func deliver(_ input: Settings.Input) -> Bool {
        take(run.handle(input, at: now))
        return true
    }

    private mutating func take(_ outcome: ChartRun<SettingsModel>.Outcome) {
        for effect in outcome.effects {
            switch effect {
            case .camera(.setProperty): wasAsked = true
            case .camera(.readStatus): _ = isLinked && deliver(.cameraReading(reading()))
            case .camera, .report, .over: break
            case .keep(_, let row): self.row = row
            }
        }
    }

    // MARK: The end

    /// The violation after the last event, as a sentence; nil: none.
    mutating func faultWhenQuiet() -> String? {
        var world = self
        _ = world.land()
        if !world.run.machine.isRunning { world.isAlive = false; world.isLinked = false }
        if !world.isAlive || !world.isLinked { _ = world.linkBack() }
        if world.isStopping { return nil }
        if world.isShooting { _ = world.deliver(.shootEnds) }
        for _ in 0..<20 where !world.run.machine.isActive(.clear) {
            if world.isAsked {
                _ = world.answer(.isPutBack)
            } else if !world.perform(.reading) || !world.pass() {
                break
            }
        }
        guard !world.allowed.contains(world.shown), world.row == nil else { return nil }
        return "\(story): left on \(world.shown), allowed \(world.allowed.sorted())"
    }
}
