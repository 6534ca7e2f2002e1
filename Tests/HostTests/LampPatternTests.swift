import Controller
import Foundation
import Testing

@testable import Host

/// Tests patterns with a virtual clock.
@Suite struct LampPatternTests {
    /// The times of level changes in milliseconds, as a timer would cause them.
    private static func changes(_ pattern: LampPattern, until end: Int64) -> [String] {
        var list: [String] = []
        var next: Duration? = .zero
        while let time = next, time.milliseconds < end {
            let (isOn, later) = pattern.moment(time)
            list.append("\(time.milliseconds) \(isOn ? "on" : "off")")
            if let later, later <= time {
                Issue.record("after \(time) comes \(later)")
                break
            }
            next = later
        }
        return list
    }

    @Test(arguments: [
        (LampPattern.on, ["0 on"]), (.off, ["0 off"]),
        (.repeating(100, 200), ["0 on", "100 off", "300 on", "400 off", "600 on", "700 off", "900 on"]),
        (.once(600), ["0 on", "600 off"]),
        (.once(100, 50, 200), ["0 on", "100 off", "150 on", "350 off"]),
    ])
    func `a pattern goes on and off at its times, and causes no wake-ups after its end`(
        pattern: LampPattern,
        list: [String]
    ) {
        #expect(Self.changes(pattern, until: 1000) == list)
    }

    @Test func `a late reading gives the level of its own time`() {
        let pattern = LampPattern.repeating(100, 200)
        #expect(pattern.moment(.milliseconds(3_000_150)) == (false, .milliseconds(3_000_300)))
        #expect(pattern.moment(.milliseconds(399)) == (true, .milliseconds(400)))
        #expect(pattern.moment(.nanoseconds(99_999_999)) == (true, .milliseconds(100)))
        #expect(pattern.moment(.milliseconds(-5)) == (true, .milliseconds(100)))
        #expect(LampPattern.once(100).moment(.seconds(9)) == (false, nil))
    }

    @Test func `a pattern that may last for hours wakes the loop twice a second at most`() {
        for sign in LampSignal.allCases where sign != .betweenFrames {
            let count = Self.changes(.lamp(sign, showsExposing: false), until: 60_000).count
            #expect(count <= 120, "\(sign): \(count) in a minute")
        }
        for sign in [LampSignal.dark, .ready, .exposing] {
            #expect(LampPattern.lamp(sign, showsExposing: false).moment(.zero).next == nil, "\(sign)")
        }
    }

    @Test func `each sign has a different pattern`() {
        let shown = LampSignal.allCases.filter { $0 != .dark }
        #expect(Set(shown.map { LampPattern.lamp($0, showsExposing: true) }).count == shown.count)
        #expect(LampPattern.lamp(.exposing, showsExposing: false) == .off)
        for sign in LampSignal.allCases {
            #expect(LampPattern.buzzer(sign).moment(.seconds(60)) == (false, nil), "\(sign) sounds for ever")
        }
    }

    /// The rows of the table in the documentation: signal, lamp, buzzer.
    private static func documented() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "docs/gpio.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 4 }.map { [$0[0], $0[2], $0[3]] }
    }

    @Test func `docs/gpio.md has the patterns of lamp and buzzer`() throws {
        let expected = LampSignal.allCases.map { sign in
            let usual = LampPattern.lamp(sign, showsExposing: false)
            let open = LampPattern.lamp(sign, showsExposing: true)
            let lamp = usual == open ? "\(usual)" : "\(usual); with `exposing = true`: \(open)"
            return ["`\(sign.rawValue)`", lamp, LampPattern.buzzer(sign).description]
        }
        #expect(try Self.documented() == expected)
    }
}
