import Exposure
import Testing

/// The plan of every request without options: 55 × 55 speeds, 4 set sizes, 3 spacings.
private let everyPlan: [Plan] = ShutterSpeed.all.flatMap { shadow in
    ShutterSpeed.all.flatMap { highlight in
        PlanRequest.framesPerSetChoices.flatMap { frames in
            Spacing.allCases.compactMap { spacing in
                try? Plan(PlanRequest(shadow: shadow, highlight: highlight, framesPerSet: frames, spacing: spacing))
            }
        }
    }
}

private func forEveryRequest(_ body: (PlanRequest, Plan) -> Void) throws -> Int {
    for plan in everyPlan { body(plan.request, plan) }
    return everyPlan.count
}

/// Records a failure. Unlike `#expect` it costs nothing for an input that passes.
private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { Issue.record(Comment(rawValue: what())) }
}

@Suite struct `Over all 36,300 inputs` {
    @Test func `the first frame is the bright end and the dark end is covered`() throws {
        let count = try forEveryRequest { request, plan in
            check(plan.frames.first?.speed == min(request.shadow, request.highlight), "\(request)")
            let slowest = max(request.shadow, request.highlight)
            check(plan.frames.contains { $0.speed >= slowest }, "\(request)")
        }
        #expect(count == 36_300)
    }

    @Test func `no set repeats a speed, and every set goes from fast to slow`() throws {
        _ = try forEveryRequest { request, plan in
            for set in plan.sets { check(zip(set, set.dropFirst()).allSatisfy(<), "\(request)") }
        }
    }

    @Test func `neighbours share exactly one frame`() throws {
        _ = try forEveryRequest { request, plan in
            for (left, right) in zip(plan.sets, plan.sets.dropFirst()) {
                check(left.last == right.first, "\(request)")
                check(Set(left).intersection(right).count == 1, "\(request)")
            }
        }
    }

    @Test func `a plan has at most nine sets, and only the last one may be short`() throws {
        var most = 0
        _ = try forEveryRequest { request, plan in
            most = max(most, plan.sets.count)
            for set in plan.sets.dropLast() { check(set.count == request.framesPerSet, "\(request)") }
            if let last = plan.sets.last, last.count < request.framesPerSet {
                check(last.count >= 2 && last.last == .slowest, "\(request)")
            }
        }
        #expect(most == 9)
    }

    @Test func `frames are one step apart, except a last one at the slowest speed`() throws {
        _ = try forEveryRequest { request, plan in
            for set in plan.sets {
                for (left, right) in zip(set, set.dropFirst()) {
                    let step = left.thirds(to: right)
                    let isClamped = right == .slowest && step < request.spacing.stepThirds
                    check(step == request.spacing.stepThirds || isClamped, "\(request)")
                }
            }
        }
    }

    @Test func `a range that fits is one set, any other ends strictly past the dark end or on the slowest speed`()
        throws
    {
        _ = try forEveryRequest { request, plan in
            let fits = plan.rangeEV <= Double(request.framesPerSet - 1) * request.spacing.ev
            if plan.rangeThirds == 0 {
                check(plan.sets.isEmpty && plan.totalExposures == 1, "\(request)")
            } else if fits {
                check(plan.sets.count == 1, "\(request)")
            } else {
                let slowest = max(request.shadow, request.highlight)
                let lasts = plan.sets.compactMap(\.last)
                check(lasts.last.map { $0 > slowest || $0 == .slowest } ?? false, "\(request)")
                check(lasts.dropLast().allSatisfy { $0 <= slowest && $0 != .slowest }, "\(request)")
            }
        }
    }

    @Test func `frames fire in the order of the sets, each at its position`() throws {
        _ = try forEveryRequest { request, plan in
            check(
                plan.frames.map(\.speed) == (plan.sets.isEmpty ? [request.shadow] : plan.sets.flatMap(\.self)),
                "\(request)"
            )
            check(zip(plan.frames, plan.frames.dropFirst()).allSatisfy { $0.position < $1.position }, "\(request)")
        }
    }

    @Test func `the order of the two ends changes nothing but a note`() throws {
        _ = try forEveryRequest { request, plan in
            guard request.shadow < request.highlight,
                let turned = try? PlanRequest(
                    shadow: request.highlight,
                    highlight: request.shadow,
                    framesPerSet: request.framesPerSet,
                    spacing: request.spacing
                )
            else { return }
            let other = Plan(turned)
            check(other.sets == plan.sets && other.frames == plan.frames, "\(request)")
            let swapped = PlanNote.swapped(shadow: request.shadow, highlight: request.highlight)
            check(plan.notes == [swapped] + other.notes, "\(request)")
        }
    }
}

@Suite struct `Every bias` {
    @Test func `keeps the sets whole and on the scale`() throws {
        for bias in -PlanRequest.biasThirdsMax...PlanRequest.biasThirdsMax {
            for low in stride(from: 0, to: 55, by: 3) {
                for high in stride(from: low, to: 55, by: 2) {
                    for spacing in Spacing.allCases {
                        try checkBias(bias, low: low, high: high, spacing: spacing)
                    }
                }
            }
        }
    }

    private func checkBias(_ bias: Int, low: Int, high: Int, spacing: Spacing) throws {
        let request = try PlanRequest(
            shadow: #require(ShutterSpeed(index: high)),
            highlight: #require(ShutterSpeed(index: low)),
            spacing: spacing,
            biasThirds: bias
        )
        let plan = Plan(request)
        check(plan.frames.first?.speed.index == min(max(low + bias, 0), 54), "\(request)")
        check(plan.frames.contains { $0.speed.index >= min(high + bias, 54) }, "\(request)")
        check(plan.sets.allSatisfy { zip($0, $0.dropFirst()).allSatisfy(<) }, "\(request)")
        check(zip(plan.sets, plan.sets.dropFirst()).allSatisfy { $0.last == $1.first }, "\(request)")
        let passes = low + bias < 0 || high + bias > 54
        let isSaid = plan.notes.contains { if case .biasClamped = $0 { true } else { false } }
        check(passes == isSaid, "\(request)")
    }
}
