import Controller
import Flight
import Varlink

struct ReplayReport {
    let header: FlightHeader
    let showsInputs: Bool
    let isJSON: Bool
    let environment: Environment

    /// The time since the recording began; 0 for a time before the recording.
    func time(_ time: Duration) -> Duration { max(.zero, time - header.clock) }

    func begin() throws(OutputClosed) {
        let began = HistoryTime(milliseconds: header.began)
        let sentence = ReplaySentences.run(version: header.version, began: began.date(in: environment))
        let object: JSONValue = ["version": .string(header.version), "began": .string(began.text)]
        try environment.output.line(isJSON ? object.description : sentence)
    }

    func show(_ record: FlightRecord, _ step: FlightReplay.Step) throws(OutputClosed) {
        guard !isJSON else { return try showJSON(record, step) }
        let time = ReplayReport.column(time(record.time))
        guard showsInputs else {
            for transition in step.transitions { try environment.output.line("\(time)  \(transition.words)") }
            return
        }
        let led = (step.effectSummaries + step.transitions.map(\.words)).joined(separator: "; ")
        try environment.output.line("\(time)  \(record.number)  \(step.cause)\(led.isEmpty ? "" : " ⇒ \(led)")")
    }

    private func showJSON(_ record: FlightRecord, _ step: FlightReplay.Step) throws(OutputClosed) {
        let place: [String: JSONValue] = [
            "record": .int(record.number), "milliseconds": .int(time(record.time).milliseconds),
        ]
        let transitions = step.transitions.map(\.json)
        guard showsInputs else {
            for transition in transitions {
                try environment.output.line(JSONValue.object(place.merging(transition) { $1 }).description)
            }
            return
        }
        let details: [String: JSONValue] = [
            "input": .string(step.cause), "actions": .strings(step.effectSummaries),
            "transitions": .array(transitions.map { .object($0) }),
        ]
        try environment.output.line(JSONValue.object(place.merging(details) { $1 }).description)
    }

    /// Reports a difference between the replay and the recording.
    func differs(_ difference: FlightDifference) throws(OutputClosed) -> ProcessExit {
        let seconds = ReplayReport.seconds(time(difference.time))
        let sentence = ReplaySentences.differs(difference.sentence, record: difference.number, seconds: seconds)
        guard isJSON else {
            try environment.output.line(sentence)
            return .error
        }
        var object: [String: JSONValue] = [
            "identical": false, "record": .int(difference.number),
            "milliseconds": .int(time(difference.time).milliseconds), "sentence": .string(sentence),
        ]
        if case .transitions(let came) = difference.kind {
            object["recorded"] = .array(difference.recorded.map { .object($0.json) })
            object["replayed"] = .array(came.map { .object($0.json) })
        }
        try environment.output.line(JSONValue.object(object).description)
        return .error
    }

    /// - Parameter isWhole: Whether the replay reached the end of a complete recording.
    func end(_ replay: FlightReplay, isWhole: Bool) throws(OutputClosed) -> ProcessExit {
        let sentence = ReplaySentences.identical(replay.counts, isWhole: isWhole)
        let object: JSONValue = [
            "identical": true, "inputs": .int(replay.recordCount), "transitions": .int(replay.transitionCount),
            "isWhole": .bool(isWhole), "sentence": .string(sentence),
        ]
        try environment.output.line(isJSON ? object.description : sentence)
        return .allDone
    }

    /// The time in seconds, right-aligned in a column that is wide enough for several days.
    private static func column(_ time: Duration) -> String { seconds(time).padded(left: 11) }

    /// The seconds with three decimals: `12.345`.
    private static func seconds(_ time: Duration) -> String {
        let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(seconds)." + String(rest).padded(left: 3, with: "0")
    }
}

extension FlightReplay {
    var counts: ReplaySentences.Counts { (inputs: recordCount, transitions: transitionCount) }
}

extension FlightTransition {
    fileprivate var json: [String: JSONValue] {
        [
            "chart": .string(chart), "from": .strings(from.split(separator: " ").map(String.init)),
            "to": .strings(to.split(separator: " ").map(String.init)), "event": .string(event),
        ]
    }
}
