import Foundation
import SCXML
import Testing
import TrafficLight

/// Tests of the crossing on a virtual clock.
@Suite struct CrossingTests {
    private static let hour = Duration.seconds(3_600)
    private let times = CrossingModel.Times()

    private func street(after script: Script, until end: Duration) -> VirtualStreet {
        var street = VirtualStreet()
        for entry in script.entries { street.tell(entry.input, at: entry.time) }
        street.run(until: end)
        return street
    }

    @Test func `a press leads to green for pedestrians after yellow and red`() {
        var street = VirtualStreet()
        street.tell(.buttonPressed(.north), at: .seconds(30))
        street.run(until: .seconds(60))
        let expected: [(Int, CrossingModel.Effect)] = [
            (0, .cars(.green)), (0, .pedestrians(.wait)),
            (30, .click(.north)), (30, .cars(.yellow)), (33, .cars(.red)), (35, .pedestrians(.walk)),
            (41, .pedestrians(.hurry)), (49, .pedestrians(.wait)), (49, .cars(.red)),
            (51, .cars(.redYellow)), (52, .cars(.green)),
        ]
        #expect(street.moments == expected.map { VirtualStreet.Moment(time: .seconds($0), effect: $1) })
    }

    @Test func `a press in the first seconds waits for the minimum green`() {
        var street = VirtualStreet()
        street.tell(.buttonPressed(.south), at: .seconds(1))
        street.run(until: times.minimumGreen - .milliseconds(1))
        #expect(street.cars == .green)
        street.run(until: times.minimumGreen)
        #expect(street.cars == .yellow)
    }

    @Test func `at night the light sleeps, and a press wakes it`() {
        var street = VirtualStreet()
        street.tell(.nightBegan, at: .seconds(60))
        #expect(street.cars == .blinkingYellow && street.pedestrians == .dark)
        street.tell(.buttonPressed(.north), at: .seconds(100))
        #expect(street.cars == .yellow && street.pedestrians == .wait)
        street.run(until: .seconds(105))
        #expect(street.pedestrians == .walk)
        street.run(until: .seconds(200))
        #expect(street.cars == .blinkingYellow && street.pedestrians == .dark)
        street.tell(.nightEnded, at: .seconds(300))
        #expect(street.cars == .green && street.pedestrians == .wait)
    }

    @Test func `a fault keeps the presses and the night mode`() {
        var street = VirtualStreet()
        street.tell(.buttonPressed(.north), at: .seconds(10))
        street.tell(.fault, at: .seconds(15))
        street.tell(.nightBegan, at: .seconds(20))
        #expect(street.cars == .blinkingYellow && street.pedestrians == .dark)
        street.tell(.repaired, at: .seconds(100))
        #expect(street.cars == .red && street.pedestrians == .wait)
        #expect(street.machine.isActive(.wished) && street.machine.isActive(.nighttime))
        street.run(until: .seconds(100) + .seconds(2 + 1) + times.minimumGreen + .seconds(3 + 2))
        #expect(street.pedestrians == .walk)
    }

    /// Checks the promises of the crossing with thousands of presses at random times.
    @Test(arguments: [3, 15, 40, 90]) func `promises hold for random presses`(pause: Int) throws {
        var presses = 0
        for seed in UInt64(1)...10 {
            let script = Script(seed: seed, until: Self.hour, pause: .seconds(pause))
            presses += script.entries.count
            let street = street(after: script, until: Self.hour + .seconds(120))
            var witness = Witness(times: times)
            for moment in street.moments { witness.see(moment) }
            #expect(witness.complaints == [], "seed \(seed), a press each \(pause) s")
            #expect(witness.waiting == nil, "seed \(seed): a pedestrian still waits")
            #expect(witness.crossings > 10)
        }
        #expect(presses > 300)
    }

    @Test func `equal presses give equal effects`() {
        let script = Script(seed: 7, until: Self.hour)
        #expect(script == Script(seed: 7, until: Self.hour))
        #expect(script != Script(seed: 8, until: Self.hour))
        let first = street(after: script, until: Self.hour)
        #expect(first.moments.count > 500)
        #expect(first.moments == street(after: script, until: Self.hour).moments)
    }

    @Test func `the chart has no faults, and is the one that was compiled`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../statecharts/crossing.scxml")
        let chart = Chart(reading: try Data(contentsOf: file))
        #expect(chart.diagnostics.map { $0.line(file: "crossing.scxml") } == [])
        #expect(chart.digest == Crossing.digest)
    }
}
