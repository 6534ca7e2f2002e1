import Exposure
import Foundation
import Testing

@Suite struct `The scale` {
    @Test func `has 55 speeds from 1 over 8000 to 30 seconds, fastest first`() {
        #expect(ShutterSpeed.all.count == 55)
        #expect(ShutterSpeed.all.first?.label == "1/8000")
        #expect(ShutterSpeed.all.last?.label == "30\"")
        #expect(ShutterSpeed.all == ShutterSpeed.all.sorted())
        #expect(ShutterSpeed.all.map(\.index) == Array(0..<55))
    }

    @Test func `is labelled as cameras show it`() {
        let table = """
            1/8000 1/6400 1/5000 1/4000 1/3200 1/2500 1/2000 1/1600 1/1250 1/1000 1/800 1/640 1/500 1/400 1/320 \
            1/250 1/200 1/160 1/125 1/100 1/80 1/60 1/50 1/40 1/30 1/25 1/20 1/15 1/13 1/10 1/8 1/6 1/5 1/4 0.3" \
            0.4" 1/2 0.6" 0.8" 1" \
            1.3" 1.6" 2" 2.5" 3.2" 4" 5" 6" 8" 10" 13" 15" 20" 25" 30"
            """
        #expect(ShutterSpeed.all.map(\.label).joined(separator: " ") == table)
    }

    @Test(arguments: [-1, 55, Int.min, Int.max])
    func `has no other index`(index: Int) {
        #expect(ShutterSpeed(index: index) == nil)
    }

    @Test func `doubles the true time with every whole stop`() {
        for (fast, slow) in zip(ShutterSpeed.all, ShutterSpeed.all.dropFirst(3)) {
            let error = slow.exposureTime - fast.exposureTime * 2
            #expect(abs(error.components.attoseconds) <= 2 && error.components.seconds == 0)
        }
    }

    @Test func `has true times that are powers of two where the stop is whole`() throws {
        #expect(try speed("30\"").exposureTime == .seconds(32))
        #expect(try speed("1\"").exposureTime == .seconds(1))
        #expect(try speed("1/4").exposureTime == .milliseconds(250))
        #expect(try speed("1/60").exposureTime == .nanoseconds(15_625_000))
        #expect(try speed("1/8000").exposureTime * 8192 == .seconds(1))
    }

    @Test func `has true times within a sixth of a stop of its labels`() throws {
        for speed in ShutterSpeed.all {
            let parts = speed.label.replacing("\"", with: "").split(separator: "/").compactMap { Double($0) }
            let nominal = parts.count == 2 ? parts[0] / parts[1] : try #require(parts.first)
            let stops = log2(speed.exposureTime / .seconds(1) / nominal)
            #expect(abs(stops) < 1.0 / 6, "\(speed)")
        }
    }
}

@Suite struct `The nearest speed in light` {
    @Test(
        arguments: [
            (1, 3, "0.3\""), (5, 10, "1/2"), (1, 60, "1/60"), (1, 64, "1/60"), (3, 10, "0.3\""), (10, 16, "0.6\""),
            (10, 13, "0.8\""), (1, 1, "1\""), (30, 1, "30\""), (32, 1, "30\""), (300, 10, "30\""), (1, 8000, "1/8000"),
            (125, 1_000_000, "1/8000"), (15, 10, "1.6\""), (13, 10, "1.3\""), (4_294_967_295, 4_294_967_295, "1\""),
            (33, 1, "30\""), (35, 1, "30\""), (1, 9000, "1/8000"),
        ] as [(UInt32, UInt32, String)]
    )
    func `is right for the fractions that cameras report`(numerator: UInt32, denominator: UInt32, label: String) {
        #expect(ShutterSpeed(nearestToNumerator: numerator, denominator: denominator)?.label == label)
    }

    @Test(
        arguments: [
            (0, 1), (1, 0), (0, 0), (36, 1), (60, 1), (1, 9200), (1, 16000), (4_294_967_295, 1), (1, 4_294_967_295),
            // Sony reports bulb as 0/0; some bodies report 65535/65535 thirds or the largest number.
            (4_294_967_295, 65_535),
        ] as [(UInt32, UInt32)]
    )
    func `is nil past the ends and for invalid times`(numerator: UInt32, denominator: UInt32) {
        #expect(ShutterSpeed(nearestToNumerator: numerator, denominator: denominator) == nil)
    }

    @Test func `agrees with logarithms over many fractions`() {
        for numerator in stride(from: UInt32(1), through: 400, by: 7) {
            for denominator in stride(from: UInt32(1), through: 9000, by: 31) {
                let place = 39 + 3 * log2(Double(numerator) / Double(denominator))
                let expected = ShutterSpeed(index: Int(place.rounded()))
                if ShutterSpeed(nearestToNumerator: numerator, denominator: denominator) != expected {
                    Issue.record("\(numerator)/\(denominator)")
                }
            }
        }
    }

    @Test func `is right beyond the precision of floating point`() {
        // The fractions converge to the square root of two, which is the border between 1.3" and 1.6".
        var (top, bottom) = (UInt64(1), UInt64(1))
        while top + 2 * bottom <= UInt64(UInt32.max) {
            (top, bottom) = (top + 2 * bottom, top + bottom)
            let isAbove = top * top > 2 * bottom * bottom
            let speed = ShutterSpeed(nearestToNumerator: UInt32(top), denominator: UInt32(bottom))
            #expect(speed?.label == (isAbove ? "1.6\"" : "1.3\""), "\(top)/\(bottom)")
        }
        #expect(top > 1_000_000_000)
    }

    @Test func `of every label is the speed itself`() {
        for speed in ShutterSpeed.all {
            let parts = speed.label.replacing("\"", with: "").split(separator: "/").compactMap { Double($0) }
            let numerator = UInt32((parts[0] * 10).rounded())
            let denominator = UInt32(parts.count == 2 ? parts[1] * 10 : 10)
            #expect(ShutterSpeed(nearestToNumerator: numerator, denominator: denominator) == speed)
        }
    }
}

@Suite struct `Parsing a speed` {
    @Test func `parses every label`() throws {
        for speed in ShutterSpeed.all {
            #expect(try ShutterSpeed(parsing: speed.label) == speed)
            #expect(try ShutterSpeed(parsing: speed.label.replacing("\"", with: "″")) == speed)
            #expect(try ShutterSpeed(parsing: speed.label.replacing("\"", with: "")) == speed)
        }
    }

    @Test(arguments: [
        ("1/4", "1/4"), ("0.3", "0.3\""), ("0.3\"", "0.3\""), ("2\"", "2\""), ("2s", "2\""), ("30″", "30\""),
        (" 2 s ", "2\""),
        ("2 sec", "2\""), ("2 Seconds", "2\""), ("1 second", "1\""), ("1/250s", "1/250"), ("1/250 s", "1/250"),
        ("1 / 250", "1/250"), ("0,3", "0.3\""), (".3", "0.3\""), ("1.", "1\""), ("0.30", "0.3\""), ("2''", "2\""),
        ("2”", "2\""), ("0.5", "1/2"), ("1/2\"", "1/2"), ("0.25", "1/4"), ("1/3", "0.3\""), ("1/1.3", "0.8\""),
        ("1/1.6", "0.6\""), ("1/2.5", "0.4\""), ("10/25", "0.4\""), ("1.3", "1.3\""), ("015", "15\""), ("0.125", "1/8"),
    ])
    func `accepts common notations`(text: String, label: String) throws {
        #expect(try ShutterSpeed(parsing: text).label == label)
    }

    @Test(
        arguments: [
            ("", .empty), ("  ", .empty), ("abc", .notATime), ("1/", .notATime), ("/4", .notATime), ("1//4", .notATime),
            ("1/4/2", .notATime), ("s", .notATime), ("\"", .notATime), ("-", .notATime), ("1/-4", .notATime),
            (".", .notATime),
            ("1.2.3", .notATime), ("1e3", .notATime), ("nan", .notATime), ("0x10", .notATime), ("1 4", .notATime),
            ("２s", .notATime), ("1'", .notATime), ("99999999999999999999", .notATime), ("1/9999999", .notATime),
            ("+2", .notATime),
            ("0", .zero), ("0.0", .zero), ("1/0", .zero), ("0/0", .zero), ("-0", .zero), ("-1/4", .negative),
            ("−2s", .negative),
            ("bulb", .bulb), ("B", .bulb), ("Time", .bulb),
        ] as [(String, SpeedError.Reason)]
    )
    func `refuses invalid times`(text: String, reason: SpeedError.Reason) {
        #expect(throws: SpeedError.self) { try ShutterSpeed(parsing: text) }
        do throws(SpeedError) {
            _ = try ShutterSpeed(parsing: text)
        } catch {
            #expect(error.reason == reason)
            #expect(error.text == text)
            #expect(error.nearest.isEmpty)
        }
    }

    @Test(arguments: [
        ("1/45", "'1/45' is not on the third-stop scale. The nearest are 1/50 and 1/40."),
        ("0.7", "'0.7' is not on the third-stop scale. The nearest are 0.6\" and 0.8\"."),
        ("1/64", "'1/64' is not on the third-stop scale. The nearest are 1/80 and 1/60."),
        ("1/9000", "'1/9000' is faster than the fastest shutter speed. The nearest is 1/8000."),
        ("31", "'31' is slower than the slowest shutter speed, 30\"."),
        ("60", "'60' is slower than the slowest shutter speed, 30\". For a fraction of a second write 1/60."),
        ("", "The shutter speed is empty. Write it as 1/250, 0.3 or 2\"."),
        ("fast", "'fast' is not a shutter speed. Write it as 1/250, 0.3 or 2\"."),
        ("1/0", "A shutter speed of '1/0' is zero. Write it as 1/250, 0.3 or 2\"."),
        ("-2", "A shutter speed of '-2' is negative. Write it as 1/250, 0.3 or 2\"."),
        ("bulb", "'bulb' has no fixed time, which a bracket needs. Write it as 1/250, 0.3 or 2\"."),
    ])
    func `refuses with a sentence and the nearest speeds`(text: String, sentence: String) {
        do throws(SpeedError) {
            Issue.record("accepted as \(try ShutterSpeed(parsing: text))")
        } catch {
            #expect(error.sentence == sentence)
        }
    }

    @Test func `never shows control characters or endless text`() {
        do throws(SpeedError) {
            _ = try ShutterSpeed(parsing: "\u{1B}[2J\u{202E}" + String(repeating: "9", count: 100_000))
            Issue.record("accepted")
        } catch {
            #expect(error.sentence.hasPrefix("'?[2J?999"))
            #expect(error.sentence.count < 120)
        }
    }

    @Test func `survives every text of three characters`() {
        let characters = ["", "0", "1", "9", "/", ".", ",", "\"", "s", " ", "-", "é", "\n"]
        for first in characters {
            for second in characters {
                for third in characters {
                    for fourth in characters {
                        _ = try? ShutterSpeed(parsing: first + second + third + fourth)
                    }
                }
            }
        }
    }
}
