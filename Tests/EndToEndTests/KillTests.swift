import Foundation
import Testing

/// Kills the daemon by `kill -9` at random instants, with real processes and a real disk.
@Suite(.serialized) struct KillTests {
    private static let stations: [UInt64] = [1, 2, 3]
    private static let killsPerStation = 67
    /// Two sets that share a speed. The shared frame is fired once, so each speed identifies one frame.
    private static let plan = [
        "--shadow", "1/60", "--highlight", "1/1000", "--frames", "3", "--share", "once", "--yes",
    ]

    @Test func `a daemon that is killed two hundred times misses no frame, and doubles at most one per kill`() {
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: Self.stations.count) { index in
            let seed = Self.stations[index]
            do {
                var tripod = try Tripod(seed: seed)
                try tripod.run(kills: Self.killsPerStation)
                failures.append(contentsOf: tripod.wrongs.map { "seed \(seed): \($0)" })
            } catch {
                failures.append(contentsOf: ["seed \(seed): \(error)"])
            }
        }
        #expect(failures.list == [])
    }

    private final class Failures: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [String] = []

        var list: [String] { lock.withLock { all } }

        func append(contentsOf more: [String]) { lock.withLock { all += more } }
    }

    /// A camera, and a daemon that the test kills again and again.
    private struct Tripod {
        let station: Station
        private(set) var wrongs: [String] = []
        private var state: UInt64
        private var shoot = 0
        /// The pictures on the card when the present shoot began.
        private var before: [String] = []
        private var killsOfShoot = 0
        /// The pictures on the card at each start of the daemon, and the frames that the ledger then had as captured.
        private var memories: [(card: [String: Int], captured: [String])] = []

        init(seed: UInt64) throws {
            state = seed &* 0x9E37_79B9_7F4A_7C15
            station = try Station()
            // The body frees its slot at once. Otherwise each run would begin with a wait of five seconds.
            try station.startCamera(["--save-time", "30ms", "--slot-hold", "1ms"])
        }

        mutating func run(kills: Int) throws {
            for _ in 0..<kills {
                try live()
                // This is no wait for an event. The random time is the instant at which the process is killed.
                Thread.sleep(forTimeInterval: Double(random(below: 400)) / 1000)
                station.daemon?.stop(SIGKILL)
                killsOfShoot += 1
            }
            try live()
            try finish()
        }

        /// Starts the daemon, checks its records, and resumes the shoot or begins another one.
        private mutating func live() throws {
            try station.startDaemon()
            // Some daemons are killed before they have done anything.
            guard shoot == 0 || random(below: 5) > 0 else { return }
            try awaitCamera()
            let outcome = shoot == 0 ? "completed" : try record().outcome
            if outcome == "completed" {
                if shoot > 0 { try judge() }
                return try begin()
            }
            try remember()
            let ordered = try station.start("bracketctl", ["--socket", station.socket, "resume"])
            try station.wait(for: "the shoot to go on", within: 20) {
                !ordered.text.isEmpty || !ordered.process.isRunning
            }
            ordered.stop(SIGKILL)
        }

        private func awaitCamera() throws {
            try station.wait(for: "the camera", within: 20) { station.daemon?.text.contains("Connected to") == true }
        }

        private mutating func begin() throws {
            before = try station.card()
            killsOfShoot = 0
            memories = []
            let ordered = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + KillTests.plan)
            let known = shoot
            try station.wait(for: "another shoot", within: 20) { ((try? newest()) ?? 0) > known }
            shoot = try newest()
            ordered.stop(SIGKILL)
        }

        private mutating func finish() throws {
            for _ in 0..<20 where try record().outcome != "completed" {
                try awaitCamera()
                _ = try station.run("bracketctl", ["--socket", station.socket, "resume"])
                try? station.wait(for: "the end", within: 20) { (try? record().outcome) == "completed" }
            }
            try judge()
        }

        private mutating func remember() throws {
            let frames = try record().frames
            let taken = frames.filter { ["captured", "verified"].contains($0.outcome) }
            memories.append((try counts(), taken.map(\.speed)))
        }

        /// Compares the card after a shoot with the plan and with the ledger.
        private mutating func judge() throws {
            let card = try counts()
            let frames = try record().frames
            if try record().outcome != "completed" { wrongs.append("shoot \(shoot) is \(try record())") }
            for frame in frames where card[frame.speed, default: 0] == 0 {
                wrongs.append("shoot \(shoot): \(frame.speed) is missing")
            }
            let doubled = card.values.reduce(0, +) - frames.count
            if doubled > killsOfShoot { wrongs.append("shoot \(shoot): \(doubled) doubled by \(killsOfShoot) kills") }
            let strangers = card.keys.filter { speed in !frames.contains { $0.speed == speed } }
            if !strangers.isEmpty { wrongs.append("shoot \(shoot): \(strangers) were not planned") }
            for (then, captured) in memories {
                for speed in captured where card[speed] != then[speed] {
                    wrongs.append("shoot \(shoot): \(speed) was captured, and was fired again")
                }
            }
        }

        /// The number of pictures of each speed in this shoot.
        private func counts() throws -> [String: Int] {
            var counts: [String: Int] = [:]
            for speed in try station.card().dropFirst(before.count) { counts[speed, default: 0] += 1 }
            return counts
        }

        // MARK: The daemon's messages

        private struct Record: Decodable {
            struct Frame: Decodable {
                var speed: String
                var outcome: String
            }
            var outcome: String?
            var frames: [Frame]
        }

        private func newest() throws -> Int { try station.newestShoot() }

        private func record() throws -> Record { try station.record(of: shoot) }

        /// splitmix64.
        private mutating func random(below bound: UInt64) -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return (mixed ^ (mixed >> 31)) % bound
        }
    }
}
