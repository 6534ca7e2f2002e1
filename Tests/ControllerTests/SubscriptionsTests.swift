import Testing

@testable import Controller

@Suite struct SubscriptionsTests {
    private static func id(_ number: Int) -> RequestID { RequestID(rawValue: UInt64(number)) }

    private var turn = Turn(at: .zero)
    private var subscriptions = Subscriptions()

    @Test mutating func `a client above the limit is refused, and a client of another topic is not`() {
        for number in 0..<Subscriptions.clientsMax { subscriptions.add(Self.id(number), to: .photos) }
        #expect(!subscriptions.hasRoom(for: .photos, Self.id(99), in: &turn))
        #expect(turn.effects.list == [.fail(Self.id(99), .tooManyClients(limit: Subscriptions.clientsMax))])
        #expect(subscriptions.hasRoom(for: .cameras, Self.id(99), in: &turn))
        #expect(subscriptions.overflow == nil)
    }

    @Test mutating func `a client that disconnected receives nothing more`() {
        subscriptions.add(Self.id(1), to: .transitions)
        subscriptions.add(Self.id(2), to: .transitions)
        subscriptions.cancel(Self.id(1), in: &turn)
        subscriptions.send(.done, to: .transitions, in: &turn)
        #expect(turn.effects.list == [.reply(Self.id(2), .done, continues: true)])
    }

    @Test mutating func `a question to the host for a client that disconnected ends without an answer`() {
        subscriptions.add(Self.id(1), to: .inspection)
        subscriptions.cancel(Self.id(1), in: &turn)
        #expect(subscriptions.contains(.inspection))
        subscriptions.answer(.inspection, .checks([]), in: &turn)
        #expect(turn.effects.list.isEmpty)
        #expect(!subscriptions.contains(.inspection))
    }

    @Test mutating func `a stop answers every client once`() {
        for (number, topic) in Subscriptions.Topic.allCases.enumerated() {
            subscriptions.add(Self.id(number), to: topic)
        }
        subscriptions.receive(.stopping, progress: nil, in: &turn)
        let all = Subscriptions.Topic.allCases.indices
        #expect(turn.effects.list == all.map { .fail(Self.id($0), .stopping) })
        #expect(subscriptions.clients.isEmpty)
    }

    @Test mutating func `the effects of an admission do not follow its refusal`() {
        let effects: [Effect] = [.inspect]
        for number in 0...Subscriptions.clientsMax {
            let subscription = Subscription(Self.id(number), to: .armedPlan, effects: effects)
            subscriptions.receive(.subscribe(subscription), progress: nil, in: &turn)
        }
        #expect(turn.effects.list.count { $0 == .inspect } == Subscriptions.clientsMax)
        let refused = Self.id(Subscriptions.clientsMax)
        #expect(turn.effects.list.last == .fail(refused, .tooManyClients(limit: Subscriptions.clientsMax)))
    }

    @Test mutating func `the watch of cameras ends with its last client`() {
        subscriptions.add(Self.id(1), to: .cameras)
        subscriptions.add(Self.id(2), to: .cameras)
        subscriptions.cancel(Self.id(1), in: &turn)
        #expect(!turn.hasMessages)
        subscriptions.cancel(Self.id(2), in: &turn)
        #expect(turn.takeMessages() == [.camerasWatched(false)])
    }

    @Test mutating func `the host inspects once for all clients that wait`() {
        for number in 1...3 { subscriptions.addInspector(Self.id(number), in: &turn) }
        #expect(turn.effects.list == [.inspect])
        subscriptions.answer(.inspection, .checks([]), in: &turn)
        #expect(turn.effects.list.count == 4)
    }

    @Test mutating func `a recorded shoot is answered, and streamed from then on`() {
        let progress = Progress(shoot: 1, captured: 0, total: 3, phase: "preparing", sentence: "0 of 3.")
        subscriptions.add(Self.id(1), to: .shootRecord)
        subscriptions.add(Self.id(2), to: .streamedShootRecord)
        subscriptions.receive(.shootRecorded, progress: progress, in: &turn)
        #expect(turn.effects.list == [.reply(Self.id(1), .progress(progress), continues: false)])
        #expect(subscriptions.clients.map(\.topic) == [.shoot])
    }

    @Test mutating func `the ledger's answer to a client that disconnected is not sent`() {
        subscriptions.add(Self.id(1), to: .ledger)
        subscriptions.cancel(Self.id(1), in: &turn)
        subscriptions.receive(.ledgerRead(Self.id(1), .noShoot(4)), progress: nil, in: &turn)
        #expect(turn.effects.list.isEmpty)
        #expect(subscriptions.clients.isEmpty)
    }
}
