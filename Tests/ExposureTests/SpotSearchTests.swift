import Exposure
import Testing

/// The speed at an index of the scale.
private func speed(_ index: Int) throws -> ShutterSpeed { try #require(ShutterSpeed(index: index)) }

@Suite struct SpotSearchTests {
    /// Meters one spot that is mid-grey at an index, with the table's own curve.
    private func meter(
        greyAt index: Double,
        from start: Int,
        limits: ClosedRange<Int> = 0...54
    ) throws -> (answer: MeteredSpeed, search: SpotSearch) {
        let available = ShutterSpeed.all.filter { limits ~= $0.index }
        var search = SpotSearch(spotCount: 1, available: available)
        var next: ShutterSpeed? = try speed(start)
        while let fired = next {
            let code = ToneTable.camera.code(at: (Double(fired.index) - index) / 3)
            search.read([Int(code.rounded())], at: fired)
            next = search.next
        }
        let answer = MeteredSpeed(search.spots[0], placing: nil, as: .grey, available: available, tones: search.tones)
        return (try #require(answer), search)
    }

    @Test func `a spot is metered from every first speed with few frames`() throws {
        for start in 0...54 {
            for grey in 0...54 {
                let (answer, search) = try meter(greyAt: Double(grey), from: start)
                #expect(abs(answer.speed.index - grey) <= 1, "from \(start) to \(grey)")
                #expect(search.frames.count <= SpotSearch.framesMax)
                #expect(answer.next == nil)
            }
        }
    }

    @Test func `a spot beyond the camera's speeds is answered with the end and marked`() throws {
        let bright = try meter(greyAt: -9, from: 20)
        #expect(bright.answer.speed == .fastest)
        #expect(bright.answer.certainty == .outside)
        let dark = try meter(greyAt: 66, from: 20)
        #expect(dark.answer.speed == .slowest)
        #expect(dark.answer.certainty == .outside)
        let limited = try meter(greyAt: 10, from: 30, limits: 20...40)
        #expect(limited.answer.speed == (try speed(20)))
        #expect(limited.answer.certainty == .outside)
    }

    @Test func `a clipped frame says nothing but the next frame to fire`() throws {
        let spot = SpotReadings([.init(speed: try speed(30), code: 255)])
        let answer = try #require(MeteredSpeed(spot, placing: .highlight, as: .grey, available: ShutterSpeed.all))
        #expect(answer.certainty == .outside)
        #expect(answer.next == (try speed(18)))
        let dark = SpotReadings([.init(speed: try speed(30), code: 3)])
        let darkAnswer = try #require(MeteredSpeed(dark, placing: .shadow, as: .grey, available: ShutterSpeed.all))
        #expect(darkAnswer.next == (try speed(42)))
        // The next frame is also the best guess.
        #expect(darkAnswer.speed == (try speed(42)))
        let detail = MeteredSpeed(dark, placing: .shadow, as: .detail, available: ShutterSpeed.all)
        #expect(detail?.speed == (try speed(37)))
    }

    @Test func `one frame far from mid-grey is an estimate with its error and a next frame`() throws {
        let spot = SpotReadings([.init(speed: try speed(30), code: 53)])
        let answer = try #require(MeteredSpeed(spot, placing: .shadow, as: .grey, available: ShutterSpeed.all))
        guard case .estimated(let error) = answer.certainty else {
            Issue.record("\(answer)")
            return
        }
        #expect(error > 1.0 / 3 && error < 1.5)
        #expect(answer.next == answer.speed)
    }

    @Test func `detail places highlights two stops above mid-grey and shadows below it`() throws {
        let spot = SpotReadings([.init(speed: try speed(30), code: 118)])
        func answer(_ end: SceneEnd) -> Int? {
            MeteredSpeed(spot, placing: end, as: .detail, available: ShutterSpeed.all)?.speed.index
        }
        #expect(answer(.highlight) == 36)
        #expect(answer(.shadow) == 25)
    }

    @Test func `two spots share the frames`() throws {
        var search = SpotSearch(spotCount: 2, available: ShutterSpeed.all)
        var next: ShutterSpeed? = try speed(30)
        while let fired = next {
            search.read(
                [24, 38].map { grey in
                    Int(ToneTable.camera.code(at: Double(fired.index - grey) / 3).rounded())
                },
                at: fired
            )
            next = search.next
        }
        #expect(search.frames.count == 3)
    }

    @Test func `a flickering spot ends the search`() throws {
        var search = SpotSearch(spotCount: 1, available: ShutterSpeed.all)
        var next: ShutterSpeed? = try speed(30)
        var isBright = false
        while let fired = next {
            search.read([isBright ? 190 : 60], at: fired)
            isBright.toggle()
            next = search.next
        }
        #expect(search.frames.count <= SpotSearch.framesMax)
    }

    @Test func `a search without a reading has no answer`() {
        #expect(MeteredSpeed(SpotReadings(), placing: nil, as: .grey, available: ShutterSpeed.all) == nil)
        let search = SpotSearch(spotCount: 1, available: ShutterSpeed.all)
        #expect(search.next == nil)
    }

    @Test func `a plan for two metered speeds keeps their detail, in any order`() throws {
        let range = MeteredRange(shadow: try speed(49), highlight: try speed(14))
        #expect((range.highlight, range.shadow) == (try speed(20), try speed(44)))
        let swapped = MeteredRange(shadow: try speed(14), highlight: try speed(49))
        #expect(swapped == range)
        // One frame shows both ends.
        let narrow = MeteredRange(shadow: try speed(34), highlight: try speed(30))
        #expect(narrow.shadow == narrow.highlight)
        #expect(narrow.shadow == (try speed(32)))
        let wide = MeteredRange(shadow: .slowest, highlight: .fastest)
        #expect((wide.highlight, wide.shadow) == (try speed(6), try speed(49)))
    }
}
