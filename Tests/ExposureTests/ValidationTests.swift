import Exposure
import Testing

@Suite struct `Against a camera's list` {
    private func camera(without missing: String...) -> [ShutterSpeed] {
        ShutterSpeed.all.filter { !missing.contains($0.label) }
    }

    @Test func `a plan that it can fire stays as it is`() throws {
        let plan = Plan(try PlanRequest())
        let validated = plan.validated(against: ShutterSpeed.all.reversed())
        #expect(validated.plan == plan)
        #expect(validated.notes.isEmpty)
        #expect(validated.isExact)
    }

    @Test func `a missing speed is replaced by the nearest in light, with one note`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/320"), highlight: speed("1/6400"), framesPerSet: 3))
        let validated = plan.validated(against: camera(without: "1/6400"))
        #expect(!validated.isExact)
        #expect(validated.notes.map(\.sentence) == ["1/6400 not available on this camera, using 1/5000 (+0.3 EV)"])
        #expect(validated.plan.sets.first?.map(\.label) == ["1/5000", "1/3200", "1/1600"])
        #expect(validated.plan.frames.first?.speed.label == "1/5000")
        #expect(validated.plan.totalExposures == plan.totalExposures)
    }

    @Test func `nearest is by light and not by seconds`() throws {
        // 13" is two thirds of a stop from 8" and from 20", although it is 5 s and 7 s away. 20" is nearer to 15".
        let plan = Plan(try PlanRequest(shadow: speed("15\""), highlight: speed("15\"")))
        let validated = plan.validated(against: [try speed("8\""), try speed("20\"")])
        #expect(validated.plan.frames.map(\.speed.label) == ["20\""])
        #expect(validated.notes.map(\.sentence) == ["15\" not available on this camera, using 20\" (+0.3 EV)"])
    }

    @Test func `a speed that two sets share has one note and is replaced in both`() throws {
        let validated = Plan(try PlanRequest()).validated(against: camera(without: "1/60"))
        #expect(validated.notes.filter { if case .substituted = $0 { true } else { false } }.count == 1)
        #expect(validated.plan.sets[0].last?.label == "1/50")
        #expect(validated.plan.sets[1].first?.label == "1/50")
        #expect(
            validated.notes.map(\.sentence).last
                == "Set 1: 1/125 to 1/50 is a gap of 1.3 EV on this camera, wider than the spacing of 1 EV"
        )
    }

    @Test func `frames with the same speed are named and keep their positions`() throws {
        let plan = Plan(try PlanRequest())
        let validated = plan.validated(against: ShutterSpeed.all.filter { $0.index <= 39 })
        #expect(
            validated.notes.map(\.sentence) == [
                "2\" not available on this camera, using 1\" (-1 EV)",
                "4\" not available on this camera, using 1\" (-2 EV)",
                "Set 3: 1\", 2\" and 4\" are all 1\" on this camera",
            ]
        )
        #expect(validated.plan.frames.map(\.position) == plan.frames.map(\.position))
        #expect(validated.plan.frames.suffix(3).map(\.speed.label) == ["1\"", "1\"", "1\""])
    }

    @Test func `a body of whole stops shows its gaps`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/4"), highlight: speed("1/2000"), spacing: .oneAndAHalf))
        let wholeStops = ShutterSpeed.all.filter { $0.index % 3 == 0 }
        let validated = plan.validated(against: wholeStops)
        #expect(
            validated.notes.contains(
                .gap(
                    set: 1,
                    from: try speed("1/500"),
                    to: try speed("1/125"),
                    spacing: .oneAndAHalf
                )
            ) == validated.plan.sets[0].map(\.label).contains("1/125")
        )
        for (set, speeds) in validated.plan.sets.enumerated() {
            for (left, right) in zip(speeds, speeds.dropFirst()) where left.thirds(to: right) > 5 {
                #expect(validated.notes.contains(.gap(set: set + 1, from: left, to: right, spacing: .oneAndAHalf)))
            }
        }
    }

    @Test func `a plan at 1,5 EV on a full list has no gaps`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/4"), highlight: speed("1/2000"), spacing: .oneAndAHalf))
        #expect(plan.validated(against: ShutterSpeed.all).isExact)
    }

    @Test func `a camera without a list of speeds leaves the plan unchecked`() throws {
        let plan = Plan(try PlanRequest())
        let validated = plan.validated(against: [])
        #expect(validated.plan == plan)
        #expect(!validated.isExact)
        #expect(
            validated.notes.map(\.sentence) == [
                "This camera did not report its shutter speeds: the plan could not be checked against them"
            ]
        )
    }

    @Test func `a single exposure is checked too`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/125"), highlight: speed("1/125")))
        let validated = plan.validated(against: [try speed("1/60")])
        #expect(validated.plan.frames.map(\.speed.label) == ["1/60"])
        #expect(validated.plan.sets.isEmpty)
        #expect(validated.notes == [.substituted(planned: try speed("1/125"), used: try speed("1/60"))])
    }

    @Test func `the camera has every used speed, over many lists`() throws {
        let plan = Plan(try PlanRequest(shadow: .slowest, highlight: .fastest, spacing: .two))
        for divisor in 1...20 {
            for rest in 0..<divisor {
                let list = ShutterSpeed.all.filter { $0.index % divisor == rest }
                let validated = plan.validated(against: list)
                #expect(validated.plan.frames.allSatisfy { list.contains($0.speed) })
                for (used, planned) in zip(validated.plan.frames, plan.frames) {
                    let least = list.map { abs($0.thirds(to: planned.speed)) }.min()
                    #expect(abs(used.speed.thirds(to: planned.speed)) == least)
                }
            }
        }
    }
}
