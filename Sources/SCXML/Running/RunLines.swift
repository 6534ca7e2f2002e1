import Statecharts

/// The output of `scxml run`. The order of keys and every byte of the output are part of its interface.
extension ChartRunner.Outcome {
    /// The JSON `{"event":…,"at":…,"configuration":[…],"states":[…],"running":…}`, with the trace if requested.
    public func json(withTrace: Bool) -> String {
        var members = [
            ("event", event.map(JSONText.quoted) ?? "null"),
            ("at", "\(milliseconds)"),
            ("configuration", JSONText.array(configuration.map(JSONText.quoted))),
            ("states", JSONText.array(states.map(JSONText.quoted))),
            ("running", "\(isRunning)"),
        ]
        if withTrace { members.append(("trace", JSONText.array(traceSteps.map(json)))) }
        return JSONText.object(members)
    }

    /// The outcome as readable text: the time, the event and the active states.
    public func text(withTrace: Bool) -> String {
        let what = event ?? (isStart ? "start" : "")
        let head = "\(milliseconds) ms".padded(to: 12) + what.padded(to: 24)
        let line = head + configuration.joined(separator: " ") + (isRunning ? "" : " (ended)")
        guard withTrace else { return line }
        return ([line] + traceSteps.map { "    " + text($0) }).joined(separator: "\n")
    }

    // MARK: Trace

    private typealias TraceStep = (time: Int64, origin: String, step: RunStep)

    /// All microsteps, and all events that enabled no transition.
    private var traceSteps: [TraceStep] {
        macrosteps.flatMap { macrostep in
            macrostep.steps.map { step in
                (macrostep.time.wholeMilliseconds, Self.origin(of: step, in: macrostep), step)
            }
        }
    }

    private static func origin(of step: RunStep, in macrostep: RunMacrostep) -> String {
        switch step.origin {
        case .start: "start"
        case .internal: "internal"
        case .eventless: "eventless"
        case .stop: "exit"
        case .external: if case .timer = macrostep.cause { "timer" } else { "external" }
        }
    }

    private func json(_ step: TraceStep) -> String {
        let sent = step.step.sent.map { sent in
            JSONText.object([
                ("id", sent.id.map { JSONText.quoted(names.sendIDs[$0]) } ?? "null"),
                ("event", JSONText.quoted(names.events[sent.event])),
                ("due", "\(sent.due.wholeMilliseconds)"),
            ])
        }
        return JSONText.object([
            ("at", "\(step.time)"),
            ("event", step.step.event.map { JSONText.quoted(names.events[$0]) } ?? "null"),
            ("origin", JSONText.quoted(step.origin)),
            ("transitions", JSONText.array(step.step.transitions.map(String.init))),
            ("exit", JSONText.array(step.step.exited.map(quotedState))),
            ("enter", JSONText.array(step.step.entered.map(quotedState))),
            ("raised", JSONText.array(step.step.raised.map { JSONText.quoted(names.events[$0]) })),
            ("sent", JSONText.array(sent)),
            ("cancelled", JSONText.array(step.step.cancelled.map { JSONText.quoted(names.sendIDs[$0]) })),
            ("actions", JSONText.array(step.step.actions.map { JSONText.quoted(names.program.actions.names[$0]) })),
        ])
    }

    private func quotedState(_ number: Int) -> String {
        JSONText.quoted(names.program.name(ofState: number))
    }

    private func text(_ step: TraceStep) -> String {
        var words = [step.step.event.map { "\(step.origin) \(names.events[$0])" } ?? step.origin]
        if step.step.isDropped { words.append("(no transition)") }
        words += step.step.transitions.map { "#\($0)" }
        words += step.step.exited.map { "-" + names.program.name(ofState: $0) }
        words += step.step.entered.map { "+" + names.program.name(ofState: $0) }
        words += step.step.actions.map { "do " + names.program.actions.names[$0] }
        words += step.step.raised.map { "raise " + names.events[$0] }
        words += step.step.sent.map { "send \(names.events[$0.event]) at \($0.due.wholeMilliseconds)" }
        words += step.step.cancelled.map { "cancel " + names.sendIDs[$0] }
        return words.joined(separator: " ")
    }
}

extension ChartRunner.Log {
    /// The JSON `{"log":…}` with the value, or with the label if there is no value. With both, a second member has the
    /// label.
    public var json: String {
        guard let value else { return JSONText.object([("log", label.map(JSONText.quoted) ?? "null")]) }
        var members = [("log", value.json)]
        if let label { members.append(("label", JSONText.quoted(label))) }
        return JSONText.object(members)
    }

    /// The log output as readable text.
    public var text: String {
        let shown = value.map { value in if case .string(let text) = value { text } else { value.json } }
        return "log " + [label, shown].compactMap(\.self).joined(separator: ": ")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
