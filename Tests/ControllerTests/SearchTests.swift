import Cameras
import Statecharts
import Testing

@testable import Controller

/// Tests the schedule of the search: the chart alone, without a network.
@Suite struct SearchTests {
    private typealias Run = ChartRun<SearchModel>

    private static let addresses = (1...253).map { CameraAddress(host: "192.0.2.\($0)") }

    private var chart = Run(SearchModel())
    private var now = Duration.zero

    /// Starts a search and ends its first wave.
    private mutating func begin() {
        _ = chart.start(at: now)
        _ = chart.handle(.begin, at: now)
        _ = chart.handle(.waveOver, at: now)
    }

    /// Handles the timers that are due next. Returns nil if no timer runs.
    private mutating func advance() -> [SearchEffect]? {
        guard let next = chart.machine.nextDeadline else { return nil }
        now = next
        return chart.advance(to: now).effects
    }

    /// Advances to the beginning of a later wave.
    private mutating func advance(toWaveAt time: Duration) {
        while now < time, advance() != nil {}
    }

    @Test mutating func `the waves begin after 0, 1, 3 and 10 minutes, and then every 30 minutes`() {
        begin()
        var waves = [now]
        while waves.count < 6, let effects = advance() {
            if effects.contains(.probeKnown) { waves.append(now) }
        }
        #expect(waves == [0, 60, 180, 600, 2400, 4200].map { .seconds($0) })
    }

    @Test mutating func `a wave that is not over does not delay the next one`() {
        _ = chart.start(at: now)
        _ = chart.handle(.begin, at: now)
        #expect(chart.machine.due(.timeoutWave) == .seconds(60))
        advance(toWaveAt: .seconds(60))
        #expect(chart.isActive(.wave))
        #expect(chart.machine.due(.timeoutWave) == .seconds(180))
    }

    @Test mutating func `between two waves the only timer is that of the next wave`() {
        begin()
        advance(toWaveAt: .seconds(180))
        _ = chart.handle(.waveOver, at: now)
        while chart.isActive(.queried), advance() != nil {}
        #expect(now < .seconds(190))
        #expect(chart.isActive(.listening) && chart.isActive(.betweenWaves))
        #expect(chart.machine.nextDeadline == .seconds(600))
        #expect(chart.machine.snapshot.timers.count == 1)
    }

    @Test(arguments: [Search.Input.networkChanged, .wanted])
    mutating func `a changed network and a user's request start the schedule again`(input: Search.Input) {
        begin()
        advance(toWaveAt: .seconds(600))
        _ = chart.handle(.waveOver, at: now)
        now += .seconds(300)
        _ = chart.advance(to: now)
        let effects = chart.handle(input, at: now).effects
        #expect(effects.contains(.ask) && effects.contains(.probeKnown) && effects.contains(.probePart))
        #expect(!chart.machine.behavior.isSlow)
        #expect(chart.machine.due(.timeoutWave) == now + .seconds(60))
    }

    @Test mutating func `a wave after two minutes has parts, and they end before the next wave`() {
        begin()
        #expect(chart.machine.behavior.part(of: Self.addresses, waveMax: 254).count == 253)
        #expect(!chart.machine.behavior.hasMoreParts(of: Self.addresses, waveMax: 254))
        advance(toWaveAt: .seconds(180))
        var probed: [CameraAddress] = []
        while chart.isActive(.wave) {
            let part = chart.machine.behavior.part(of: Self.addresses, waveMax: 254)
            #expect((1...SearchModel.partMax).contains(part.count))
            probed += part
            // The slowest address answers after one second.
            now += .seconds(1)
            let hasMore = chart.machine.behavior.hasMoreParts(of: Self.addresses, waveMax: 254)
            _ = chart.handle(hasMore ? .partOver : .waveOver, at: now)
            while chart.isActive(.betweenParts), advance() != nil {}
        }
        #expect(probed == Self.addresses)
        #expect(now < .seconds(600))
    }

    @Test mutating func `if there are more addresses than a wave may have, the waves take turns`() {
        begin()
        let first = chart.machine.behavior.part(of: Self.addresses, waveMax: 200)
        advance(toWaveAt: .seconds(60))
        let second = chart.machine.behavior.part(of: Self.addresses, waveMax: 200)
        #expect(Array(first) == Array(Self.addresses[..<200]))
        #expect(Array(second) == Array(Self.addresses[200...]))
        #expect(chart.machine.behavior.part(of: [], waveMax: 200).isEmpty)
    }

    // MARK: Model check

    /// A state of the chart with its data, and without the time.
    private struct Place: Hashable {
        let snapshot: MachineSnapshot
        let data: String

        init(_ run: Run) {
            snapshot = run.machine.snapshot
            data = "\(run.machine.behavior)"
        }
    }

    private static let inputs: [Search.Input] = [
        .begin, .end, .watched, .unwatched, .partOver, .waveOver, .wanted, .networkChanged,
    ]

    /// The runs that one input, or the next timer, makes of a run.
    private static func successors(of run: Run) -> [Run] {
        var list = inputs.map { input -> Run in
            var next = run
            _ = next.handle(input, at: run.machine.now)
            return next
        }
        if let due = run.machine.nextDeadline {
            var next = run
            _ = next.advance(to: due)
            list.append(next)
        }
        return list
    }

    @Test mutating func `in every state the schedule runs exactly while a camera is wanted`() {
        _ = chart.start(at: .zero)
        var (seen, newest): (Set<Place>, [Run]) = ([Place(chart)], [chart])
        // The counts of waves and parts grow without a limit, so the depth is limited.
        for _ in 0..<9 {
            newest = newest.flatMap(Self.successors).filter { seen.insert(Place($0)).inserted }
            for run in newest {
                #expect(run.fault == nil)
                #expect((run.machine.due(.timeoutWave) != nil) == run.isActive(.searching))
                #expect(!run.isActive(.idle) || run.machine.nextDeadline == nil)
                let isQuiet = run.isActive(.listening) && run.isActive(.betweenWaves)
                #expect(!isQuiet || run.machine.snapshot.timers.count == 1)
            }
        }
        #expect(seen.count > 60)
    }
}
