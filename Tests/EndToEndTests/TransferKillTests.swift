import Foundation
import Testing

/// Kills the daemon by `kill -9` during transfers of pictures that are on no card, with real processes and a real disk.
///
/// `BRACKETD_KILLS=200 ./test --filter TransferKillTests` kills the daemon 200 times.
@Suite(.serialized) struct TransferKillTests {
    /// The models: bodies that keep unfetched pictures, one that discards them, one that steps through speeds, and one
    /// that always writes to its card.
    private static let models = ["ilce-7m4", "ilce-1m2", "zv-e10", "ilce-7cm2", "dsc-rx100m7", "ilce-6400"]
    private static let killsTold = ProcessInfo.processInfo.environment["BRACKETD_KILLS"].flatMap { Int($0) }

    @Test(arguments: models)
    func `every planned frame is stored, or is reported as missing and fired by retry`(model: String) throws {
        // The number of kills is divided by the number of models. Only the long run includes the slow models.
        let short = ["ilce-7m4", "ilce-1m2"].contains(model) ? 3 : 0
        let kills = Self.killsTold.map { ($0 + Self.models.count - 1) / Self.models.count } ?? short
        guard kills > 0 else { return }
        var tripod = try Tripod(model: model)
        for _ in 0..<kills { try tripod.live() }
        try tripod.finish()
        #expect(tripod.wrongs == [])
        print("\(model): \(kills) kills, \(tripod.summary)")
    }

    @Test func `a picture that was stored before a kill in the next frame stays in the history`() throws {
        let station = try Station()
        let pictures = station.file("pictures").path
        let transfer = "[transfer]\npolicy = \"jpeg\"\ndirectory = \"\(pictures)\""
        try station.startCamera(["--model", "ilce-7m4", "--slot-hold", "1ms"])
        try station.startDaemon(more: transfer)
        try station.wait(for: "the camera", within: 30) { station.daemon?.text.contains("Connected to") == true }
        let plan = ["--shadow", "4s", "--highlight", "1s", "--frames", "3", "--yes"]
        let client = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
        try station.wait(for: "the second picture", within: 30) {
            let names = FileManager.default.enumerator(atPath: pictures)?.compactMap { $0 as? String } ?? []
            return names.count { $0.hasSuffix(".JPG") } == 2
        }
        // The record comes before the end of the next frame, which takes 4 s.
        try station.wait(for: "the record of the second picture", within: 3) {
            guard let record: Record = try? station.record(of: 1) else { return false }
            return record.frames.map(\.files.count) == [1, 1, 0] && record.frames[1].outcome == "verified"
        }
        station.daemon?.stop(SIGKILL)
        client.stop(SIGKILL)
        try station.startDaemon(more: transfer)
        let record: Record = try station.record(of: 1)
        #expect(record.outcome == "interrupted")
        #expect(record.frames.map(\.files.count) == [1, 1, 0] && record.frames[1].outcome == "verified")
    }

    private struct Record: Decodable {
        struct Frame: Decodable {
            var speed: String
            var outcome: String
            var doubt: String?
            var files: [String]
        }
        var shoot: Int
        var outcome: String?
        var cause: String?
        var frames: [Frame]
    }

    /// A camera, and a daemon that the test kills during transfers.
    private struct Tripod {
        let station: Station
        private(set) var wrongs: [String] = []
        private(set) var counts = (shoots: 0, cut: 0, lost: 0)
        private var shoot = 0
        private var random = SystemRandomNumberGenerator()

        var summary: String {
            "\(counts.cut) in a transfer, \(counts.shoots) shoots whole, \(counts.lost) pictures said to be lost"
        }

        init(model: String) throws {
            station = try Station()
            let sizes = ["--picture-size", "1MB", "--fault", "slow-transfer=2MB"]
            try station.startCamera(
                ["--model", model, "--save-target", "host", "--save-time", "30ms", "--slot-hold", "1ms"] + sizes
            )
        }

        private var pictures: URL { station.file("pictures") }

        private func start() throws {
            try station.startDaemon(more: "[transfer]\npolicy = \"both\"\ndirectory = \"\(pictures.path)\"")
            try station.wait(for: "the camera", within: 30) { station.daemon?.text.contains("Connected to") == true }
        }

        private var isInTransfer: Bool {
            let names = FileManager.default.enumerator(atPath: pictures.path)
            return names?.contains { ($0 as? String)?.hasSuffix(".part") == true } ?? false
        }

        mutating func live() throws {
            try start()
            let client = try fire()
            try? station.wait(for: "a transfer", within: 15) { isInTransfer || !client.process.isRunning }
            // This is no wait for an event. The random time is the instant at which the process is killed.
            Thread.sleep(forTimeInterval: Double(Int.random(in: 0..<2500, using: &random)) / 1000)
            if isInTransfer { counts.cut += 1 }
            station.daemon?.stop(SIGKILL)
            client.stop(SIGKILL)
        }

        /// Resumes the shoot or begins another one.
        private mutating func fire() throws -> Station.Running {
            if shoot > 0, try record().outcome != "completed" {
                return try station.start("bracketctl", ["--socket", station.socket, "retry"])
            }
            if shoot > 0 { try judge() }
            let plan = ["--shadow", "1/250", "--highlight", "1/1000", "--frames", "3", "--yes"]
            let known = shoot
            let client = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + plan)
            try station.wait(for: "another shoot", within: 20) { ((try? newest()) ?? 0) > known }
            shoot = try newest()
            return client
        }

        mutating func finish() throws {
            try start()
            for _ in 0..<8 where try record().outcome != "completed" {
                let lost = try record().frames.filter { $0.outcome == "lost" }
                counts.lost += lost.count
                if !lost.isEmpty, lost.contains(where: { $0.doubt?.isEmpty ?? true }) {
                    wrongs.append("\(try record())")
                }
                _ = try station.run("bracketctl", ["--socket", station.socket, "retry"])
            }
            try judge()
        }

        /// Checks that the pictures of every planned frame of the shoot are on this computer.
        private mutating func judge() throws {
            let record = try record()
            counts.shoots += 1
            if record.outcome != "completed" { wrongs.append("shoot \(shoot) is \(record)") }
            for frame in record.frames {
                let isCaptured = ["captured", "verified"].contains(frame.outcome)
                let sizes = frame.files.map { (try? Data(contentsOf: pictures.appendingPathComponent($0)).count) ?? 0 }
                if !isCaptured || sizes.isEmpty || sizes.contains(where: { $0 < 1_000_000 }) {
                    wrongs.append("shoot \(shoot), \(frame.speed): \(frame), \(sizes)")
                }
            }
            let folders = Set(record.frames.flatMap(\.files).compactMap { $0.split(separator: "/").first })
            let made = try FileManager.default.contentsOfDirectory(atPath: pictures.path)
                .filter { $0.hasSuffix("-shoot-\(shoot)") }
            if folders.count != 1 || made.count != 1 { wrongs.append("shoot \(shoot) has folders \(made)") }
        }

        private func newest() throws -> Int { try station.newestShoot() }

        private func record() throws -> Record { try station.record(of: shoot) }
    }
}
