import Foundation
import Synchronization
import Testing
import Varlink

@testable import bracketctl

/// Runs commands in the process of the test and keeps their output.
final class Bench: Sendable {
    private final class OutputCollector: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private let collectors = (output: OutputCollector(), errors: OutputCollector(), questions: OutputCollector())

    var output: String { text(collectors.output) }
    var errors: String { text(collectors.errors) }
    var questions: String { text(collectors.questions) }
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() }

    /// The lines of the output as JSON. An invalid line is a failure of the test.
    var objects: [JSONValue] {
        lines.compactMap { line in
            do {
                return try JSONValue(parsing: Array(line.utf8))
            } catch {
                Issue.record("not JSON: \(line)")
                return nil
            }
        }
    }

    /// - Parameter answer: the user's answer on the terminal; nil: no terminal.
    func environment(socket: String? = nil, answer: String? = nil, columns: Int? = nil) -> bracketctl.Environment {
        let screen = columns.map { bracketctl.Environment.Screen(columns: $0, rows: 24) }
        return bracketctl.Environment(
            output: output(to: collectors.output),
            errors: output(to: collectors.errors),
            socketPath: socket,
            ask: answer.map { answer in question(answer) },
            answersInterrupts: false,
            timeOfDay: { "14:03:07.412" },
            screen: screen.map { screen in { @Sendable in screen } },
            calendar: Bench.calendar
        )
    }

    /// The local time in the time zone UTC+2.
    @Sendable private static func calendar(_ time: time_t) -> tm {
        var (time, calendar) = (time + 7200, tm())
        gmtime_r(&time, &calendar)
        return calendar
    }

    private func question(_ answer: String) -> @Sendable (String) -> String? {
        let collector = collectors.questions
        return { question in
            collector.bytes.withLock { $0 += Array(question.utf8) }
            return answer
        }
    }

    @discardableResult
    func run(
        _ arguments: String...,
        against daemon: FakeDaemon? = nil,
        answer: String? = nil,
        columns: Int? = nil
    ) async
        -> ProcessExit
    {
        await Bracketctl.run(
            arguments,
            in: environment(socket: daemon?.path ?? "/nonexistent/socket", answer: answer, columns: columns)
        )
    }

    private func output(to collector: OutputCollector) -> Output {
        Output { (bytes) throws(OutputClosed) in collector.bytes.withLock { $0 += bytes } }
    }

    private func text(_ collector: OutputCollector) -> String {
        String(decoding: collector.bytes.withLock { $0 }, as: UTF8.self)
    }
}

/// Runs a test with a scripted daemon. A daemon that can plan has a ready camera, unless the test says otherwise.
func withDaemon(
    _ answers: [String: FakeDaemon.Answer],
    _ body: (FakeDaemon) async throws -> Void
) async throws {
    var answers = answers
    if answers["Plan"] != nil {
        answers["GetStatus"] = answers["GetStatus"] ?? Sample.status()
        answers["Preflight"] = answers["Preflight"] ?? Sample.ready
    }
    let daemon = try await FakeDaemon(answers)
    do {
        try await body(daemon)
    } catch {
        await daemon.stop()
        throw error
    }
    await daemon.stop()
}

enum Sample {
    static func status(
        connection: String = "connected",
        sentence: String = "Sony ILCE-7M4 is ready.",
        shoot: JSONValue = .null
    ) -> FakeDaemon.Answer {
        .one(
            "status",
            [
                "sentence": .string(sentence),
                "charts": [["name": "connection", "state": .string(connection), "configuration": []]],
                "shoot": shoot, "version": "0.1.0",
            ]
        )
    }

    static func plan(
        warnings: [String] = [],
        sets: JSONValue? = nil,
        checkedAgainst: JSONValue = "ILCE-7M4",
        more: [String: JSONValue] = [:]
    ) -> FakeDaemon.Answer {
        .one(
            "plan",
            more.reduce(
                [
                    "rangeEV": 3.0,
                    "sets": sets ?? [["1/250", "1/125", "1/60", "1/30", "1/15"]],
                    "totalExposures": 5,
                    "notes": ["A note"],
                    "warnings": .strings(warnings),
                    "estimateMilliseconds": 7_600,
                    "estimateBasis": "5 exposures, 1.5 s each",
                    "checkedAgainst": checkedAgainst,
                ] as JSONValue
            ) { $0.with($1.key, $1.value) }
        )
    }

    static let ready = FakeDaemon.Answer.one("report", ["isReady": true, "sentence": "Ready to shoot.", "checks": []])

    static func step(
        captured: Int,
        set: Int = 1,
        frame: Int = 1,
        speed: String = "1/60",
        phase: String = "capturing",
        sentence: String = "Exposing.",
        remaining: Int? = nil,
        exposureLeft: Int? = nil
    ) -> JSONValue {
        .object(leavingOutNil: [
            "shoot": 7,
            "captured": .int(captured),
            "total": 15,
            "set": .int(set),
            "frame": .int(frame),
            "speed": .string(speed),
            "phase": .string(phase),
            "sentence": .string(sentence),
            "remainingMilliseconds": remaining.map { .int($0) },
            "exposureLeftMilliseconds": exposureLeft.map { .int($0) },
        ])
    }

    static func end(captured: Int, outcome: String, sentence: String, cause: String? = nil) -> JSONValue {
        .object(leavingOutNil: [
            "shoot": 7,
            "captured": .int(captured),
            "total": 15,
            "phase": .string(outcome),
            "sentence": .string(sentence),
            "outcome": .string(outcome),
            "cause": cause.map { .string($0) },
        ])
    }

    static let completed = end(captured: 15, outcome: "completed", sentence: "15 of 15 exposures captured")
    static let stopped = end(
        captured: 8,
        outcome: "partial",
        sentence: "Stopped at set 2, frame 3. 8 of 15 exposures captured.",
        cause: "the card is full"
    )
}

extension JSONValue {
    func renamed(_ name: String, _ newName: String) -> JSONValue {
        guard case .object(var members) = self, let value = members.removeValue(forKey: name) else { return self }
        members[newName] = value
        return .object(members)
    }

    func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}
