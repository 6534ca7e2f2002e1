import Foundation
import Statecharts
import Testing

struct FeaturesModel {
    enum Effect: Equatable, Sendable {
        case kept(Int), dates([Date]), text(String?), signal, nothing, left
    }
}

extension FeaturesModel: FeaturesBehavior {
    func isLarge(_ int: Int) -> Bool { int > 10 }
    func hasDates(_ value: [Date]) -> Bool { !value.isEmpty }
    mutating func keep(_ int: Int, _ effects: inout [Effect]) { effects.append(.kept(int)) }
    mutating func keepDates(_ value: [Date], _ effects: inout [Effect]) { effects.append(.dates(value)) }
    mutating func keepText(_ string: String?, _ effects: inout [Effect]) { effects.append(.text(string)) }
    mutating func noteSignal(_ effects: inout [Effect]) { effects.append(.signal) }
    mutating func noteNothing(_ effects: inout [Effect]) { effects.append(.nothing) }
    mutating func noteLeft(_ effects: inout [Effect]) { effects.append(.left) }
}

@Suite struct FeaturesChartTests {
    private var machine = Machine(FeaturesModel())
    private var effects: [FeaturesModel.Effect] = []
    private var log = StepLog<Features>()

    init() {
        machine.start(at: .zero, effects: &effects, recorder: &log)
    }

    private mutating func tell(_ input: Features.Input, at milliseconds: Int = 0) {
        machine.handle(input, at: .milliseconds(milliseconds), effects: &effects, recorder: &log)
    }

    @Test mutating func `guards and actions get the payload of the only input that leads to them`() {
        tell(.repeat(3))
        #expect(machine.configuration == [.default])
        tell(.maybe("text"))
        tell(.repeat(11))
        #expect(effects == [.text("text"), .kept(11), .left])
        #expect(machine.configuration == [.leftOne, .rightOne])
    }

    @Test mutating func `raised, sent and timed events reach the other region`() {
        tell(.repeat(11))
        tell(.signalLate(1))
        #expect(machine.configuration == [.leftTwo, .rightThree])
        #expect(machine.nextDeadline == .milliseconds(1_500))
        machine.advance(to: .seconds(2), effects: &effects, recorder: &log)
        #expect(!machine.isRunning)
        #expect(machine.configuration == [.end])
    }

    @Test mutating func `a history without record enters its default, with the default's content`() {
        tell(.signal)
        #expect(effects == [.signal, .nothing])
        #expect(machine.activeStates == [.both, .left, .leftOne, .right, .rightOne])
    }

    @Test mutating func `records name transitions, states, events and timers`() throws {
        tell(.repeat(11))
        log.removeAll()
        tell(.signal, at: 5)
        let names = Features.names
        let step = try #require(log.steps.first)
        #expect(step.cause == .input(event: Features.number(of: .signal)))
        #expect(step.time == .milliseconds(5))
        #expect(step.steps[0].exited == [.leftOne])
        #expect(step.steps[0].entered == [.leftTwo])
        #expect(step.steps[0].raised.map { names.events[$0] } == ["moved"])
        #expect(step.steps[0].sent.map { names.events[$0.event] } == ["said", "timeout.left"])
        #expect(step.steps[0].sent[1].due == .milliseconds(1_505))
        #expect(step.steps[0].sent[1].id.map { names.sendIDs[$0] } == "leftTimer")
        #expect(step.steps[1].origin == .internal)
        #expect(log.steps.count == 2)
        #expect(log.steps[1].cause == .sent(event: names.events.firstIndex(of: "said") ?? -1))
    }

    @Test func `the names match the chart`() {
        #expect(Features.State.leftOne.name == "left.one")
        #expect(Features.name(of: .listOfDates([])) == "list.of-dates")
        #expect(
            Features.names.functions == [
                "hasDates", "isLarge", "keep", "keepDates", "keepText", "noteLeft", "noteNothing", "noteSignal",
            ]
        )
        #expect(Features.State.allCases.filter(\.isLeaf).count == 8)
        #expect(Features.source == "Charts/features.scxml")
    }
}
