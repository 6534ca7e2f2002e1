import Flight
import Varlink

struct ReplayReport {
    private let header: FlightHeader
    private let showsInputs: Bool
    private let isJSON: Bool
    private let environment: Environment

    init(_ header: FlightHeader, showsInputs: Bool, isJSON: Bool, _ environment: Environment) {
        self.header = header
        self.showsInputs = showsInputs
        self.isJSON = isJSON
        self.environment = environment
    }

    /// Since the recording began.
    func time(_ time: Duration) -> Duration { time - header.clock }

    func begin() throws(OutputClosed) {
        let began = HistoryTime(milliseconds: header.began)
        guard isJSON else {
            let sentence = "A run of bracketd \(header.version), started at \(began.date(in: environment))."
            return try environment.output.line(sentence)
        }
        let object: JSONValue = ["version": .string(header.version), "began": .string(began.text)]
        try environment.output.line(object.description)
    }

    func show(_ record: FlightRecord, _ step: FlightReplay.Step) throws(OutputClosed) {
        guard !isJSON else { return try showJSON(record, step) }
        let time = ReplayReport.column(time(record.time))
        guard showsInputs else {
            for transition in step.transitions { try environment.output.line("\(time)  \(transition.words)") }
            return
        }
        let led = (step.deeds + step.transitions.map(\.words)).joined(separator: "; ")
        try environment.output.line("\(time)  \(record.number)  \(step.cause)\(led.isEmpty ? "" : " ⇒ \(led)")")
    }

    private func showJSON(_ record: FlightRecord, _ step: FlightReplay.Step) throws(OutputClosed) {
        let place: [String: JSONValue] = [
            "record": .int(record.number), "milliseconds": .int(time(record.time).wholeMilliseconds),
        ]
        let transitions = step.transitions.map(\.json)
        guard showsInputs else {
            for transition in transitions {
                try environment.output.line(JSONValue.object(place.merging(transition) { $1 }).description)
            }
            return
        }
        let details: [String: JSONValue] = [
            "input": .string(step.cause), "actions": .strings(step.deeds),
            "transitions": .array(transitions.map { .object($0) }),
        ]
        try environment.output.line(JSONValue.object(place.merging(details) { $1 }).description)
    }

    /// Reports a difference between replay and recording.
    func differs(_ difference: FlightDifference) throws(OutputClosed) -> ProcessExit {
        let seconds = ReplayReport.seconds(time(difference.time))
        let sentence = "First difference at record \(difference.number), \(seconds) s: \(difference.sentence)"
        guard isJSON else {
            try environment.output.line(sentence)
            return .error
        }
        var object: [String: JSONValue] = [
            "identical": false, "record": .int(difference.number),
            "milliseconds": .int(time(difference.time).wholeMilliseconds), "sentence": .string(sentence),
        ]
        if case .transitions(let came) = difference.kind {
            object["recorded"] = .array(difference.recorded.map { .object($0.json) })
            object["replayed"] = .array(came.map { .object($0.json) })
        }
        try environment.output.line(JSONValue.object(object).description)
        return .error
    }

    /// - Parameter isWhole: whether the replay reached the end and the recording is complete.
    func end(_ replay: FlightReplay, isWhole: Bool) throws(OutputClosed) {
        let sentence = "\(ReplayReport.counts(replay)): replayed identically\(isWhole ? "." : " up to here.")"
        guard isJSON else { return try environment.output.line(sentence) }
        let object: JSONValue = [
            "identical": true, "inputs": .int(replay.recordCount), "transitions": .int(replay.transitionCount),
            "isWhole": .bool(isWhole), "sentence": .string(sentence),
        ]
        try environment.output.line(object.description)
    }

    static func counts(_ replay: FlightReplay) -> String {
        let inputs = replay.recordCount == 1 ? "1 input" : "\(replay.recordCount) inputs"
        let transitions = replay.transitionCount == 1 ? "1 transition" : "\(replay.transitionCount) transitions"
        return "\(inputs), \(transitions)"
    }

    /// Right-aligned, so that days do not move the column.
    private static func column(_ time: Duration) -> String {
        let text = seconds(time)
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }

    /// `12.345`
    private static func seconds(_ time: Duration) -> String {
        let (seconds, rest) = time.wholeMilliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = String(rest)
        return "\(seconds)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

extension FlightTransition {
    fileprivate var json: [String: JSONValue] {
        [
            "chart": .string(chart), "from": .strings(from.split(separator: " ").map(String.init)),
            "to": .strings(to.split(separator: " ").map(String.init)), "event": .string(event),
        ]
    }
}

extension Duration {
    /// Whole milliseconds; 0 for a negative time.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = max(.zero, self).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
