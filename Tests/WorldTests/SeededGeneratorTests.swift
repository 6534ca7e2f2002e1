import Bodies
import Testing

/// Tests the random numbers that follow from a seed.
@Suite struct SeededGeneratorTests {
    @Test func `the same seed draws the same numbers, another seed others`() {
        func draw(_ seed: UInt64) -> [UInt64] {
            var random = SeededGenerator(seed: seed)
            return (0..<8).map { _ in random.next() }
        }
        #expect(draw(7) == draw(7))
        #expect(Set((0..<100 as Range<UInt64>).flatMap(draw)).count == 800)
    }

    @Test func `its numbers are those of SplitMix64`() {
        // The state that follows from seed 1, and the numbers of the algorithm's reference program from this state.
        var random = SeededGenerator(seed: 1)
        var state: UInt64 = {
            var value: UInt64 = 1 &+ 0x9E37_79B9_7F4A_7C15
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }()
        for _ in 0..<4 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            let drawn = random.next()
            #expect(drawn == value ^ value >> 31)
        }
    }

    @Test func `every number below a bound is drawn, about as often as the others`() {
        var random = SeededGenerator(seed: 5)
        var counts = [Int](repeating: 0, count: 6)
        for _ in 0..<6000 { counts[random.next(below: 6)] += 1 }
        #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
        let zero = random.next(below: 1)
        #expect(zero == 0)
    }

    @Test func `an event with probability zero draws nothing`() {
        var random = SeededGenerator(seed: 5)
        let before = random
        let happens = random.chance(oneIn: 0)
        let time = random.duration(in: .seconds(2) ... .seconds(2))
        #expect(!happens && time == .seconds(2))
        #expect(random == before)
        let happensAlways = random.chance(oneIn: 1)
        #expect(happensAlways)
    }

    @Test func `times are in their range, to the microsecond`() {
        var random = SeededGenerator(seed: 9)
        let range = Duration.microseconds(3) ... .microseconds(5)
        let drawn = Set((0..<100).map { _ in random.duration(in: range) })
        #expect(drawn == [.microseconds(3), .microseconds(4), .microseconds(5)])
    }

    @Test func `the draws of one half do not change the other`() {
        var one = SeededGenerator(seed: 3)
        var two = SeededGenerator(seed: 3)
        var child = one.split()
        let twin = two.split()
        for _ in 0..<5 { _ = child.next() }
        let (next, same) = (one.next(), two.next())
        #expect(next == same)
        #expect(child != twin)
    }
}
