import Cameras
import Controller
import Exposure

/// Writes rows within a transaction.
struct LedgerWriter {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Marks shoots that the previous run left open as interrupted.
    func interruptOpenShoots() throws {
        try run(
            "UPDATE shoots SET outcome = ?, cause = coalesce(cause, ?) WHERE outcome IS NULL",
            [ShootOutcome.interrupted.rawValue, LedgerContents.interruptedSentence]
        )
        for column in ["outcome", "again"] {
            try run(
                "UPDATE frames SET \(column) = ? WHERE \(column) = ?",
                [FrameState.unknown.rawValue, FrameState.attempting.rawValue]
            )
        }
    }

    /// Records a loss of commits. The record stays until the user resumes, begins or dismisses a shoot.
    ///
    /// - Parameter shoot: the last shoot that was begun. The ledger does not use its number again.
    func noteLoss(of commits: Int, shoot: Int) throws {
        try run("UPDATE commits SET lost = ?, lostShoot = max(lostShoot, ?)", [commits, shoot])
    }

    /// Counts this commit.
    ///
    /// - Returns: the number of the commit.
    func count(_ rows: LedgerRows) throws -> Int {
        // A user who resumes, begins or dismisses a shoot has read the report about the loss.
        let isAnswered = rows.shoots.values.contains { $0.outcome == nil || $0.isDismissed }
        try run("UPDATE commits SET number = number + 1\(isAnswered ? ", lost = 0" : "")", [])
        return try database.value("SELECT number FROM commits") ?? 0
    }

    func write(_ rows: LedgerRows, wall: (Moment) -> Int64) throws {
        for id in rows.shoots.keys.sorted() {
            if let row = rows.shoots[id] { try write(row, wall) }
        }
        for key in rows.frames.keys.sorted() {
            if let row = rows.frames[key] { try write(row, wall) }
        }
        for (key, row) in rows.settings { try write(row, key) }
        for row in rows.cameras.values { try write(row) }
        for row in rows.timings { try write(row, wall) }
        if !rows.cameras.isEmpty { try pruneCameras() }
        if !rows.timings.isEmpty { try pruneTimings(rows.timings) }
    }

    private func write(_ row: ShootRow, _ wall: (Moment) -> Int64) throws {
        let isNew = try database.rows("SELECT 1 FROM shoots WHERE id = ?", [row.id]).isEmpty
        try upsert(
            "shoots",
            key: ["id": row.id],
            [
                "shadow": row.request.shadow.label,
                "highlight": row.request.highlight.label,
                "framesPerSet": row.request.framesPerSet,
                "spacing": row.request.spacing.label,
                "sharing": row.request.sharing.word,
                "biasThirds": row.request.biasThirds,
                "goal": row.request.goal?.words,
                "headline": row.headline,
                "cameraID": row.cameraID,
                "cameraName": row.cameraName,
                "began": wall(row.began),
                "ended": row.ended.map(wall),
                "outcome": row.outcome?.rawValue,
                "cause": row.cause,
                "requestedStop": row.requestedStop?.rawValue,
                "isDismissed": row.isDismissed,
                "dismissedBy": row.dismissal?.word,
                "successor": row.dismissal?.successor,
            ]
        )
        try run("DELETE FROM incidents WHERE shoot = ?", [row.id])
        for (number, incident) in row.incidents.enumerated() {
            try run(
                "INSERT INTO incidents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    row.id, number, incident.kind.rawValue, incident.reason.rawValue, incident.frame,
                    incident.outcome?.rawValue, incident.began.map(wall), incident.ended.map(wall),
                ]
            )
        }
        // Numbers can be missing, so the table can have fewer shoots than the maximum.
        if isNew { try run("DELETE FROM shoots WHERE id <= ?", [row.id - Ledger.shootsMax]) }
    }

    private func write(_ row: FrameRow, _ wall: (Moment) -> Int64) throws {
        // The shoot may be missing: the core dropped it, or the ledger deleted it as too old. Its frames alone are
        // useless, but the other rows of the commit are still valid.
        guard try !database.rows("SELECT 1 FROM shoots WHERE id = ?", [row.shoot]).isEmpty else { return }
        try upsert(
            "frames",
            key: ["shoot": row.shoot, "number": row.index],
            [
                "inSet": row.planned.position.set,
                "inFrame": row.planned.position.frame,
                "speed": row.planned.speed.label,
                "outcome": row.outcome.rawValue,
                "again": row.again?.rawValue,
                "doubt": row.doubt,
                "attempted": row.attempted.map(wall),
                "captured": row.captured.map(wall),
                "shotsLeft": row.shotsLeft,
                "taken": row.taken,
            ]
        )
        try run("DELETE FROM files WHERE shoot = ? AND frame = ?", [row.shoot, row.index])
        for (number, path) in row.files.enumerated() {
            try run("INSERT INTO files VALUES (?, ?, ?, ?)", [row.shoot, row.index, number, path])
        }
    }

    private func write(_ row: SettingRow?, _ key: SettingKey) throws {
        guard let row else {
            return try run("DELETE FROM settings WHERE cameraID = ? AND property = ?", [key.cameraID, key.property])
        }
        try upsert(
            "settings",
            key: ["cameraID": key.cameraID, "property": key.property],
            [
                "cameraName": row.cameraName, "original": row.original,
                "madeHere": row.values.joined(separator: "\n"),
            ]
        )
    }

    /// Replaces the row, so that the camera that was used last is the newest row.
    private func write(_ row: CameraRow) throws {
        try run("DELETE FROM cameras WHERE id = ?", [row.id])
        try run(
            """
            INSERT INTO cameras (id, maker, model, firmware, address, protocol, path, network)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                row.id, row.maker, row.model, row.firmware, row.address, row.protocol?.rawValue, row.path, row.network,
            ]
        )
    }

    private func write(_ row: TimingRow, _ wall: (Moment) -> Int64) throws {
        try run(
            "INSERT INTO timings (cameraID, link, step, milliseconds, at) VALUES (?, ?, ?, ?, ?)",
            [row.cameraID, row.link, row.step.rawValue, max(0, row.milliseconds), wall(row.at)]
        )
    }

    // MARK: Bounds

    private func pruneCameras() throws {
        try run(
            """
            DELETE FROM cameras WHERE rowid <=
                (SELECT rowid FROM cameras ORDER BY rowid DESC LIMIT 1 OFFSET ?)
            """,
            [Ledger.camerasMax]
        )
    }

    private func pruneTimings(_ rows: [TimingRow]) throws {
        struct Key: Hashable { var camera, link, step: String }
        for key in Set(rows.map { Key(camera: $0.cameraID, link: $0.link, step: $0.step.rawValue) }) {
            let these = "cameraID = ? AND link = ? AND step = ?"
            let names: [(any ColumnValue)?] = [key.camera, key.link, key.step]
            try run(
                """
                DELETE FROM timings WHERE \(these) AND number <=
                    (SELECT number FROM timings WHERE \(these) ORDER BY number DESC LIMIT 1 OFFSET ?)
                """,
                names + names + [LedgerContents.timingsMax]
            )
        }
        try run(
            """
            DELETE FROM timings WHERE number <=
                (SELECT number FROM timings ORDER BY number DESC LIMIT 1 OFFSET ?)
            """,
            [Ledger.timingsMax]
        )
    }

    // MARK: Statements

    private typealias Columns = KeyValuePairs<String, (any ColumnValue)?>

    /// Inserts a row, or updates the row with the same key. An update keeps the rows that depend on it.
    private func upsert(_ table: String, key: Columns, _ columns: Columns) throws {
        let names = key.map(\.key) + columns.map(\.key)
        try run(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (\(key.map(\.key).joined(separator: ", ")))
            DO UPDATE SET \(columns.map { "\($0.key) = excluded.\($0.key)" }.joined(separator: ", "))
            """,
            key.map(\.value) + columns.map(\.value)
        )
    }

    private func run(_ sql: String, _ values: [(any ColumnValue)?]) throws { try database.rows(sql, values) }
}

extension Dismissal {
    /// The text that the ledger stores for this value; nil: the value is not stored.
    fileprivate var word: String? {
        switch self {
        case .request: "request"
        case .shoot(_, .client): "shoot"
        case .shoot(_, .button): "button"
        case .unrecorded: nil
        }
    }

    fileprivate var successor: Int? { if case .shoot(let id, _) = self { id } else { nil } }
}
