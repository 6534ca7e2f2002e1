import Foundation
import TrafficLight

// trafficlight [--minutes N] [--seed N]: prints N minutes of a crossing. Presses are random, and the clock is virtual.

func refuse() -> Never {
    FileHandle.standardError.write(Data("usage: trafficlight [--minutes 1...1440] [--seed N]\n".utf8))
    exit(64)
}

var minutes = 3
var seed: UInt64 = 1
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
    guard let text = arguments.popFirst() else { refuse() }
    switch option {
    case "--minutes":
        guard let value = Int(text), (1...1_440).contains(value) else { refuse() }
        minutes = value
    case "--seed":
        guard let value = UInt64(text) else { refuse() }
        seed = value
    default: refuse()
    }
}

func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

func line(_ time: Duration, _ words: String) {
    let (seconds, attoseconds) = time.components
    let tenths = attoseconds / 100_000_000_000_000_000
    print("\(padded(seconds / 3_600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60)).\(tenths)  \(words)")
}

let end = Duration.seconds(minutes * 60)
var street = VirtualStreet()
for entry in Script(seed: seed, until: end).entries { street.tell(entry.input, at: entry.time) }
street.run(until: end)

for moment in street.moments {
    switch moment.effect {
    case .click(let side): line(moment.time, "press        \(side.rawValue)")
    case .cars(let signal): line(moment.time, "cars         \(signal.rawValue)")
    case .pedestrians(let signal): line(moment.time, "pedestrians  \(signal.rawValue)")
    }
}
