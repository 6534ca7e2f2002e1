import Cameras
import Testing

/// A property of a version 2 body that moves by notches between two ends.
private struct Dial {
    let scale: [Int64]
    var index: Int
    /// The direction in which +1 moves the value.
    let plus: Int
    var notches = 0

    mutating func turn(_ notch: Int8) {
        notches += 1
        index = min(max(index + plus * Int(notch), 0), scale.count - 1)
    }
}

struct SonyNotchSequenceTests {
    /// Moves to a target by notches. If the body does not move, the driver must try twice.
    private func walk(_ dial: inout Dial, to target: Int64, notchesMax: Int = 100) -> Bool {
        var walk = SonyNotchSequence(to: target, notchesMax: notchesMax)
        while dial.scale[dial.index] != target {
            let before = dial.index
            guard let notch = walk.notch(from: dial.scale[dial.index]) else { return false }
            dial.turn(notch)
            if dial.index == before {
                guard let back = walk.notchAfterNoChange() else { return false }
                dial.turn(back)
            }
        }
        return true
    }

    @Test func `any 64 bits that a body shows can be computed with`() {
        let numbers: [Int64] = [.min, -1, 0, 1, .max]
        for target in numbers {
            for (first, second) in numbers.flatMap({ first in numbers.map { (first, $0) } }) {
                var walk = SonyNotchSequence(to: target, notchesMax: 10)
                #expect(walk.notch(from: first) != nil)
                _ = walk.notch(from: second)
            }
        }
    }

    private static let scale: [Int64] = [0, 100, 125, 160, 200, 250, 320, 400]

    @Test(arguments: 0..<8, [-1, 1])
    func `a value is reached from everywhere with the fewest notches and those that find the direction`(
        start: Int,
        plus: Int
    ) {
        for goal in Self.scale.indices {
            var dial = Dial(scale: Self.scale, index: start, plus: plus)
            #expect(walk(&dial, to: Self.scale[goal]))
            // A first notch in the wrong direction costs two notches: this one, and one back.
            #expect(dial.notches <= abs(goal - start) + 2)
        }
    }

    @Test func `a value between two notches, and one past the end, are given up`() {
        var dial = Dial(scale: Self.scale, index: 2, plus: 1)
        #expect(!walk(&dial, to: 300))
        #expect(dial.notches <= 6)
        var end = Dial(scale: Self.scale, index: 5, plus: 1)
        #expect(!walk(&end, to: 5000))
        #expect(end.notches <= 5)
    }

    @Test func `a dial without end is not turned forever`() {
        var dial = Dial(scale: Array(0..<1000), index: 0, plus: 1)
        #expect(!walk(&dial, to: 999, notchesMax: 20))
        #expect(dial.notches == 20)
    }
}
