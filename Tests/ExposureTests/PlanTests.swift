import Exposure
import Testing

func speed(_ label: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: label) }

private func labels(_ plan: Plan) -> [[String]] { plan.sets.map { $0.map(\.label) } }

@Suite struct `A plan` {
    @Test func `with default options is the first published one`() throws {
        let plan = Plan(try PlanRequest())
        #expect(plan.sets.count == 3)
        #expect(plan.totalExposures == 15)
        #expect(plan.rangeThirds == 24)
        #expect(plan.notes.isEmpty)
    }

    @Test func `of the whole scale ends at the slowest speed`() throws {
        let plan = Plan(try PlanRequest(shadow: .slowest, highlight: .fastest))
        #expect(plan.sets.map(\.count) == [5, 5, 5, 5, 3])
        #expect(plan.totalExposures == 23)
        #expect(plan.notes == [.endsAtSlowest(set: 5, frames: 3, framesPerSet: 5)])
        #expect(plan.notes.map(\.sentence) == [#"Set 5 has 3 of 5 frames: no speed is slower than 30""#])
    }

    @Test func `with swapped ends has a note about the swap`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/1000"), highlight: speed("1/4")))
        #expect(plan.sets == Plan(try PlanRequest()).sets)
        #expect(
            plan.notes.map(\.sentence)
                == ["Shadow 1/1000 is faster than highlight 1/4: the two are swapped"]
        )
    }

    @Test func `without a range is one exposure at set 1, frame 1`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/125"), highlight: speed("1/125")))
        #expect(plan.sets.isEmpty)
        #expect(plan.frames == [PlannedFrame(position: FramePosition(set: 1, frame: 1), speed: try speed("1/125"))])
        #expect(plan.notes.map(\.sentence) == ["Shadow and highlight are both 1/125: one exposure, not a bracket"])
    }

    @Test func `has positions that count from 1`() throws {
        let frame = Plan(try PlanRequest()).frames[7]
        #expect(frame.position == FramePosition(set: 2, frame: 3))
        #expect(frame.position.description == "set 2, frame 3")
        #expect(frame.speed == (try speed("1/15")))
    }

    @Test func `adds its exposures up in true times`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/4"), highlight: speed("1\""), framesPerSet: 3))
        #expect(labels(plan) == [["1/4", "1/2", "1\""]])
        #expect(plan.exposureTime == .milliseconds(1750))
    }

    @Test(arguments: [0, 1, 2, 4, 6, 8, 11, -3, Int.max, Int.min])
    func `refuses a set that is not of 3, 5, 7 or 9 frames`(frames: Int) {
        #expect(throws: PlanError.framesPerSet(frames)) { try PlanRequest(framesPerSet: frames) }
    }

    @Test func `refuses with a sentence`() {
        #expect(PlanError.framesPerSet(4).sentence == "A set cannot have 4 frames. Choose 3, 5, 7 or 9.")
        #expect(PlanError.spacing("3").sentence == "A spacing of '3' is not possible. Choose 1, 1.5 or 2 EV.")
        #expect(PlanError.biasThirds(16).sentence == "A bias of 16/3 EV is too large. The range is -15/3 to +15/3 EV.")
        #expect(
            PlanError.bias("1/2").sentence
                == "A bias of '1/2' is not in thirds of a stop. Write +1/3, -2/3 or +1."
        )
    }
}

@Suite struct `Sharing once` {
    @Test func `omits the shared frame in the later set and keeps its position`() throws {
        let plan = Plan(try PlanRequest(sharing: .once))
        #expect(plan.totalExposures == 13)
        #expect(plan.sets == Plan(try PlanRequest()).sets)
        let secondSet = plan.frames.filter { $0.position.set == 2 }
        #expect(secondSet.map(\.position.frame) == [2, 3, 4, 5])
        #expect(secondSet.map(\.speed.label) == ["1/30", "1/15", "1/8", "1/4"])
    }

    @Test func `fires every speed once`() throws {
        let plan = Plan(try PlanRequest(shadow: .slowest, highlight: .fastest, sharing: .once))
        #expect(Set(plan.frames.map(\.speed)).count == plan.totalExposures)
        #expect(plan.totalExposures == 19)
    }
}

@Suite struct `A bias` {
    @Test func `makes every frame longer when it is positive`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/30"), highlight: speed("1/250"), biasThirds: 1))
        #expect(labels(plan) == [["1/200", "1/100", "1/50", "1/25", "1/13"]])
        #expect(plan.rangeEV == 3)
        #expect(plan.notes.isEmpty)
    }

    @Test func `makes every frame shorter when it is negative`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/30"), highlight: speed("1/250"), biasThirds: -2))
        #expect(labels(plan) == [["1/400", "1/200", "1/100", "1/50", "1/25"]])
    }

    @Test func `past the slow end stops there with a note`() throws {
        let plan = Plan(try PlanRequest(shadow: .slowest, highlight: speed("8\""), framesPerSet: 3, biasThirds: 3))
        #expect(labels(plan) == [["15\"", "30\""]])
        #expect(
            plan.notes.map(\.sentence) == [
                #"The bias of +1 EV moves frames beyond 30": these frames are omitted"#,
                #"Set 1 has 2 of 3 frames: no speed is slower than 30""#,
            ]
        )
    }

    @Test func `past the fast end keeps one frame there`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/500"), highlight: .fastest, biasThirds: -6))
        #expect(labels(plan) == [["1/8000", "1/4000", "1/2000"]])
        #expect(
            plan.notes.map(\.sentence) == ["The bias of -2 EV moves frames beyond 1/8000: these frames are omitted"]
        )
    }

    @Test func `that leaves only an end keeps one frame`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/6400"), highlight: .fastest, framesPerSet: 3, biasThirds: -15))
        #expect(labels(plan) == [["1/8000"]])
        #expect(plan.totalExposures == 1)
    }

    @Test func `drops a set that has only its shared frame`() throws {
        let request = try PlanRequest(shadow: speed("1/400"), highlight: .fastest, framesPerSet: 3, biasThirds: -6)
        #expect(labels(Plan(request)) == [["1/8000", "1/4000", "1/2000"], ["1/2000", "1/1000", "1/500"]])
    }

    @Test func `moves a single exposure too`() throws {
        let one = Plan(try PlanRequest(shadow: speed("1/125"), highlight: speed("1/125"), biasThirds: 3))
        #expect(one.frames.map(\.speed.label) == ["1/60"])
        let end = Plan(try PlanRequest(shadow: .slowest, highlight: .slowest, biasThirds: 1))
        #expect(end.frames.map(\.speed) == [.slowest])
        #expect(end.notes.contains(.biasClamped(thirds: 1, end: .slowest)))
    }

    @Test(arguments: [
        ("0", 0), ("+1/3", 1), ("1/3", 1), ("-2/3", -2), ("−2/3", -2), ("+1", 3), ("-1", -3), ("4/3", 4), ("1 1/3", 4),
        ("-1 2/3", -5), ("0.3", 1), ("+0,7", 2), ("1.3", 4), ("1.0", 3), ("-0.67", -2), ("15/3", 15), ("-5", -15),
    ])
    func `is parsed in all common notations`(text: String, thirds: Int) throws {
        #expect(try PlanRequest.biasThirds(parsing: text) == thirds)
    }

    @Test(arguments: [
        "", " ", "+", "-", "1/2", "x", "1/", "/3", "0.5", "1.", ".3", "1 4/3", "1 1", "1 1/3 1/3", "--1", "1e1", "１/3",
        "99999999999999999999/3", "1.3.3",
    ])
    func `that is not a number of thirds is refused with its text`(text: String) {
        #expect(throws: PlanError.bias(text)) { try PlanRequest.biasThirds(parsing: text) }
    }

    @Test(arguments: [("16/3", 16), ("-16/3", -16), ("6", 18), ("999", 2997)])
    func `that exceeds the limit is refused`(text: String, thirds: Int) {
        #expect(throws: PlanError.biasThirds(thirds)) { try PlanRequest.biasThirds(parsing: text) }
        #expect(throws: PlanError.biasThirds(thirds)) { try PlanRequest(biasThirds: thirds) }
    }
}

@Suite struct `A spacing` {
    @Test(arguments: [("1", Spacing.one), ("1.0", .one), ("1.5", .oneAndAHalf), ("1,5", .oneAndAHalf), ("2", .two)])
    func `is parsed in all common notations`(text: String, spacing: Spacing) throws {
        #expect(try Spacing(parsing: text) == spacing)
    }

    @Test(arguments: ["", "0", "3", "1.50001", "-1", "1e0", "nan", "one"])
    func `other than 1, 1.5 and 2 is refused with its text`(text: String) {
        #expect(throws: PlanError.spacing(text)) { try Spacing(parsing: text) }
    }

    @Test(arguments: [0, 0.5, 3, -1, .nan, .infinity, 1.0000001])
    func `is one of three numbers`(ev: Double) {
        #expect(Spacing(ev: ev) == nil)
    }

    @Test func `converts between number and case`() {
        for spacing in Spacing.allCases { #expect(Spacing(ev: spacing.ev) == spacing) }
    }
}
