import Bodies
import Cameras
import Controller
import NIOCore
import PTP
import Testing

@testable import Worlds

/// Tests the virtual network alone: its input, and its output with the times.
@Suite struct VirtualNetworkTests {
    private static let address = CameraAddress(host: "192.0.2.9")
    private static let first = LinkGeneration(rawValue: 1)
    private static let second = LinkGeneration(rawValue: 2)

    /// A network with its two sides. The called side accepts every connection.
    private struct Bench {
        var network: VirtualNetwork
        var now = Duration.zero
        var events: [(time: Duration, generation: LinkGeneration, event: LinkEvent)] = []
        var toBody: [(time: Duration, connection: ConnectionID, bytes: ByteBuffer)] = []
        var hungUp: [(time: Duration, connection: ConnectionID)] = []
        var connections: [LinkGeneration: ConnectionID] = [:]

        init(_ conditions: NetworkConditions = .normal, seed: UInt64 = 1, segment: Int? = nil) {
            network = VirtualNetwork(.init(segment: segment), conditions: conditions, seed: seed)
        }

        mutating func open(_ generation: LinkGeneration = first, within limit: Duration = .seconds(5)) {
            let deadline = now + limit
            let opening = VirtualNetwork.Opening(
                generation: generation,
                line: .link(.command),
                target: LinkTarget(address),
                deadline: deadline
            )
            network.open(opening, at: now)
        }

        mutating func send(_ text: String, on generation: LinkGeneration = first) {
            network.send(generation, .link(.command), ByteBuffer(string: text), at: now)
        }

        mutating func answer(_ text: String, on generation: LinkGeneration = first) {
            guard let id = connections[generation] else { return }
            network.sendFromBody(id, ByteBuffer(string: text), at: now)
        }

        mutating func pass(_ time: Duration) {
            let end = now + time
            while let next = network.nextTime, next <= end {
                now = max(now, next)
                while let delivery = network.next(dueBy: now) { take(delivery) }
            }
            now = end
        }

        private mutating func take(_ delivery: VirtualNetwork.Delivery) {
            switch delivery {
            case .call(let opening):
                guard !network.losesOpening(opening, at: now) else { break }
                connections[opening.generation] = network.accept(opening, camera: 0, at: now)
            case .bytes(let id, _, let bytes): toBody.append((now, id, bytes))
            case .hangUp(let id, _): hungUp.append((now, id))
            case .toDaemon(let generation, .link(let link), let news):
                events.append((now, generation, news.event(on: link)))
            case .toDaemon, .report: break
            }
        }

        func textAtBody(_ generation: LinkGeneration = first) -> String {
            toBody.filter { $0.connection == connections[generation] }.map { String(buffer: $0.bytes) }.joined()
        }

        func textAtDaemon(_ generation: LinkGeneration = first) -> String {
            events.filter { $0.generation == generation }.compactMap { event in
                if case .received(_, let bytes) = event.event { String(buffer: bytes) } else { nil }
            }.joined()
        }

        var last: LinkEvent? { events.last?.event }
    }

    private static func opened(_ conditions: NetworkConditions, seed: UInt64 = 1) -> Bench {
        var bench = Bench()
        bench.open()
        bench.open(second)
        bench.pass(.seconds(1))
        bench.network.conditions = conditions
        return bench
    }

    private static let fair = NetworkConditions(latency: .milliseconds(5) ... .milliseconds(5))

    private static func conditions(_ change: (inout NetworkConditions) -> Void) -> NetworkConditions {
        var conditions = fair
        change(&conditions)
        return conditions
    }

    private static func always(_ time: Duration) -> NetworkConditions.FaultRate { .init(oneIn: 1, lasts: time...time) }

    @Test func `without disturbance every segment takes the same time and arrives in the same pieces`() {
        var bench = Bench(segment: 3)
        bench.open()
        bench.pass(.milliseconds(10))
        #expect(bench.last == .opened(.command))
        bench.send("abcdefgh")
        bench.pass(.milliseconds(5))
        #expect(bench.toBody.map { String(buffer: $0.bytes) } == ["abc", "def", "gh"])
        #expect(bench.toBody.allSatisfy { $0.time == .milliseconds(15) })
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a connection's bytes arrive whole and in order, whatever is cut, late or stalled`(seed: UInt64) {
        var conditions = NetworkConditions(latency: .milliseconds(1) ... .milliseconds(30), jitter: .milliseconds(50))
        conditions.cutsOneIn = 2
        conditions.pieces = 1...5
        conditions.stalls = .init(oneIn: 10, lasts: .milliseconds(200) ... .seconds(2))
        conditions.holes = .init(oneIn: 40, lasts: .milliseconds(100) ... .seconds(1))
        conditions.outages = .init(oneIn: 60, lasts: .milliseconds(100) ... .seconds(1))
        var bench = Bench(conditions, seed: seed)
        bench.open()
        bench.open(Self.second)
        bench.pass(.seconds(2))
        var sent = ""
        for number in 0..<200 {
            sent += "<\(number)>"
            for generation in [Self.first, Self.second] {
                bench.send("<\(number)>", on: generation)
                bench.answer("<\(number)>", on: generation)
            }
            bench.pass(.milliseconds(7))
        }
        bench.pass(.seconds(15))
        for generation in [Self.first, Self.second] {
            #expect(bench.textAtBody(generation) == sent)
            #expect(bench.textAtDaemon(generation) == sent)
        }
        #expect(bench.toBody.contains { $0.bytes.readableBytes < 3 })
    }

    @Test func `segments on two connections may arrive in another order`() {
        let orders = (1...40 as ClosedRange<UInt64>).map { seed -> Bool in
            let conditions = NetworkConditions(
                latency: .milliseconds(1) ... .milliseconds(30),
                jitter: .milliseconds(20)
            )
            var bench = Bench(conditions, seed: seed)
            bench.open()
            bench.open(Self.second)
            bench.pass(.seconds(1))
            bench.send("a")
            bench.send("b", on: Self.second)
            bench.pass(.seconds(1))
            return bench.toBody.first.map { String(buffer: $0.bytes) } == "a"
        }
        #expect(Set(orders) == [true, false])
    }

    @Test func `all bytes after a stalled segment wait, and arrive together`() {
        var bench = Self.opened(Self.conditions { $0.stalls = Self.always(.seconds(2)) })
        bench.send("a")
        bench.network.conditions = Self.conditions { $0.jitter = .microseconds(1) }
        bench.send("b")
        bench.pass(.seconds(1))
        bench.send("c")
        #expect(bench.toBody.isEmpty)
        bench.pass(.seconds(2))
        #expect(bench.toBody.map { String(buffer: $0.bytes) } == ["abc"])
        #expect(bench.toBody.first.map { $0.time } == .milliseconds(3005))
    }

    @Test func `a stalled segment is dropped when its connection is closed, and the end arrives at once`() {
        var bench = Self.opened(Self.conditions { $0.stalls = Self.always(.seconds(2)) })
        bench.send("a")
        bench.network.close(Self.first, .link(.command), at: bench.now)
        bench.pass(.seconds(5))
        #expect(bench.toBody.isEmpty)
        #expect(bench.hungUp.map(\.time) == [.milliseconds(1005)])
    }

    @Test func `a reset reaches both sides and loses the bytes under way`() {
        var bench = Self.opened(Self.conditions { $0.resets = Self.always(.milliseconds(3)) })
        bench.send("a")
        bench.answer("b")
        bench.pass(.seconds(1))
        #expect(bench.toBody.isEmpty)
        #expect(bench.textAtDaemon() == "")
        #expect(bench.hungUp.count == 1)
        #expect(bench.last == .closed(.command, reason: "Connection reset by peer"))
    }

    @Test func `a reset that only the camera received is repeated to the side that sends`() {
        var halves = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var bench = Bench(Self.conditions { $0.resets = Self.always(.milliseconds(1)) }, seed: seed)
            bench.open()
            bench.pass(.seconds(1))
            bench.send("a")
            bench.pass(.seconds(1))
            #expect(bench.hungUp.count == 1)
            guard bench.last == .opened(.command) else { continue }
            halves += 1
            bench.send("b")
            bench.pass(.milliseconds(10))
            #expect(bench.last == .closed(.command, reason: "Connection reset by peer"))
        }
        #expect((1...12).contains(halves))
    }

    @Test func `no bytes arrive during an outage, and all arrive after it`() {
        var bench = Self.opened(Self.conditions { $0.holes = Self.always(.seconds(8)) })
        bench.send("a")
        bench.network.conditions = Self.fair
        bench.answer("x")
        bench.send("on", on: Self.second)
        bench.pass(.seconds(7))
        bench.send("b")
        #expect(bench.toBody.map { String(buffer: $0.bytes) } == ["on"])
        #expect(bench.textAtDaemon() == "")
        bench.pass(.seconds(2))
        #expect(bench.textAtBody() == "ab")
        #expect(bench.textAtDaemon() == "x")
    }

    @Test func `a send that is never answered ends its connection 20 seconds later`() {
        var bench = Self.opened(.normal)
        bench.network.lose(at: bench.now)
        bench.pass(.seconds(3))
        bench.send("a")
        bench.pass(.seconds(30))
        let closed = bench.events.filter { $0.event == .closed(.command, reason: "Connection timed out") }
        #expect(closed.last { $0.generation == Self.first }?.time == .seconds(24))
        // The daemon's kernel sent a keep-alive probe on the idle connection.
        #expect(closed.last { $0.generation == Self.second }?.time == .milliseconds(20_010))
        #expect(bench.toBody.isEmpty)
        // The camera detects the loss by itself, at a later time.
        #expect(bench.hungUp.isEmpty)
        bench.pass(VirtualNetwork.closeTimeout)
        #expect(bench.hungUp.count == 2)
    }

    @Test func `a quiet connection that is dead is noticed within 20 seconds`() {
        var bench = Self.opened(.normal)
        bench.pass(.seconds(100))
        bench.network.lose(at: bench.now)
        bench.pass(.seconds(10))
        #expect(bench.last == .opened(.command))
        bench.pass(.seconds(10))
        #expect(bench.last == .closed(.command, reason: "Connection timed out"))
    }

    @Test func `an end that a camera could not receive is repeated with the next call`() {
        var bench = Self.opened(.normal)
        bench.network.beginOutage(until: bench.now + .seconds(4), at: bench.now)
        bench.network.close(Self.first, .link(.command), at: bench.now)
        bench.pass(.seconds(6))
        #expect(bench.hungUp.isEmpty)
        bench.open(LinkGeneration(rawValue: 3))
        bench.pass(.milliseconds(5))
        #expect(bench.hungUp.map { $0.connection } == [bench.connections[Self.first]])
    }

    @Test func `an opening is refused, not answered, or late`() {
        var refused = Bench(Self.conditions { $0.refusesOneIn = 1 })
        refused.open()
        refused.pass(.seconds(1))
        #expect(refused.last == .openFailed(.command, reason: "Connection refused", cause: .refused))
        var swallowed = Bench(Self.conditions { $0.swallowsOneIn = 1 })
        swallowed.open()
        swallowed.pass(.milliseconds(4999))
        #expect(swallowed.events.isEmpty)
        swallowed.pass(.milliseconds(1))
        #expect(swallowed.last == .openFailed(.command, reason: "Connection timed out", cause: .timedOut))
        var late = Bench(Self.conditions { $0.lateOpens = Self.always(.seconds(3)) })
        late.open()
        late.pass(.seconds(3))
        #expect(late.events.isEmpty)
        late.pass(.seconds(1))
        #expect(late.last == .opened(.command))
        var tooLate = Bench(Self.conditions { $0.lateOpens = Self.always(.seconds(6)) })
        tooLate.open()
        tooLate.pass(.seconds(20))
        #expect(tooLate.events.map { $0.time } == [.seconds(5)])
        #expect(tooLate.connections.isEmpty)
    }

    @Test func `a call during an outage times out, or is accepted after it`() {
        var bench = Bench()
        bench.network.beginOutage(until: .seconds(3), at: .zero)
        bench.open(within: .seconds(2))
        bench.open(Self.second, within: .seconds(5))
        bench.pass(.seconds(4))
        #expect(bench.events.map { $0.generation } == [Self.first, Self.second])
        #expect(bench.events.first?.time == .seconds(2))
        #expect(bench.last == .opened(.command))
    }

    @Test func `an opening whose answer is lost is given up at its limit`() {
        var bench = Bench()
        bench.open()
        bench.pass(.milliseconds(7))
        bench.network.lose(at: bench.now)
        bench.pass(.seconds(5))
        #expect(bench.events.map { $0.time } == [.seconds(5)])
        #expect(bench.last == .openFailed(.command, reason: "Connection timed out", cause: .timedOut))
    }

    @Test func `a computer away from the camera's network receives nothing, and after its return everything`() {
        var bench = Bench()
        bench.network.moveStation(Station(), at: bench.now)
        bench.open()
        bench.pass(.seconds(1))
        bench.network.moveStation(Station(.elsewhere(ssid: "HOME")), at: bench.now)
        bench.send("a")
        bench.answer("b")
        bench.open(Self.second)
        bench.pass(.seconds(5))
        #expect(bench.last == .openFailed(.command, reason: "Connection timed out", cause: .timedOut))
        bench.network.moveStation(Station(), at: bench.now)
        bench.pass(.seconds(1))
        #expect(bench.textAtBody() == "a")
        #expect(bench.textAtDaemon() == "b")
    }

    @Test func `with another address the earlier connections are dead`() {
        var bench = Bench()
        bench.network.moveStation(Station(), at: bench.now)
        bench.open()
        bench.pass(.seconds(1))
        bench.network.moveStation(Station(address: IPAddress(bytes: [192, 0, 2, 78])), at: bench.now)
        bench.send("a")
        bench.open(Self.second)
        bench.pass(.seconds(20))
        #expect(bench.events.contains { $0.generation == Self.second && $0.event == .opened(.command) })
        #expect(bench.last == .closed(.command, reason: "Connection timed out"))
    }

    @Test(arguments: [Station.Change.apart, .noRoute, .unplugged])
    func `without a network a call fails at once`(way: Station.Change) {
        var bench = Bench()
        bench.network.moveStation(Station(way), at: bench.now)
        bench.open()
        bench.pass(.milliseconds(1))
        #expect(bench.last == .openFailed(.command, reason: "No route to host", cause: .unreachable))
    }

    @Test func `the bytes that a process sent before it was killed arrive, or those that stalled do not`() {
        let ends = (1...20 as ClosedRange<UInt64>).map { seed -> String in
            var bench = Self.opened(.normal)
            bench.send("a")
            bench.network.conditions = Self.conditions { $0.stalls = Self.always(.seconds(2)) }
            bench.send("b")
            var random = SeededGenerator(seed: seed)
            bench.network.endAll(isPowerCut: false, drawing: &random, at: bench.now)
            bench.pass(.seconds(5))
            #expect(bench.hungUp.count == 2)
            return bench.textAtBody()
        }
        #expect(Set(ends) == ["a", "ab"])
    }

    @Test func `after a power cut a camera notices the computer's absence only after a while`() {
        var bench = Self.opened(.normal)
        bench.send("a")
        var random = SeededGenerator(seed: 3)
        bench.network.endAll(isPowerCut: true, drawing: &random, at: bench.now)
        bench.pass(.seconds(1))
        #expect(bench.textAtBody() == "a")
        #expect(bench.hungUp.isEmpty)
        bench.pass(VirtualNetwork.closeTimeout)
        #expect(bench.hungUp.count == 2)
    }
}
