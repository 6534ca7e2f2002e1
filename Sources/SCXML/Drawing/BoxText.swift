struct BoxText {
    var title: String
    /// The rows for unsupported elements, entry actions, timers, exit actions and transitions.
    var rows: [Row]

    /// One statement, which can need several lines.
    struct Row {
        var kind: Kind
        var runs: [TextRun]
        var targets: [Int] = []
    }

    enum Kind: Hashable {
        /// An unsupported element: an `<invoke>`, or a `<script>` of the chart.
        case foreign
        case entry
        case timer
        case exit
        /// The number of a transition, which can be of a history or of an `<initial>` that no arrow can show.
        case transition(Int)
        /// The number of a state whose `initial` attribute names no child but a deeper state.
        case initial(Int)
    }

    /// Text that is never broken into two lines.
    struct TextRun {
        var text: String
        var style: Style
    }

    enum Style: Hashable {
        case keyword
        case event
        case condition
        case action
        /// The name of a target. Its colour is that of the arrow to the target.
        case target(Int)
    }

    struct BrokenRow {
        var kind: Kind
        var lines: [[TextRun]]
        var width: Int
        var targets: [Int]
    }

    static let fontSize = 11
    static let titleSize = 13
    static let indent = 12

    func broken(at limit: Int) -> [BrokenRow] {
        rows.map { row in
            var lines: [[TextRun]] = [[]]
            var used = 0
            var widest = 0
            for run in row.runs {
                let width = Self.width(run)
                if used + width > limit, !(lines.last ?? []).isEmpty {
                    lines.append([])
                    used = Self.indent
                }
                lines[lines.count - 1].append(run)
                used += width
                widest = max(widest, used)
            }
            return BrokenRow(kind: row.kind, lines: lines, width: widest, targets: row.targets)
        }
    }

    static func width(_ run: TextRun) -> Int {
        FontMetrics.width(run.text + " ", size: fontSize, bold: run.style.isBold)
    }

    static func usualWidth(_ run: TextRun) -> Int {
        FontMetrics.usualWidth(run.text + " ", size: fontSize, bold: run.style.isBold)
    }

    var titleWidth: Int { FontMetrics.width(title, size: Self.titleSize, bold: true) }
}

extension BoxText.Style {
    var isBold: Bool {
        if case .target = self { true } else { false }
    }
}

extension BoxText {
    init(_ state: Int, in runs: DrawingLabels) {
        let document = runs.document
        title = runs.name(state)
        rows = []
        let habits = runs.habits(document.states[state])
        for text in habits.foreign { rows.append(Row(kind: .foreign, runs: [TextRun(text: text, style: .keyword)])) }
        if !habits.entry.isEmpty { rows.append(Row(kind: .entry, runs: Self.list("entry", habits.entry))) }
        for timer in habits.timers {
            let text = [
                TextRun(text: "after \(timer.delay):", style: .keyword), TextRun(text: timer.event, style: .event),
            ]
            rows.append(Row(kind: .timer, runs: text))
        }
        if !habits.exit.isEmpty { rows.append(Row(kind: .exit, runs: Self.list("exit", habits.exit))) }
        if let row = Self.initial(of: state, runs) { rows.append(row) }
        for number in document.states[state].transitions { rows.append(Self.row(number, runs)) }
    }

    /// The row of an `initial` that an arrow from a dot cannot show: it has content or does not name one child.
    private static func initial(of state: Int, _ runs: DrawingLabels) -> Row? {
        let document = runs.document
        let found = document.states[state]
        let isPlain = document.plainInitial(of: state) != nil
        if let number = found.initialTransition {
            let transition = document.transitions[number]
            let actions = runs.actions(transition)
            if isPlain && actions.isEmpty { return nil }
            var row = Row(kind: .transition(number), runs: list("initial", actions))
            row.runs += targets(transition.targets, runs)
            row.targets = isPlain ? [] : transition.targets
            return row
        }
        guard !isPlain, found.kind == .state || found.kind == .root, !found.initial.isEmpty, !found.children.isEmpty
        else { return nil }
        let text = [TextRun(text: "initial", style: .keyword)] + targets(found.initial, runs)
        return Row(kind: .initial(state), runs: text, targets: found.initial)
    }

    private static func row(_ number: Int, _ runs: DrawingLabels) -> Row {
        let transition = runs.document.transitions[number]
        var text: [TextRun] = []
        if transition.role == .history { text.append(TextRun(text: "default", style: .keyword)) }
        let events = runs.events(transition)
        for (index, event) in events.enumerated() {
            text.append(TextRun(text: index < events.count - 1 ? event + "," : event, style: .event))
        }
        if let condition = runs.condition(transition) {
            text.append(TextRun(text: "[\(condition)]", style: .condition))
        }
        let actions = runs.actions(transition)
        text += list(nil, actions)
        text += targets(transition.targets, runs)
        if text.isEmpty { text = [TextRun(text: "always", style: .keyword)] }
        return Row(kind: .transition(number), runs: text, targets: transition.targets)
    }

    private static func list(_ keyword: String?, _ things: [String]) -> [TextRun] {
        let first = keyword.map { [TextRun(text: $0, style: .keyword)] } ?? []
        return first
            + things.enumerated().map { index, thing in
                let text = index < things.count - 1 ? thing + "," : thing
                return TextRun(text: index == 0 ? "/ " + text : text, style: .action)
            }
    }

    private static func targets(_ targets: [Int], _ runs: DrawingLabels) -> [TextRun] {
        targets.enumerated().map { index, target in
            let name = runs.name(target) + (index < targets.count - 1 ? "," : "")
            return TextRun(text: index == 0 ? "→ " + name : name, style: .target(target))
        }
    }
}
