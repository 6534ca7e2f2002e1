import Cameras
import Controller
import Exposure
import PrintableText

struct LedgerReader {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The state that the core receives at its start.
    ///
    /// A row with an invalid value is skipped and reported. The checks of the schema prevent such rows. If one occurs,
    /// the other rows are still more useful than a new file.
    func contents() throws -> LedgerContents {
        var contents = LedgerContents()
        contents.lastShoot =
            try database.value(
                "SELECT max(coalesce((SELECT max(id) FROM shoots), 0), (SELECT lostShoot FROM commits))"
            ) ?? 0
        var unread: [String] = []
        func keep<Value>(_ read: () throws -> Value) throws -> Value? {
            do {
                return try read()
            } catch let fault as LedgerFault {
                unread.append(fault.sentence)
                return nil
            }
        }
        contents.unfinished = try keep { try unfinished() } ?? nil
        contents.unfinished?.isRecordIncomplete = try commits().lost > 0
        contents.settings = try rows("SELECT * FROM settings ORDER BY cameraID, property")
            .compactMap { row in try keep { try setting(row) } }
        contents.cameras = try rows("SELECT * FROM cameras ORDER BY rowid")
            .compactMap { row in try keep { try camera(row) } }
        contents.timings = try rows("SELECT * FROM timings ORDER BY number")
            .compactMap { row in try keep { try timing(row) } }
        contents.notice = unread.first.map { DamageSentences.rowsIgnored(unread.count, first: $0) }
        return contents
    }

    /// The id of the ledger, the number of its commits, and the number of commits in the last loss.
    func commits() throws -> (ledger: String, number: Int, lost: Int) {
        guard let row = try rows("SELECT * FROM commits").first else {
            throw LedgerFault(DamageSentences.countIsMissing)
        }
        return (try row("ledger"), try row("number"), try row("lost"))
    }

    func answer(_ query: LedgerQuery) throws -> LedgerAnswer {
        switch query {
        case .shoots(let limit, let before):
            let sql = """
                SELECT *,
                    (SELECT count(*) FROM frames WHERE shoot = id) AS total,
                    (SELECT count(*) FROM frames WHERE shoot = id AND outcome IN \(Self.capturedStates)) AS captured
                FROM shoots WHERE id < ? ORDER BY id DESC LIMIT ?
                """
            let limit = min(max(0, limit), Ledger.listMax)
            return .shoots(try rows(sql, [before ?? .max, limit]).map(summary))
        case .shoot(let id):
            guard let row = try shoot(id) else { return .noShoot(id) }
            return .shoot(row, try frames(of: id))
        }
    }

    private static let capturedStates =
        "(" + FrameState.allCases.filter(\.isCaptured).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"

    // MARK: Values

    private func unfinished() throws -> LedgerContents.Unfinished? {
        // A partial shoot without frames to fire must not hide an older shoot that has some. A bracket that finds its
        // own range can always have more frames.
        let sql = """
            SELECT max(id) FROM shoots
            WHERE isDismissed = 0 AND outcome IS NOT ?
            AND (outcome IS NULL OR outcome = ? OR goal IS NOT NULL OR EXISTS (
                SELECT 1 FROM frames WHERE shoot = id AND (
                    outcome NOT IN \(Self.capturedStates) OR again NOT IN \(Self.capturedStates)
                    OR (again IS NULL AND outcome = '\(FrameState.suspect.rawValue)'))))
            """
        let words = [ShootOutcome.completed.rawValue, ShootOutcome.interrupted.rawValue]
        guard let id: Int = try database.value(sql, words),
            let row = try shoot(id)
        else { return nil }
        return .init(shoot: row, frames: try frames(of: id))
    }

    private func shoot(_ id: Int) throws -> ShootRow? {
        guard var row = try rows("SELECT * FROM shoots WHERE id = ?", [id]).first.map(shoot) else { return nil }
        row.incidents = try rows("SELECT * FROM incidents WHERE shoot = ? ORDER BY number", [id]).map(incident)
        return row
    }

    private func incident(_ row: ReadRow) throws -> Incident {
        Incident(
            try row("kind", Incident.Kind.init(rawValue:)),
            try row("reason", Incident.Reason.init(rawValue:)),
            frame: try row.optional("frame"),
            outcome: try row.optional("outcome", Incident.Outcome.init(rawValue:)),
            began: try row.optional("began").map(Moment.wall),
            ended: try row.optional("ended").map(Moment.wall)
        )
    }

    private func summary(_ row: ReadRow) throws -> ShootSummary {
        ShootSummary(shoot: try shoot(row), captured: try row("captured"), total: try row("total"))
    }

    private func shoot(_ row: ReadRow) throws -> ShootRow {
        var shoot = ShootRow(
            id: try row("id"),
            request: try request(row),
            headline: try row("headline"),
            cameraID: try row("cameraID"),
            cameraName: try row("cameraName"),
            began: .wall(milliseconds: try row("began"))
        )
        shoot.ended = try row.optional("ended").map(Moment.wall)
        shoot.outcome = try row.optional("outcome", ShootOutcome.init(rawValue:))
        shoot.cause = try row.optional("cause")
        shoot.requestedStop = try row.optional("requestedStop", RequestedStop.init(rawValue:))
        shoot.dismissal = try dismissal(row)
        return shoot
    }

    private func dismissal(_ row: ReadRow) throws -> Dismissal? {
        guard try row("isDismissed") else { return nil }
        let word: String? = try row.optional("dismissedBy")
        switch word {
        case nil: return .unrecorded
        case "request": return .request
        case "shoot": return .shoot(try row("successor"), by: .client)
        case "button": return .shoot(try row("successor"), by: .button)
        default: throw row.fault("dismissedBy")
        }
    }

    private func request(_ row: ReadRow) throws -> PlanRequest {
        let shadow = try row("shadow", Self.speed)
        let highlight = try row("highlight", Self.speed)
        let framesPerSet: Int = try row("framesPerSet")
        let spacing = try row("spacing") { word in Spacing.allCases.first { $0.label == word } }
        let sharing = try row("sharing") { word in Sharing.allCases.first { $0.word == word } }
        let biasThirds: Int = try row("biasThirds")
        if let goal = try row.optional("goal", BracketGoal.init(words:)) {
            return PlanRequest(from: highlight, spacing: spacing, goal: goal)
        }
        do {
            return try PlanRequest(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: framesPerSet,
                spacing: spacing,
                sharing: sharing,
                biasThirds: biasThirds
            )
        } catch {
            throw row.fault("framesPerSet")
        }
    }

    private func frames(of shoot: Int) throws -> [FrameRow] {
        var files: [Int: [String]] = [:]
        for row in try rows("SELECT * FROM files WHERE shoot = ? ORDER BY frame, number", [shoot]) {
            files[try row("frame"), default: []].append(try row("path"))
        }
        return try rows("SELECT * FROM frames WHERE shoot = ? ORDER BY number", [shoot]).map { row in
            let number: Int = try row("number")
            let (set, frame): (Int, Int) = (try row("inSet"), try row("inFrame"))
            guard set >= 1, frame >= 1 else { throw row.fault("inSet") }
            let position = FramePosition(set: set, frame: frame)
            var kept = FrameRow(
                shoot: try row("shoot"),
                index: number,
                planned: PlannedFrame(position: position, speed: try row("speed", Self.speed)),
                outcome: try row("outcome", FrameState.init(rawValue:))
            )
            kept.again = try row.optional("again", FrameState.init(rawValue:))
            kept.doubt = try row.optional("doubt")
            kept.attempted = try row.optional("attempted").map(Moment.wall)
            kept.captured = try row.optional("captured").map(Moment.wall)
            kept.shotsLeft = try row.optional("shotsLeft")
            kept.files = files[number] ?? []
            kept.taken = try row.optional("taken")
            return kept
        }
    }

    private static func speed(_ label: String) -> ShutterSpeed? { ShutterSpeed.all.first { $0.label == label } }

    private func setting(_ row: ReadRow) throws -> SettingRow {
        SettingRow(
            cameraID: try row("cameraID"),
            cameraName: try row("cameraName"),
            property: try row("property"),
            original: try row("original"),
            values: (try row("madeHere") as String).split(separator: "\n").map(String.init)
        )
    }

    private func camera(_ row: ReadRow) throws -> CameraRow {
        CameraRow(
            id: try row("id"),
            maker: try row("maker"),
            model: try row("model"),
            firmware: try row("firmware"),
            address: try row("address"),
            protocol: try row.optional("protocol").map(CameraProtocol.init(rawValue:)),
            path: try row.optional("path"),
            network: try row.optional("network")
        )
    }

    private func timing(_ row: ReadRow) throws -> TimingRow {
        TimingRow(
            cameraID: try row("cameraID"),
            link: try row("link"),
            step: try row("step", TimingRow.Step.init(rawValue:)),
            milliseconds: try row("milliseconds"),
            at: .wall(milliseconds: try row("at"))
        )
    }

    // MARK: Statements

    private func rows(_ sql: String, _ values: [(any ColumnValue)?] = []) throws -> [ReadRow] {
        try database.rows(sql, values).map { ReadRow(row: $0) }
    }
}

/// The values of a row's columns. A value that is missing or has another type throws.
struct ReadRow {
    let row: Row

    func callAsFunction<Value: ColumnValue>(_ column: String) throws(LedgerFault) -> Value {
        guard let value: Value = try optional(column) else { throw fault(column) }
        return value
    }

    func callAsFunction<Value>(_ column: String, _ parse: (String) -> Value?) throws(LedgerFault) -> Value {
        guard let value = try optional(column, parse) else { throw fault(column) }
        return value
    }

    func optional<Value: ColumnValue>(_ column: String) throws(LedgerFault) -> Value? {
        let stored = row[column]
        if stored == .null { return nil }
        guard let value = Value(stored: stored) else { throw fault(column) }
        // Earlier versions stored names as cameras sent them, so they are made printable here. A path must stay the
        // name of its file. The values of a setting are separated by line ends.
        guard let text = value as? String, column != "path" else { return value }
        let keepingLineEnds = ["madeHere", "cause"].contains(column)
        return PrintableText.clean(text, lengthMax: .max, keepingLineEnds: keepingLineEnds) as? Value
    }

    func optional<Value>(_ column: String, _ parse: (String) -> Value?) throws(LedgerFault) -> Value? {
        guard let text: String = try optional(column) else { return nil }
        guard let value = parse(text) else { throw fault(column) }
        return value
    }

    func fault(_ column: String) -> LedgerFault {
        let name = row.names.first ?? ""
        return LedgerFault(DamageSentences.invalidRow(name, row[name], column: column, value: row[column]))
    }
}
