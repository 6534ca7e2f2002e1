import Exposure
import Testing

@Suite struct `A plan as text` {
    @Test func `has a ruler per set with the centre frame marked`() throws {
        let text = PlanText.render(Plan(try PlanRequest(shadow: speed("1/30"), highlight: speed("1/250"))))
        #expect(
            text == """
                1/250 to 1/30: 3 EV, 1 set of 5 frames at 1 EV, 5 exposures

                Set 1  1/250   1/125   [1/60]   1/30    1/15
                         +-------+-------O-------+-------+
                         -2      -1      0       +1      +2 EV

                """
        )
    }

    @Test func `shows shared frames, cost and notes`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/1000"), highlight: speed("1/4"), sharing: .once))
        let text = PlanText.render(plan, estimate: Estimate(plan), notes: [.unchecked])
        #expect(text.contains("\nSet 2  (1/60)"))
        #expect(text.contains("\nA frame in ( ) is shared with the previous set and fired once.\n"))
        #expect(text.contains("\nAbout "))
        #expect(
            text.contains(
                "\nNote: Shadow 1/1000 is faster than highlight 1/4: the two are swapped.\n"
            )
        )
        #expect(text.hasSuffix("could not be checked against them.\n"))
    }

    @Test func `without a range is one line`() throws {
        let plan = Plan(try PlanRequest(shadow: speed("1/125"), highlight: speed("1/125")))
        #expect(PlanText.render(plan).hasPrefix("1/125: no range to cover, 1 exposure at 1/125\n"))
    }

    @Test func `shows the real step of 1,5 EV on the scale`() throws {
        let text = PlanText.render(Plan(try PlanRequest(spacing: .oneAndAHalf)))
        #expect(text.contains("at 1.5 EV (1.7 on the third-stop scale)"))
    }

    @Test func `is split into rows on a terminal that is too narrow for its rulers`() throws {
        let five = Plan(try PlanRequest(shadow: speed("1/30"), highlight: speed("1/250")))
        #expect(
            PlanText.rulers(five.sets, sharing: .twice, columns: 40).joined(separator: "\n") == """

                Set 1
                 1/250   1/125   [1/60]   1/30    1/15
                   +-------+-------O-------+-------+
                   -2      -1      0       +1      +2 EV
                """
        )
        let nine = Plan(try PlanRequest(shadow: speed("1/2"), highlight: speed("1/2000"), framesPerSet: 9))
        let lines = PlanText.rulers(nine.sets, sharing: .twice, columns: 40)
        #expect(lines.dropLast().allSatisfy { $0.count <= 40 })
        // Each of the two sets has an empty line, the title and two rows of three lines. One line is about shared
        // frames.
        #expect(lines.count == 2 * (1 + 1 + 6) + 2)
        #expect(PlanText.rulers(nine.sets, sharing: .twice, columns: 1).count > 50)
    }

    @Test func `is ASCII without colour and at most 80 columns wide for every size`() throws {
        for frames in PlanRequest.framesPerSetChoices {
            for spacing in Spacing.allCases {
                let request = try PlanRequest(
                    shadow: .slowest,
                    highlight: .fastest,
                    framesPerSet: frames,
                    spacing: spacing,
                    biasThirds: -1
                )
                let text = PlanText.render(Plan(request))
                #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
                let longest = text.split(separator: "\n").filter { $0.hasPrefix("Set ") || $0.hasPrefix(" ") }.map(
                    \.count
                ).max()
                #expect((longest ?? 0) <= 80)
            }
        }
    }

    @Test func `marks the row of the request in a comparison`() throws {
        let lines = PlanText.render(Comparison(try PlanRequest(), learned: learned(.seconds(1)))).split(separator: "\n")
        #expect(lines.count == 13)
        #expect(lines.first == "  frames  spacing    sets  exposures  time       covered")
        #expect(
            lines.filter { $0.hasPrefix("*") } == [
                "*      5       1 EV       3         15  23 s       1/1000 to 4\" (12 EV)"
            ]
        )
    }
}
