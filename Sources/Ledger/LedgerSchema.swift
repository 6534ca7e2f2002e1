import Controller
import Exposure

enum LedgerSchema {
    /// The id `BRKT` that marks the file as a ledger (pragma.html, "application_id").
    static let applicationID = 0x4252_4B54
    /// The maximum version of a schema that this project writes.
    static let versionMax = 1000

    /// The migration to each version from the previous one. A released migration never changes. New values and columns
    /// come with a new version, so a file of a known version has only known values.
    static let migrations = [first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth]

    private static let first = """
        CREATE TABLE shoots (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            shadow TEXT NOT NULL \(oneOf("shadow", speeds)),
            highlight TEXT NOT NULL \(oneOf("highlight", speeds)),
            framesPerSet INTEGER NOT NULL CHECK (framesPerSet IN (3, 5, 7, 9)),
            spacing TEXT NOT NULL \(oneOf("spacing", Spacing.allCases.map(\.label))),
            sharing TEXT NOT NULL \(oneOf("sharing", Sharing.allCases.map(\.word))),
            biasThirds INTEGER NOT NULL CHECK (biasThirds BETWEEN -15 AND 15),
            headline TEXT NOT NULL,
            cameraID TEXT NOT NULL,
            cameraName TEXT NOT NULL,
            began INTEGER NOT NULL,
            ended INTEGER,
            outcome TEXT \(oneOf("outcome", ShootOutcome.allCases.map(\.rawValue))),
            cause TEXT,
            isDismissed INTEGER NOT NULL CHECK (isDismissed IN (0, 1))
        ) STRICT;
        CREATE TABLE frames (
            shoot INTEGER NOT NULL REFERENCES shoots ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 0),
            inSet INTEGER NOT NULL CHECK (inSet >= 1),
            inFrame INTEGER NOT NULL CHECK (inFrame >= 1),
            speed TEXT NOT NULL \(oneOf("speed", speeds)),
            outcome TEXT NOT NULL \(oneOf("outcome", firstFrameStates)),
            again TEXT \(oneOf("again", firstFrameStates)),
            doubt TEXT,
            attempted INTEGER,
            captured INTEGER,
            shotsLeft INTEGER,
            PRIMARY KEY (shoot, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE files (
            shoot INTEGER NOT NULL,
            frame INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            path TEXT NOT NULL,
            PRIMARY KEY (shoot, frame, number),
            FOREIGN KEY (shoot, frame) REFERENCES frames ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE settings (
            cameraID TEXT NOT NULL,
            cameraName TEXT NOT NULL,
            property TEXT NOT NULL CHECK (property <> ''),
            original TEXT NOT NULL,
            madeHere TEXT NOT NULL,
            PRIMARY KEY (cameraID, property)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cameras (
            id TEXT NOT NULL UNIQUE,
            maker TEXT NOT NULL,
            model TEXT NOT NULL,
            firmware TEXT NOT NULL,
            address TEXT NOT NULL,
            network TEXT
        ) STRICT;
        CREATE TABLE timings (
            number INTEGER PRIMARY KEY,
            cameraID TEXT NOT NULL,
            link TEXT NOT NULL,
            step TEXT NOT NULL \(oneOf("step", TimingRow.Step.allCases.map(\.rawValue))),
            milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX timingsOfStep ON timings (cameraID, link, step, number);
        """

    /// Adds the reason why a shoot lacks frames. In version 1, each new shoot dropped the missing frames of the shoot
    /// before it.
    private static let second = """
        ALTER TABLE shoots ADD COLUMN dismissedBy TEXT CHECK (dismissedBy IN ('request', 'shoot', 'button'));
        ALTER TABLE shoots ADD COLUMN successor INTEGER;
        UPDATE shoots SET isDismissed = 1, dismissedBy = 'shoot',
            successor = (SELECT min(later.id) FROM shoots AS later WHERE later.id > shoots.id)
        WHERE isDismissed = 0 AND outcome IS NOT 'completed' AND id < (SELECT max(id) FROM shoots);
        """

    /// Adds the incidents of a shoot.
    private static let third = """
        CREATE TABLE incidents (
            shoot INTEGER NOT NULL REFERENCES shoots ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 0),
            kind TEXT NOT NULL CHECK (kind IN ('paused', 'interrupted', 'in-doubt', 'fired-again')),
            reason TEXT NOT NULL CHECK (reason IN ('command', 'link-lost', 'wifi-switched', 'camera-not-fit',
                'not-recorded', 'interrupted', 'no-picture', 'in-doubt', 'suspect')),
            frame INTEGER CHECK (frame >= 0),
            outcome TEXT CHECK (outcome IN ('fired', 'not-fired', 'unknown')),
            began INTEGER,
            ended INTEGER,
            PRIMARY KEY (shoot, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// Adds the count of commits. A wrong count shows that SQLite's log ended early; see ``LedgerCount``.
    private static let fourth = """
        CREATE TABLE commits (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            ledger TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            lost INTEGER NOT NULL CHECK (lost >= 0),
            lostShoot INTEGER NOT NULL CHECK (lostShoot >= 0)
        ) STRICT;
        INSERT INTO commits VALUES (1, lower(hex(randomblob(8))), 0, 0, 0);
        """

    /// Adds the states `exposed` and `lost` for frames whose pictures are only on this computer. SQLite cannot change a
    /// constraint, so both tables are created again.
    private static let fifth = """
        CREATE TABLE frames5 (
            shoot INTEGER NOT NULL REFERENCES shoots ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 0),
            inSet INTEGER NOT NULL CHECK (inSet >= 1),
            inFrame INTEGER NOT NULL CHECK (inFrame >= 1),
            speed TEXT NOT NULL \(oneOf("speed", speeds)),
            outcome TEXT NOT NULL \(oneOf("outcome", firstFrameStates + ["exposed", "lost"])),
            again TEXT \(oneOf("again", firstFrameStates + ["exposed", "lost"])),
            doubt TEXT,
            attempted INTEGER,
            captured INTEGER,
            shotsLeft INTEGER,
            PRIMARY KEY (shoot, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO frames5 SELECT * FROM frames;
        CREATE TABLE files5 (
            shoot INTEGER NOT NULL,
            frame INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            path TEXT NOT NULL,
            PRIMARY KEY (shoot, frame, number),
            FOREIGN KEY (shoot, frame) REFERENCES frames5 ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        INSERT INTO files5 SELECT * FROM files;
        DROP TABLE files;
        DROP TABLE frames;
        ALTER TABLE frames5 RENAME TO frames;
        ALTER TABLE files5 RENAME TO files;
        """

    /// Adds the time of the camera's clock at each frame. With it, a picture older than the shoot is detected.
    private static let sixth = "ALTER TABLE frames ADD COLUMN taken INTEGER;"

    /// Adds the user's request to an interrupted shoot. Up to version 6 it was stored only as part of a sentence.
    private static let seventh = """
        ALTER TABLE shoots ADD COLUMN requestedStop TEXT CHECK (requestedStop IN ('pause', 'cancel'));
        UPDATE shoots SET requestedStop = 'pause' WHERE cause = 'It was paused by command.';
        UPDATE shoots SET requestedStop = 'cancel' WHERE cause = 'It was to end at the frame''s end, by command.';
        """

    /// Adds the maker to camera ids. Up to version 7, Sony made all cameras.
    private static let eighth = """
        UPDATE shoots SET cameraID = 'sony:' || cameraID WHERE cameraID <> '';
        UPDATE settings SET cameraID = 'sony:' || cameraID WHERE cameraID <> '';
        UPDATE cameras SET id = 'sony:' || id WHERE id <> '';
        UPDATE timings SET cameraID = 'sony:' || cameraID WHERE cameraID <> '';
        """

    /// Adds the protocol and the path of a camera's address. Up to version 8 all cameras used PTP/IP.
    private static let ninth = """
        ALTER TABLE cameras ADD COLUMN protocol TEXT;
        ALTER TABLE cameras ADD COLUMN path TEXT;
        UPDATE cameras SET protocol = 'ptpip';
        """

    /// Adds the goal of a bracket that finds its own range.
    private static let tenth = "ALTER TABLE shoots ADD COLUMN goal TEXT;"

    /// The frame states of version 1.
    private static let firstFrameStates = [
        "planned", "attempting", "captured", "verified", "suspect", "unknown", "failed",
    ]
    private static let speeds = ShutterSpeed.all.map(\.label)

    /// A constraint on the values of a column. NULL satisfies it if the column allows NULL.
    private static func oneOf(_ column: String, _ words: [String]) -> String {
        "CHECK (\(column) IN (\(words.map { "'\($0)'" }.joined(separator: ", "))))"
    }

    /// Migrates an older or new file to the current version.
    static func migrate(_ database: Database, from version: Int, by migrations: [String]) throws {
        guard version < migrations.count else { return }
        try database.inTransaction {
            for migration in migrations[version...] { try database.execute(migration) }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(migrations.count)")
        }
    }
}

extension BracketGoal {
    /// The text that the ledger stores for this value: three numbers, and a word if the light is checked.
    var words: String { "\(framesMax) \(clipHundredths) \(floorCode)\(checksLight ? " \(Self.lightWord)" : "")" }

    private static let lightWord = "light"

    /// Reads the text that the ledger stores; nil: another text.
    init?(words: String) {
        let parts = words.split(separator: " ", omittingEmptySubsequences: false)
        let numbers = parts.prefix(3).compactMap { Int($0) }
        let more = parts.dropFirst(3).map(String.init)
        guard numbers.count == 3, more.isEmpty || more == [Self.lightWord] else { return nil }
        self.init(
            framesMax: numbers[0],
            clipHundredths: numbers[1],
            floorCode: numbers[2],
            checksLight: !more.isEmpty
        )
    }
}

extension Sharing {
    /// The text that the ledger stores for this value.
    var word: String {
        switch self {
        case .twice: "twice"
        case .once: "once"
        }
    }
}
