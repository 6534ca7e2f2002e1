/// Rows that are written all or none.
package struct LedgerCommit: Equatable, Sendable {
    package var rows = LedgerRows()
    /// Whether this commit and all before it must survive a power cut once it is answered. Otherwise they survive only
    /// the end of the process.
    package var isDurable = false

    package init(rows: LedgerRows = LedgerRows(), isDurable: Bool = false) {
        self.rows = rows
        self.isDurable = isDurable
    }

    /// Adopts newer rows.
    mutating func merge(_ newer: LedgerCommit) {
        rows.merge(newer.rows)
        isDurable = isDurable || newer.isDurable
    }
}

/// An action of the host for the ledger, in this order and away from the loop. Each is answered once, as
/// ``Input/ledger(_:)``.
package enum LedgerEffect: Equatable, Sendable {
    /// Answered by `.opened` or `.unavailable`.
    case open
    /// Answered by `.committed` or `.failed`.
    case commit(LedgerCommit)
    /// Answered by `.read`.
    case read(RequestID, LedgerQuery)
}

/// A client's query of the ledger.
package enum LedgerQuery: Codable, Hashable, Sendable {
    /// The newest shoots, the newest first: at most `limit`, and only those before a shoot.
    case shoots(limit: Int, before: Int?)
    case shoot(Int)
}

package enum LedgerAnswer: Codable, Equatable, Sendable {
    case shoots([ShootSummary])
    /// Nil: no shoot has this number. Frames in the plan's order.
    case shoot(ShootRow, [FrameRow])
    case noShoot(Int)
    /// It cannot be read; the sentence says why.
    case failed(String)
}

/// A shoot in a list.
package struct ShootSummary: Codable, Equatable, Sendable {
    package var shoot: ShootRow
    /// The number of frames whose pictures the camera reported, and the number of planned frames.
    package var captured: Int
    package var total: Int

    package init(shoot: ShootRow, captured: Int, total: Int) {
        self.shoot = shoot
        self.captured = captured
        self.total = total
    }
}

/// A report of the ledger.
package enum LedgerEvent: Codable, Equatable, Sendable {
    /// It is open, and this is what an earlier run left in it.
    case opened(LedgerContents)
    /// It cannot be used; the sentence says what, where and what to do.
    case unavailable(String)
    case committed
    /// Nothing of the commit is written; the sentence says why.
    case failed(String)
    case read(RequestID, LedgerAnswer)
    /// The free space on its disk has changed.
    case room(freeBytes: Int64)
}

/// What the core reads from the ledger when it opens.
package struct LedgerContents: Codable, Equatable, Sendable {
    /// The greatest number of a shoot; 0: none.
    package var lastShoot = 0
    /// The newest shoot, with its frames, that was interrupted or has frames to fire, and was not dropped.
    package var unfinished: Unfinished?
    package var settings: [SettingRow] = []
    /// The camera that was connected last is the last one.
    package var cameras: [CameraRow] = []
    /// The last of each camera, link and step, oldest first: ``timingsMax`` at most.
    package var timings: [TimingRow] = []
    /// A report for the user, such as that a damaged file was moved aside.
    package var notice: String?

    package struct Unfinished: Codable, Equatable, Sendable {
        package var shoot: ShootRow
        package var frames: [FrameRow]
        /// Whether the last changes of the ledger are known to be lost: it may show fired frames as planned.
        package var isRecordIncomplete: Bool

        package init(shoot: ShootRow, frames: [FrameRow], isRecordIncomplete: Bool = false) {
            self.shoot = shoot
            self.frames = frames
            self.isRecordIncomplete = isRecordIncomplete
        }
    }

    /// The limit of stored timings for each camera, link and step.
    package static let timingsMax = 200

    package init() {}
}
