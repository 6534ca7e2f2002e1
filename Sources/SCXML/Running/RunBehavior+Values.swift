import Statecharts

// MARK: - Values

extension RunBehavior {
    func value(of expression: ScriptExpression, at moment: Moment<Chart>) throws(RunError) -> ScriptValue {
        try RunError.converting(try expression.value(in: scope(at: moment)))
    }

    func value(of source: ChartDocument.ValueSource, at moment: Moment<Chart>) throws(RunError) -> ScriptValue {
        switch source {
        case .none: .undefined
        case .expression(let expression): try value(of: expression, at: moment)
        case .text(let text): Self.value(ofText: text)
        }
    }

    /// W3C SCXML B.2: the value of a text is JSON, otherwise a string with normalized white space. An object or array
    /// of ECMAScript is also accepted, because documents often omit the quotes that JSON requires.
    private static func value(ofText text: String) -> ScriptValue {
        if let value = try? ScriptValue(json: text) { return value }
        let words = text.split(whereSeparator: \.isWhitespace)
        if let first = words.first, "{[".contains(first.prefix(1)),
            let expression = try? ScriptExpression(text), let value = try? expression.value(in: NoNames())
        {
            return value
        }
        return .string(words.joined(separator: " "))
    }

    func text(of source: ChartDocument.TextSource, at moment: Moment<Chart>) throws(RunError) -> String {
        switch source {
        case .fixed(let text): text
        case .computed(let expression): try value(of: expression, at: moment).text
        }
    }

    func optionalText(of source: ChartDocument.TextSource?, at moment: Moment<Chart>) throws(RunError) -> String? {
        guard let source else { return nil }
        return try text(of: source, at: moment)
    }

    mutating func assign(
        _ value: ScriptValue,
        to location: ScriptLocation,
        at moment: Moment<Chart>
    ) throws(RunError) {
        var scope = scope(at: moment)
        variables = [:]
        defer { variables = scope.variables }
        try RunError.converting(try location.assign(value, in: &scope))
    }

    /// W3C SCXML 5.7: a parameter that cannot be evaluated is omitted and raises an error. All other parameters are
    /// sent. If a name in `namelist` cannot be evaluated, the whole `<send>` fails and sends nothing (6.2.3).
    mutating func data(
        _ payload: ChartDocument.Payload,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) -> ScriptValue {
        var members: NameTable<ScriptValue> = [:]
        for name in payload.names { members[name.name] = try value(of: name.location, at: moment) }
        for parameter in payload.parameters {
            attempt(into: &outbox) { behavior throws(RunError) in
                members[parameter.name] = try behavior.value(of: parameter.value, at: moment)
            }
        }
        if let content = payload.content {
            var result = ScriptValue.undefined
            attempt(into: &outbox) { behavior throws(RunError) in
                result = try behavior.value(of: content, at: moment)
            }
            return result
        }
        guard !members.isEmpty else { return .undefined }
        let data = ScriptValue.object(members)
        // Without this check, an event that contains the previous event could grow without limit.
        try RunError.converting(try data.checkSize())
        return data
    }

    private mutating func attempt(
        into outbox: inout Outbox<Chart>,
        _ body: (Self) throws(RunError) -> Void
    ) {
        do throws(RunError) {
            try body(self)
        } catch {
            outbox.raise(event(for: error))
        }
    }

    private func value(of location: ScriptLocation, at moment: Moment<Chart>) throws(RunError) -> ScriptValue {
        try RunError.converting(try location.value(in: scope(at: moment)))
    }

    private func scope(at moment: Moment<Chart>) -> RunScope<Bits> {
        RunScope(
            program: program,
            given: given,
            event: moment.event.map(loaded),
            active: moment.active,
            variables: variables
        )
    }

    private func loaded(_ event: Chart.Event) -> LoadedEvent {
        switch event {
        case .input(let event), .timer(let event): event
        case .raised(let number): LoadedEvent(events.names[number.rawValue], number: number.rawValue, origin: .internal)
        case .done(let state):
            LoadedEvent(RunEvents.doneName(of: state.rawValue, program.document), number: 0, origin: .platform)
        }
    }
}
