import Testing

@testable import Controller

@Suite struct SubscriptionsTests {
    private static func id(_ number: Int) -> RequestID { RequestID(rawValue: UInt64(number)) }

    private var turn = Turn(at: .zero)
    private var subscriptions = Subscriptions()

    @Test mutating func `one client too many is refused, and a client of another topic is not`() {
        for number in 0..<Subscriptions.clientsMax { subscriptions.add(Self.id(number), to: .photos) }
        #expect(!subscriptions.hasRoom(for: .photos, Self.id(99), in: &turn))
        #expect(turn.effects.list == [.fail(Self.id(99), .tooManyClients(limit: Subscriptions.clientsMax))])
        #expect(subscriptions.hasRoom(for: .cameras, Self.id(99), in: &turn))
        #expect(subscriptions.overflow == nil)
    }

    @Test mutating func `a client that went away receives nothing more`() {
        subscriptions.add(Self.id(1), to: .transitions)
        subscriptions.add(Self.id(2), to: .transitions)
        subscriptions.cancel(Self.id(1))
        subscriptions.send(.done, to: .transitions, in: &turn)
        #expect(turn.effects.list == [.reply(Self.id(2), .done, continues: true)])
    }

    @Test mutating func `what the host was asked for a client that went away ends without an answer`() {
        subscriptions.add(Self.id(1), to: .inspection)
        subscriptions.cancel(Self.id(1))
        #expect(subscriptions.contains(.inspection))
        subscriptions.answer(.inspection, .checks([]), in: &turn)
        #expect(turn.effects.list.isEmpty)
        #expect(!subscriptions.contains(.inspection))
    }

    @Test mutating func `a stop answers every client once`() {
        for (number, topic) in Subscriptions.Topic.allCases.enumerated() {
            subscriptions.add(Self.id(number), to: topic)
        }
        subscriptions.end(nil, in: &turn)
        let all = Subscriptions.Topic.allCases.indices
        #expect(turn.effects.list == all.map { .fail(Self.id($0), .stopping) })
        #expect(subscriptions.clients.isEmpty)
    }
}
