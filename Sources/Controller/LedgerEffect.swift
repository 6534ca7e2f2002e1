/// Rows that the ledger writes in one transaction.
package struct LedgerCommit: Equatable, Sendable {
    package var rows = LedgerRows()
    /// Whether this and all earlier commits must survive a power cut, as soon as the host has answered. Otherwise they
    /// survive the end of the process, but no power cut.
    package var isDurable = false

    package init(rows: LedgerRows = LedgerRows(), isDurable: Bool = false) {
        self.rows = rows
        self.isDurable = isDurable
    }

    /// Merges a newer commit into this commit.
    mutating func merge(_ newer: LedgerCommit) {
        rows.merge(newer.rows)
        isDurable = isDurable || newer.isDurable
    }
}

/// An action of the host for the ledger, outside of the loop. The host keeps the order of the actions, and answers each
/// of them once with ``Input/ledger(_:)``.
package enum LedgerEffect: Equatable, Sendable {
    /// The host answers with `.opened` or `.unavailable`.
    case open
    /// The host answers with `.committed` or `.failed`.
    case commit(LedgerCommit)
    /// The host answers with `.read`.
    case read(RequestID, LedgerQuery)
}

/// A client's query of the ledger.
package enum LedgerQuery: Codable, Hashable, Sendable {
    /// At most `limit` shoots, the newest first. `before`: only shoots with a lower number; nil: all shoots.
    case shoots(limit: Int, before: Int?)
    case shoot(Int)
}

package enum LedgerAnswer: Codable, Equatable, Sendable {
    case shoots([ShootSummary])
    /// A shoot and its frames, in the plan's order.
    case shoot(ShootRow, [FrameRow])
    case noShoot(Int)
    /// The ledger cannot be read; the sentence says why.
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
    /// The ledger is open, and contains these rows of earlier runs.
    case opened(LedgerContents)
    /// The ledger cannot be used. The sentence says why, for which file, and what the user can do.
    case unavailable(String)
    case committed
    /// No row of the commit was written; the sentence says why.
    case failed(String)
    case read(RequestID, LedgerAnswer)
    /// The free space on the ledger's disk has changed.
    case room(freeBytes: Int64)
}

/// The data that the core reads when the ledger opens.
package struct LedgerContents: Codable, Equatable, Sendable {
    /// The number of the newest shoot; 0: the ledger has no shoot.
    package var lastShoot = 0
    /// The newest shoot that was interrupted or has missing frames, if its frames were not dropped; nil: none.
    package var unfinished: Unfinished?
    package var settings: [SettingRow] = []
    /// The cameras in the order of their latest sessions. The most recent camera is at the end.
    package var cameras: [CameraRow] = []
    /// The latest timings, the oldest first. Each camera, link and step has at most ``timingsMax``.
    package var timings: [TimingRow] = []
    /// A report for the user, for example that a damaged file was moved aside.
    package var notice: String?

    package struct Unfinished: Codable, Equatable, Sendable {
        package var shoot: ShootRow
        package var frames: [FrameRow]
        /// Whether the ledger lost its latest changes, so that fired frames may be recorded as planned.
        package var isRecordIncomplete: Bool

        package init(shoot: ShootRow, frames: [FrameRow], isRecordIncomplete: Bool = false) {
            self.shoot = shoot
            self.frames = frames
            self.isRecordIncomplete = isRecordIncomplete
        }
    }

    /// The maximum number of stored timings for each camera, link and step.
    package static let timingsMax = 200

    package init() {}
}
