import Foundation

/// What the daemon's ledger has, as `bracketctl history` prints it.
extension Station {
    private struct Summary: Decodable { var shoot: Int }

    /// The number of the newest shoot; 0: there is none.
    func newestShoot() throws -> Int {
        let text = ctl("history", "--limit", "1", "--json").output
        return text.isEmpty ? 0 : try JSONDecoder().decode(Summary.self, from: Data(text.utf8)).shoot
    }

    /// A shoot with its frames.
    func record<Record: Decodable>(of shoot: Int) throws -> Record {
        var output = ""
        // The ledger is opened outside the loop; a request before that is refused.
        try wait(for: "the ledger", within: 20) {
            output = ctl("history", "show", String(shoot), "--json").output
            return !output.contains("LedgerUnavailable")
        }
        return try JSONDecoder().decode(Record.self, from: Data(output.utf8))
    }
}
