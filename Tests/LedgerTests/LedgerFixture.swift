import Controller
import Exposure
import Foundation
import Glibc
import Synchronization

@testable import Ledger

/// A ledger in a temporary directory that is removed with the test.
final class LedgerFixture {
    let directory: String
    /// The time 2026-11-22 10:30:00 UTC, at which the daemon's clock is at 100 s.
    static let wall: Int64 = 1_795_343_400_000
    static let clock = LedgerClock { (wall, .seconds(100)) }
    let ledger: Ledger

    init(_ directory: String? = nil, migrations: [String] = LedgerSchema.migrations) throws {
        if let directory {
            self.directory = directory
        } else {
            var template = Array("/tmp/ledger-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
            self.directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        ledger = Ledger(directory: self.directory, clock: Self.clock, migrations: migrations)
    }

    deinit {
        ledger.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var path: String { "\(directory)/ledger.sqlite" }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted() }

    func bytes(_ name: String = "ledger.sqlite") -> [UInt8] {
        Array((try? Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))) ?? Data())
    }

    func put(_ bytes: [UInt8], at name: String = "ledger.sqlite") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    }

    func commit(isDurable: Bool = true, _ fill: (inout LedgerRows) -> Void) throws {
        var rows = LedgerRows()
        fill(&rows)
        try ledger.commit(LedgerCommit(rows: rows, isDurable: isDurable))
    }

    /// Runs an operation on the file. No other process may have the file open.
    @discardableResult
    func withDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        ledger.close()
        return try body(Database(path: path, busyMax: 1000))
    }

    // MARK: Rows

    static func shoot(_ id: Int, _ change: (inout ShootRow) -> Void = { _ in }) throws -> ShootRow {
        var row = ShootRow(
            id: id,
            request: try PlanRequest(),
            headline: "1/4 to 1/1000",
            cameraID: "sony-1",
            cameraName: "ILCE-7M4",
            began: .wall(milliseconds: 1000)
        )
        change(&row)
        return row
    }

    static func frame(_ shoot: Int, _ index: Int, _ outcome: FrameState = .planned) -> FrameRow {
        let position = FramePosition(set: 1, frame: index + 1)
        let planned = PlannedFrame(position: position, speed: ShutterSpeed.all[index])
        return FrameRow(shoot: shoot, index: index, planned: planned, outcome: outcome)
    }

    func record(_ id: Int, _ outcomes: [FrameState], _ change: (inout ShootRow) -> Void = { _ in }) throws {
        try commit { rows in
            rows.add(try? Self.shoot(id, change))
            for (index, outcome) in outcomes.enumerated() { rows.add(Self.frame(id, index, outcome)) }
        }
    }

    /// The recorded frames of a shoot.
    func frames(of shoot: Int) -> [FrameRow] {
        guard case .shoot(_, let frames) = ledger.read(.shoot(shoot)) else { return [] }
        return frames
    }

    func shoots(limit: Int = 100, before: Int? = nil) -> [Int] {
        guard case .shoots(let shoots) = ledger.read(.shoots(limit: limit, before: before)) else { return [] }
        return shoots.map(\.shoot.id)
    }
}

extension LedgerRows {
    mutating func add(_ row: ShootRow?) {
        if let row { shoots[row.id] = row }
    }

    mutating func add(_ row: FrameRow) { frames[FrameKey(shoot: row.shoot, index: row.index)] = row }
}
