import Cameras
import Statecharts

package enum SearchEffect: Equatable, Sendable {
    /// Receive announcements on every interface of the search.
    case listen
    case stopListening
    /// Send a search message to all devices.
    case ask
    /// Probe the addresses of the present part of the wave.
    case probePart
    /// Probe the addresses of the known cameras.
    case probeKnown
    /// End the probes, because no other camera is wanted.
    case cancelProbes
}

/// The data behind `search.scxml`.
package struct SearchModel: Equatable, Sendable {
    private var askCount = 0
    /// The number of waves since the search began, the network changed or a user wanted a camera.
    private var waveCount = 0
    /// The number of parts of the present wave that were begun.
    private var partCount = 0

    /// The waits between two search messages. A camera whose WiFi is just starting misses the first message. A slow
    /// camera also misses the second. Alpha Fairy sends a message every 250 ms, sonycam every 5 s.
    package static let queryDelays: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5), .seconds(10),
    ]
    /// The time from the beginning of a wave to the next one. The waves begin after 0, 1, 3 and 10 minutes and then
    /// every 30 minutes.
    package static let waveDelays: [Duration] = [.seconds(60), .seconds(120), .seconds(420), .seconds(1800)]
    /// The number of waves in the first two minutes. They are fast, because a user probably waits.
    package static let fastWavesMax = 2
    /// The number of search messages of a fast wave. They fill the minute until the next wave.
    package static let fastQueriesMax = 11
    /// The number of search messages of a later wave. UPnP recommends several messages, because UDP loses some (UPnP
    /// Device Architecture 1.1, 1.3.2).
    package static let slowQueriesMax = 3
    /// The number of addresses in one part of a later wave.
    ///
    /// Each probe can wake the daemon once, and a minute has one part. So a later wave wakes the daemon less than 60
    /// times a minute, even if every address refuses. A /24 has seven parts, and they end before the next wave. If the
    /// user configures more addresses for a wave than such parts can have until the next wave, the parts are larger.
    package static let partMax = 37
    /// The time from one part to the next one.
    static let partDelay = Duration.seconds(60)
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension SearchModel: SearchBehavior {
    package typealias Effect = SearchEffect

    package func wasLastQuery() -> Bool { askCount >= (isSlow ? Self.slowQueriesMax : Self.fastQueriesMax) }

    package func waveDelay() -> Duration { Self.waveDelays[min(waveCount, Self.waveDelays.count) - 1] }

    package func queryDelay() -> Duration { Self.queryDelays[min(askCount, Self.queryDelays.count) - 1] }

    package mutating func startSearchOver(_ effects: inout [SearchEffect]) {
        askCount = 0
        waveCount = 0
    }

    package mutating func listen(_ effects: inout [SearchEffect]) { effects.append(.listen) }

    package mutating func stopListening(_ effects: inout [SearchEffect]) { effects.append(.stopListening) }

    package mutating func sendQuery(_ effects: inout [SearchEffect]) {
        askCount = min(askCount + 1, Self.fastQueriesMax)
        effects.append(.ask)
    }

    package mutating func resetQueryPace(_ effects: inout [SearchEffect]) { askCount = 0 }

    package mutating func startWave(_ effects: inout [SearchEffect]) {
        waveCount += 1
        partCount = 0
        effects.append(.probeKnown)
    }

    package mutating func probePart(_ effects: inout [SearchEffect]) {
        partCount += 1
        effects.append(.probePart)
    }

    package mutating func restartSchedule(_ effects: inout [SearchEffect]) { waveCount = 0 }

    package mutating func cancelProbes(_ effects: inout [SearchEffect]) { effects.append(.cancelProbes) }
}

extension SearchModel {
    /// Whether the present wave began after the first two minutes. Such a wave probes each address only once.
    package var isSlow: Bool { waveCount > Self.fastWavesMax }

    /// The addresses of the present part of the wave.
    ///
    /// - Parameter waveMax: the maximum number of addresses in a wave.
    package func part(of addresses: [CameraAddress], waveMax: Int) -> ArraySlice<CameraAddress> {
        let wave = wave(of: addresses, waveMax: waveMax)
        let size = partSize(of: wave.count)
        return isSlow ? wave.dropFirst((partCount - 1) * size).prefix(size) : wave
    }

    /// Whether the present wave has addresses after the present part.
    package func hasMoreParts(of addresses: [CameraAddress], waveMax: Int) -> Bool {
        let count = wave(of: addresses, waveMax: waveMax).count
        return isSlow && count > partCount * partSize(of: count)
    }

    /// The number of addresses in a part, so that this number of addresses is probed before the next wave.
    private func partSize(of count: Int) -> Int {
        let parts = max(1, Int(waveDelay() / Self.partDelay))
        return max(Self.partMax, (count + parts - 1) / parts)
    }

    /// The addresses of the present wave. If there are more addresses than a wave may have, the waves take turns.
    private func wave(of addresses: [CameraAddress], waveMax: Int) -> ArraySlice<CameraAddress> {
        let turnCount = max(1, (addresses.count + waveMax - 1) / waveMax)
        return addresses.dropFirst((waveCount - 1) % turnCount * waveMax).prefix(waveMax)
    }
}
