import Testing

@testable import Exposure

/// The assignment of pictures on a card to firings.
struct CardSortTests {
    /// The time of noon UTC on one day.
    private static let noon = 1_795_348_800.0
    private static let plan = ["1/1000", "1/250", "1/60", "1/60", "1/15", "1/4", "1/4", "1\"", "4\""]

    private func speed(_ text: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: text) }

    private func seconds(_ speed: ShutterSpeed) -> Double {
        Double(speed.exposureTime.components.seconds) + Double(speed.exposureTime.components.attoseconds) / 1e18
    }

    /// A shoot with these speeds. Each frame takes its exposure and 1.5 s.
    private func shots(_ plan: [String] = plan, shoot: Int = 1, from begin: Double = noon) throws -> [CardShot] {
        var time = begin
        return try plan.map { text in
            let speed = try speed(text)
            let shot = CardShot(
                shoot: shoot,
                speed: speed,
                attempted: time,
                captured: time + seconds(speed) + 0.8
            )
            time += seconds(speed) + 1.5
            return shot
        }
    }

    /// The pictures of a camera whose clock is ahead by a number of seconds. Their times are 0.3 s late and without
    /// fractions.
    private func pictures(
        _ shots: [CardShot],
        ahead: Double,
        number: Int = 1,
        atEnd: Bool = false,
        hasFractions: Bool = false
    ) -> [CardPicture] {
        shots.enumerated().map { index, shot in
            let time = shot.attempted + 0.3 + ahead + (atEnd ? seconds(shot.speed) : 0)
            return CardPicture(
                name: "dsc0\(1000 + number + index)",
                speed: shot.speed,
                time: hasFractions ? time : time.rounded(.down)
            )
        }
    }

    private func sorted(_ result: CardSort.Result) throws -> CardSort {
        guard case .sorted(let sorted) = result else {
            Issue.record("\(result)")
            throw CancellationError()
        }
        return sorted
    }

    // MARK: The clock

    @Test(arguments: [0.0, 3780, -3780, 25_200, -15_768_000, 0.4], [false, true])
    func `the offset of the camera's clock is derived from the shoot`(ahead: Double, atEnd: Bool) throws {
        let shots = try shots()
        let result = CardSort.sort(shots, target: 1, pictures: pictures(shots, ahead: ahead, atEnd: atEnd))
        let sorted = try sorted(result)
        #expect(sorted.matches.map(\.picture) == Array(shots.indices))
        #expect(abs(sorted.clock.offset - ahead) < 1.5)
        #expect(sorted.clock.stampsEnd == atEnd)
        #expect(sorted.strays.isEmpty)
    }

    @Test func `the time of a long exposure is within the exposure`() throws {
        let shots = try shots(["8\"", "15\"", "30\""])
        for part in [0, 0.5, 1] {
            var pictures = pictures(shots, ahead: 60)
            for index in shots.indices { pictures[index].time += part * seconds(shots[index].speed) }
            let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
            #expect(sorted.matches.map(\.picture) == [0, 1, 2])
        }
    }

    @Test func `pictures in any order are sorted by time, then by name`() throws {
        let shots = try shots()
        let pictures = Array(pictures(shots, ahead: 3780).reversed())
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches.map(\.picture) == Array(shots.indices.reversed()))
    }

    // MARK: Missing and additional pictures

    @Test(arguments: plan.indices)
    func `a missing picture does not change the other frames`(missing: Int) throws {
        let shots = try shots()
        var pictures = pictures(shots, ahead: 3780, hasFractions: true)
        pictures.remove(at: missing)
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        var expected: [Int?] = Array(pictures.indices)
        expected.insert(nil, at: missing)
        #expect(sorted.matches.map(\.picture) == expected)
        #expect(sorted.matches.allSatisfy { !$0.isAmbiguous })
    }

    @Test func `one picture between two frames of its speed is unsure`() throws {
        let shots = try shots()
        var pictures = pictures(shots, ahead: 3780, hasFractions: true)
        // The missing picture is between the last frame of set 1 and the first frame of set 2, as its time shows.
        pictures.remove(at: 3)
        pictures[2].time = (shots[2].attempted + shots[3].attempted) / 2 + 3780.3
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect([sorted.matches[2], sorted.matches[3]].compactMap(\.picture) == [2])
        #expect(sorted.matches[2].isAmbiguous || sorted.matches[3].isAmbiguous)
    }

    @Test func `a manual picture is not assigned, and is reported`() throws {
        let shots = try shots()
        var pictures = pictures(shots, ahead: 3780)
        pictures.append(CardPicture(name: "dsc09999", speed: try speed("1/500"), time: Self.noon + 3785))
        pictures.append(CardPicture(name: "dsc09998", speed: nil, time: Self.noon + 3786))
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches.map(\.picture) == Array(shots.indices))
        #expect(sorted.strays == [.init(picture: 9, near: nil), .init(picture: 10, near: nil)])
    }

    @Test func `a picture without recorded firing names the nearest frame of its speed`() throws {
        var shots = try shots()
        // The daemon was killed during the exposure of 1". After its restart it fired the frame again.
        let first = shots[7].attempted + 3780
        for index in 7...8 {
            shots[index].attempted += 20
            shots[index].captured? += 20
        }
        var pictures = pictures(shots, ahead: 3780)
        pictures.append(CardPicture(name: "dsc00000", speed: try speed("1\""), time: first))
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches.map(\.picture) == Array(shots.indices))
        #expect(sorted.strays == [.init(picture: 9, near: 7)])
    }

    @Test func `pictures of the days before and after are not part of the shoot`() throws {
        let shots = try shots()
        var pictures = pictures(shots, ahead: 3780)
        for day in 1...30 {
            let time = Self.noon + Double(day - 15) * 86_400 + 5000
            pictures.append(CardPicture(name: "other", speed: try speed("1/\(day % 2 == 0 ? 250 : 60)"), time: time))
        }
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches.map(\.picture) == Array(shots.indices))
        #expect(sorted.strays.isEmpty)
    }

    // MARK: Frames fired twice, suspect frames

    @Test func `both pictures of a frame that was fired twice belong to it, and the last one counts`() throws {
        // The first frame of 1/250 was suspect, so it was fired again at the end.
        var shots = try shots()
        shots[1].attempted = try #require(shots.last?.captured) + 1
        shots[1].captured = shots[1].attempted + 1
        shots[1].isRepeated = true
        var pictures = pictures(shots, ahead: -3600)
        pictures.append(CardPicture(name: "first", speed: shots[1].speed, time: Self.noon - 3600 + 2))
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches[1] == .init(picture: 1, earlier: [9]))
        #expect(sorted.strays.isEmpty)
    }

    @Test func `a suspect frame's picture with another speed is found by its time`() throws {
        var shots = try shots()
        shots[4].isSuspect = true
        var pictures = pictures(shots, ahead: 3780)
        pictures[4].speed = try speed("1/8")
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(sorted.matches[4] == .init(picture: 4, hasOtherSpeed: true))
        // A frame that is not suspect gets no picture with another speed.
        shots[4].isSuspect = false
        let other = try self.sorted(CardSort.sort(shots, target: 1, pictures: pictures))
        #expect(other.matches[4].picture == nil)
        #expect(other.strays == [.init(picture: 4, near: nil)])
    }

    // MARK: Several shoots

    @Test func `consecutive equal shoots are distinguished if all of them are known`() throws {
        let begins = [Self.noon, Self.noon + 300, Self.noon + 720]
        let all = try begins.enumerated().flatMap { try shots(shoot: $0.offset + 1, from: $0.element) }
        var cards = pictures(all, ahead: -7200)
        // A picture of the second shoot was lost.
        cards.remove(at: 10)
        for target in 1...3 {
            let sorted = try sorted(CardSort.sort(all, target: target, pictures: cards))
            let own = all.indices.filter { all[$0].shoot == target }.map { sorted.matches[$0].picture }
            let expected: [[Int?]] = [Array(0..<9), [9, nil] + Array(10..<17), Array(17..<26)]
            #expect(own == expected[target - 1])
        }
    }

    @Test func `if only one of two equal shoots is known, the result is ambiguous and an offset decides`() throws {
        let first = try shots()
        let second = try shots(shoot: 2, from: Self.noon + 300)
        let cards = pictures(first + second, ahead: 3780)
        guard case .ambiguous(let clocks) = CardSort.sort(second, target: 2, pictures: cards) else {
            Issue.record("it was guessed")
            return
        }
        #expect(clocks.contains { abs($0.offset - 3780) < 1.5 } && clocks.contains { abs($0.offset - 3480) < 1.5 })
        let sorted = try sorted(CardSort.sort(second, target: 2, pictures: cards, offset: 3760))
        #expect(sorted.matches.map(\.picture) == Array(9..<18))
    }

    @Test func `the names of the daemon's files decide between equal shoots`() throws {
        var shots = try shots()
        let cards = pictures(shots + (try self.shots(from: Self.noon + 300)), ahead: 3780)
        for index in shots.indices { shots[index].names = [cards[index + 9].name] }
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: cards))
        #expect(sorted.matches.map(\.picture) == Array(9..<18))
    }

    @Test func `a computer whose clock was set between two shoots has an offset for each`() throws {
        let first = try shots()
        let second = try shots(["1/500", "1/125", "1/30"], shoot: 2, from: Self.noon + 600)
        var cards = pictures(first, ahead: 3780) + pictures(second, ahead: 9000, number: 20)
        cards.append(CardPicture(name: "hand", speed: try speed("1/4000"), time: Self.noon + 9601))
        let sorted = try sorted(CardSort.sort(first + second, target: 2, pictures: cards))
        #expect(sorted.matches.suffix(3).map(\.picture) == [9, 10, 11])
        #expect(abs(sorted.clock.offset - 9000) < 1.5)
        #expect(sorted.strays == [.init(picture: 12, near: nil)])
    }

    @Test func `a shoot whose pictures are not on the card gets no pictures of another shoot`() throws {
        let first = try shots()
        let second = try shots(["1/250", "1/60", "1/15"], shoot: 2, from: Self.noon + 600)
        let cards = pictures(first, ahead: 60)
        let sorted = try sorted(CardSort.sort(first + second, target: 2, pictures: cards))
        #expect(sorted.matches.suffix(3).allSatisfy { $0.picture == nil })
        // If two shoots are equal, their pictures cannot be assigned.
        let equal = try shots(shoot: 2, from: Self.noon + 600)
        guard case .ambiguous = CardSort.sort(first + equal, target: 2, pictures: cards) else {
            Issue.record("it was guessed")
            return
        }
    }

    // MARK: Chance

    @Test func `pictures without a shoot match no shoot`() throws {
        let shots = try shots()
        #expect(CardSort.sort(shots, target: 1, pictures: []) == .noFit(matched: 0))
        let one = [CardPicture(name: "a", speed: try speed("1/60"), time: Self.noon)]
        guard case .noFit(let matched) = CardSort.sort(shots, target: 1, pictures: one) else {
            Issue.record("one picture is chance")
            return
        }
        #expect(matched == 1)
        #expect(CardSort.sort([], target: 1, pictures: one) == .noFit(matched: 0))
    }

    @Test func `an offset from the user applies to a single picture too`() throws {
        let shots = try shots()
        let one = [CardPicture(name: "a", speed: try speed("1\""), time: shots[7].attempted + 3780)]
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: one, offset: 3780))
        #expect(sorted.matches.map(\.picture) == [nil, nil, nil, nil, nil, nil, nil, 0, nil])
    }

    @Test func `ten thousand pictures are sorted too`() throws {
        let shots = try shots()
        var cards = pictures(shots, ahead: 3780)
        for index in 0..<10_000 {
            let time = Self.noon + 100_000 + Double(index) * 7
            cards.append(CardPicture(name: "dsc\(index)", speed: ShutterSpeed(index: index % 55), time: time))
        }
        let sorted = try sorted(CardSort.sort(shots, target: 1, pictures: cards))
        #expect(sorted.matches.map(\.picture) == Array(shots.indices))
    }
}
