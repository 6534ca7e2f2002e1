import Cameras
import Statecharts

package enum SearchEffect: Equatable, Sendable {
    /// Receive announcements on every interface of the search.
    case listen
    case stopListening
    /// Send a search message to all devices.
    case ask
    /// Probe every address of the joined networks.
    case beginWave
    /// Probe the addresses of the known cameras.
    case probeKnown
    /// End the probes, because no other camera is wanted.
    case cancelProbes
}

/// The data behind `search.scxml`.
package struct SearchModel: Equatable, Sendable {
    private var askCount = 0
    private var waveCount = 0
    /// The number of scans without a result since the network changed or a user wanted a camera.
    private var scanCount = 0

    /// The waits between two search messages. A camera whose WiFi is just starting misses the first message. A slow
    /// camera also misses the second. Alpha Fairy sends a message every 250 ms, sonycam every 5 s.
    package static let queryDelays: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5), .seconds(10),
    ]
    package static let wavesMax = 3
    /// The waits between two scans. A scan finds a camera that neither announces itself nor has its own network. The
    /// waits grow, because each probe fills the flight recorder.
    package static let rescanDelays: [Duration] = [
        .seconds(60), .seconds(120), .seconds(240), .seconds(480), .seconds(900),
    ]
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension SearchModel: SearchBehavior {
    package typealias Effect = SearchEffect

    package func wasLastWave() -> Bool { isRescan || waveCount >= Self.wavesMax }

    package func rescanDelay() -> Duration { Self.rescanDelays[min(scanCount, Self.rescanDelays.count) - 1] }

    package func queryDelay() -> Duration { Self.queryDelays[min(askCount, Self.queryDelays.count) - 1] }

    package mutating func startSearchOver(_ effects: inout [SearchEffect]) {
        askCount = 0
        waveCount = 0
        scanCount = 0
        effects.append(.probeKnown)
    }

    package mutating func listen(_ effects: inout [SearchEffect]) { effects.append(.listen) }

    package mutating func stopListening(_ effects: inout [SearchEffect]) { effects.append(.stopListening) }

    package mutating func sendQuery(_ effects: inout [SearchEffect]) {
        askCount = min(askCount + 1, Self.queryDelays.count)
        effects.append(.ask)
    }

    package mutating func beginWave(_ effects: inout [SearchEffect]) {
        waveCount += 1
        effects.append(.beginWave)
    }

    package mutating func resetQueryPace(_ effects: inout [SearchEffect]) { askCount = 0 }

    package mutating func extendWave(_ effects: inout [SearchEffect]) { effects.append(.beginWave) }

    package mutating func restartCount(_ effects: inout [SearchEffect]) {
        waveCount = 0
        scanCount = 0
    }

    package mutating func countScan(_ effects: inout [SearchEffect]) {
        waveCount = 0
        scanCount = min(scanCount + 1, Self.rescanDelays.count)
    }

    package mutating func cancelProbes(_ effects: inout [SearchEffect]) { effects.append(.cancelProbes) }
}

extension SearchModel {
    /// Whether the network was scanned already. A repeated scan probes each address only once.
    package var isRescan: Bool { scanCount > 0 }
}
