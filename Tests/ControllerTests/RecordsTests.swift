import Cameras
import Testing

@testable import Controller

/// Tests the records alone: they receive rows and produce commits.
@Suite struct RecordsTests {
    private static let client = RequestID(rawValue: 1)
    private static let camera = CameraRow(
        id: "7",
        maker: "Sony",
        model: "Bench",
        firmware: "1",
        address: "192.0.2.1:15740",
        network: nil
    )

    private func records(_ mode: LedgerMode, isOpen: Bool = true) -> Records {
        var records = Records(mode)
        _ = after(&records) { $1.perform($0.chart.start(at: .zero), level: .debug) }
        if isOpen { _ = after(&records) { $0.receive(.recovered(LedgerContents()), RecentPictures(), in: &$1) } }
        return records
    }

    private func after(
        _ records: inout Records,
        _ receive: (inout Records, inout Turn) -> Void
    ) -> (messages: [TurnMessage], effects: [Effect]) {
        var turn = Turn(at: .zero)
        receive(&records, &turn)
        return (turn.takeMessages(), turn.effects.list)
    }

    private func commits(_ effects: [Effect]) -> [LedgerCommit] {
        effects.compactMap { if case .ledger(.commit(let commit)) = $0 { commit } else { nil } }
    }

    @Test func `rows wait for the next commit, and a required record is committed at once`() {
        var records = records(.required)
        let kept = after(&records) {
            $0.receive(.cameraNoted(Self.camera), RecentPictures(), in: &$1)
            $0.commit(mayWait: true, in: &$1)
        }
        #expect(commits(kept.effects).isEmpty)
        let wanted = after(&records) {
            $0.receive(.commit(mark: 1, isDurable: true), RecentPictures(), in: &$1)
            $0.commit(mayWait: true, in: &$1)
        }
        #expect(commits(wanted.effects).map(\.isDurable) == [true])
        #expect(commits(wanted.effects).first?.rows.cameras["7"] == Self.camera)
        let committed = after(&records) { $0.receive(.committed, in: &$1) }
        #expect(committed.effects.contains(.enqueue(.record(.kept(upTo: 1)))))
    }

    @Test func `without a ledger a required record counts as kept, and nothing can be read`() {
        var records = records(.off, isOpen: false)
        let wanted = after(&records) {
            $0.receive(.commit(mark: 3, isDurable: true), RecentPictures(), in: &$1)
            $0.commit(mayWait: false, in: &$1)
        }
        #expect(wanted.effects.contains(.enqueue(.record(.kept(upTo: 3)))))
        #expect(commits(wanted.effects).isEmpty)
        let read = after(&records) {
            $0.receive(.ledgerWanted(.shoot(1), nil, Self.client), RecentPictures(), in: &$1)
        }
        #expect(read.messages.isEmpty)
        #expect(read.effects.contains { if case .fail(Self.client, .ledgerUnavailable) = $0 { true } else { false } })
    }

    @Test func `a client that reads is admitted before the ledger is asked`() {
        var records = records(.required)
        let query = LedgerQuery.shoot(1)
        let read = after(&records) { $0.receive(.ledgerWanted(query, nil, Self.client), RecentPictures(), in: &$1) }
        let effects: [Effect] = [.ledger(.read(Self.client, query))]
        #expect(read.messages == [.subscribe(Subscription(Self.client, to: .ledger, effects: effects))])
        #expect(read.effects.isEmpty)
    }

    @Test func `each event of the ledger goes to the parts that it concerns`() {
        var records = records(.required, isOpen: false)
        let contents = LedgerContents()
        #expect(after(&records) { $0.receive(.opened(contents), in: &$1) }.messages == [.ledgerOpened(contents)])
        let answer = LedgerAnswer.noShoot(4)
        let read = after(&records) { $0.receive(.read(Self.client, answer), in: &$1) }
        #expect(read.messages == [.ledgerRead(Self.client, answer)])
        _ = after(&records) { $0.receive(.room(freeBytes: 5), in: &$1) }
        #expect(records.view.freeBytes == 5)
    }
}
