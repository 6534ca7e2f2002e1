import Cameras
import Statecharts

/// What the search chart asks for.
package enum SearchEffect: Equatable, Sendable {
    /// Hear of cameras on every interface of the search.
    case listen
    case stopListening
    /// Ask everybody.
    case ask
    /// Call every address of the joined networks.
    case beginWave
    /// Call the cameras that are known.
    case callKnown
    /// Nobody else is wanted.
    case callOff
}

/// The data behind `search.scxml`.
package struct SearchModel: Equatable, Sendable {
    private var askCount = 0
    private var waveCount = 0

    /// A camera whose WiFi is just starting misses the first question, and one that is slow the second (Alpha Fairy
    /// asks every 250 ms, sonycam every 5 s).
    package static let askDelays: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5), .seconds(10),
    ]
    package static let wavesMax = 3

    package init() {}
}

// Only what the chart names stands here; a test compares the two.
extension SearchModel: SearchBehavior {
    package typealias Effect = SearchEffect

    package func wasLastWave() -> Bool { waveCount >= Self.wavesMax }

    package func askDelay() -> Duration { Self.askDelays[min(askCount, Self.askDelays.count) - 1] }

    package mutating func startAfresh(_ effects: inout [SearchEffect]) {
        askCount = 0
        waveCount = 0
        effects.append(.callKnown)
    }

    package mutating func listen(_ effects: inout [SearchEffect]) { effects.append(.listen) }

    package mutating func stopListening(_ effects: inout [SearchEffect]) { effects.append(.stopListening) }

    package mutating func ask(_ effects: inout [SearchEffect]) {
        askCount = min(askCount + 1, Self.askDelays.count)
        effects.append(.ask)
    }

    package mutating func beginWave(_ effects: inout [SearchEffect]) {
        waveCount += 1
        effects.append(.beginWave)
    }

    package mutating func askOften(_ effects: inout [SearchEffect]) { askCount = 0 }

    package mutating func extendWave(_ effects: inout [SearchEffect]) { effects.append(.beginWave) }

    package mutating func countAnew(_ effects: inout [SearchEffect]) { waveCount = 0 }

    package mutating func callOff(_ effects: inout [SearchEffect]) { effects.append(.callOff) }
}
