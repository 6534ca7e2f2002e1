import Controller
import Testing

@testable import Ledger

/// Rows that the checks of the schema reject. Another program writes them while the file is open.
struct UnreadableRowTests {
    private func expectFailed(_ change: String, _ sentence: String) throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured])
        try fixture.withDatabase { database in
            try database.execute("PRAGMA ignore_check_constraints = ON; \(change)")
            let reader = LedgerReader(database)
            let error = #expect(throws: LedgerFault.self) { try reader.answer(.shoot(1)) }
            #expect(error?.sentence == sentence)
        }
    }

    @Test func `an invalid row gives a sentence and never ends the program`() throws {
        try expectFailed(
            "UPDATE frames SET speed = '1/61'",
            "The ledger's row with shoot 1 cannot be read: its speed is \"1/61\"."
        )
        try expectFailed(
            "UPDATE frames SET inSet = 0",
            "The ledger's row with shoot 1 cannot be read: its inSet is 0."
        )
        try expectFailed(
            "UPDATE shoots SET framesPerSet = 4",
            "The ledger's row with id 1 cannot be read: its framesPerSet is 4."
        )
        try expectFailed(
            "UPDATE shoots SET outcome = 'lost'",
            "The ledger's row with id 1 cannot be read: its outcome is \"lost\"."
        )
    }

    @Test func `unescaped names of an earlier version are printable when read`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured])
        try fixture.withDatabase { database in
            try database.execute("UPDATE shoots SET cameraName = 'A' || char(27, 13, 10) || 'B' || char(8238)")
            guard case .shoot(let row, _) = try LedgerReader(database).answer(.shoot(1)) else {
                Issue.record("no shoot")
                return
            }
            #expect(row.cameraName == "A???B?")
        }
    }

    @Test func `at the start invalid rows are skipped and reported, and the others are read`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured])
        try fixture.commit { rows in
            rows.cameras["a"] = CameraRow(id: "a", maker: "", model: "", firmware: "", address: "")
        }
        let contents = try fixture.withDatabase { database in
            try database.execute("PRAGMA ignore_check_constraints = ON; UPDATE shoots SET spacing = '3'")
            return try LedgerReader(database).contents()
        }
        #expect(contents.unfinished == nil)
        #expect(contents.lastShoot == 1)
        #expect(contents.cameras.map(\.id) == ["a"])
        #expect(
            contents.notice
                == """
                The ledger's row with id 1 cannot be read: its spacing is "3". Rows like this were ignored: 1.
                """
        )
    }
}
