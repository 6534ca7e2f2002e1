import CSQLite

/// A connection to an SQLite database (c3ref/intro.html). Only one thread at a time can use it. Every call can block on
/// the disk.
final class Database {
    private let connection: OpaquePointer
    /// The statements of ``rows(_:_:)``. The key is the SQL. The ledger has a fixed number of statements.
    private var statements: [String: OpaquePointer] = [:]

    /// Opens the file, or creates it.
    ///
    /// - Parameter busyMax: the maximum wait for another process that has the file open, in milliseconds.
    init(path: String, busyMax: CInt) throws(DatabaseError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw DatabaseError(code: code) }
        guard code == SQLITE_OK else {
            defer { sqlite3_close(opened) }
            throw DatabaseError(code: sqlite3_extended_errcode(opened), of: opened)
        }
        connection = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, busyMax)
        try execute("PRAGMA foreign_keys = ON")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    /// Sets whether SQLite leaves the log unchanged when the connection closes.
    func keepLogAtClose(_ keeps: Bool) throws(DatabaseError) {
        try check(csqlite_keep_log_at_close(connection, keeps ? 1 : 0))
    }

    func releaseMemory() { sqlite3_db_release_memory(connection) }

    /// Runs one or more statements without values, and ignores their rows.
    func execute(_ sql: String) throws(DatabaseError) {
        try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// Runs one statement.
    ///
    /// - Parameter values: the values of the statement's parameters, in their order; nil: NULL.
    @discardableResult
    func rows(_ sql: String, _ values: [(any ColumnValue)?] = []) throws(DatabaseError) -> [Row] {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        precondition(sqlite3_bind_parameter_count(statement) == CInt(values.count), "each parameter has a value")
        for (index, value) in values.enumerated() {
            try bind(value?.stored ?? .null, to: CInt(index + 1), of: statement)
        }
        var rows: [Row] = []
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: rows.append(Row(statement))
            case SQLITE_DONE: return rows
            default: throw DatabaseError(code: code, of: connection)
            }
        }
    }

    /// The first column of the first row; nil: no row, NULL, or a value of another type.
    func value<Value: ColumnValue>(
        _ sql: String,
        _ values: [(any ColumnValue)?] = []
    ) throws(DatabaseError) -> Value? {
        try rows(sql, values).first?.values.first.flatMap(Value.init(stored:))
    }

    /// Runs the body as one transaction. If the body throws, the database does not change.
    func inTransaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite itself ends the transaction after some errors (lang_transaction.html, "Response To Errors Within A
            // Transaction").
            if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func statement(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared else { throw DatabaseError(code: SQLITE_MISUSE) }
        statements[sql] = prepared
        return prepared
    }

    private func bind(_ value: StoredValue, to place: CInt, of statement: OpaquePointer) throws(DatabaseError) {
        switch value {
        case .null: try check(sqlite3_bind_null(statement, place))
        case .integer(let number): try check(sqlite3_bind_int64(statement, place, number))
        case .text(var text):
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    csqlite_bind_text(statement, place, $0.baseAddress, CInt($0.count))
                }
            }
            try check(code)
        case .other: preconditionFailure("the ledger stores numbers and texts")
        }
    }

    private func check(_ code: CInt) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw DatabaseError(code: code, of: connection) }
    }
}

/// An error that SQLite reported.
struct DatabaseError: Error, Equatable {
    /// The extended result code (rescode.html).
    var code: CInt
    /// SQLite's description of the error; nil: none.
    var message: String?

    /// The primary result code: extended codes share their lower byte.
    var primaryCode: CInt { code & 0xFF }

    init(code: CInt, of connection: OpaquePointer? = nil) {
        self.code = code
        message = connection.flatMap(sqlite3_errmsg).map { String(cString: $0) }
    }
}

/// A value in the form in which the file stores it (datatype3.html).
enum StoredValue: Equatable, CustomStringConvertible {
    case null
    case integer(Int64)
    case text(String)
    /// A value of a type that the ledger does not use: REAL or BLOB.
    case other(type: String)

    var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .other(let type): "a \(type)"
        }
    }
}

/// A result row of a query.
struct Row {
    let names: [String]
    let values: [StoredValue]

    fileprivate init(_ statement: OpaquePointer) {
        let columns = 0..<sqlite3_column_count(statement)
        names = columns.map { column in sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "" }
        values = columns.map { column in
            switch sqlite3_column_type(statement, column) {
            case SQLITE_NULL: .null
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
            case SQLITE_TEXT:
                .text(
                    String(
                        decoding: UnsafeBufferPointer(
                            start: sqlite3_column_text(statement, column),
                            count: Int(sqlite3_column_bytes(statement, column))
                        ),
                        as: UTF8.self
                    )
                )
            case SQLITE_FLOAT: .other(type: "REAL")
            default: .other(type: "BLOB")
            }
        }
    }

    /// The value in a column; NULL if the row does not have the column.
    subscript(column: String) -> StoredValue { names.firstIndex(of: column).map { values[$0] } ?? .null }
}

/// A type of the ledger's columns.
protocol ColumnValue {
    var stored: StoredValue { get }
    /// Returns nil if the stored value has another type.
    init?(stored: StoredValue)
}

extension Int: ColumnValue {
    var stored: StoredValue { .integer(Int64(self)) }
    init?(stored: StoredValue) {
        guard case .integer(let number) = stored else { return nil }
        self.init(exactly: number)
    }
}

extension Int64: ColumnValue {
    var stored: StoredValue { .integer(self) }
    init?(stored: StoredValue) {
        guard case .integer(let number) = stored else { return nil }
        self = number
    }
}

extension Bool: ColumnValue {
    var stored: StoredValue { .integer(self ? 1 : 0) }
    init?(stored: StoredValue) {
        guard case .integer(let number) = stored else { return nil }
        self = number != 0
    }
}

extension String: ColumnValue {
    var stored: StoredValue { .text(self) }
    init?(stored: StoredValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}
