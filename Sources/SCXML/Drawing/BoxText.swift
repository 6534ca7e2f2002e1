struct BoxText {
    var title: String
    /// Entry and exit actions, timers, and one row per transition.
    var rows: [Row]

    /// One statement, on one or more lines.
    struct Row {
        var kind: Kind
        var words: [Word]
        var targets: [Int] = []
    }

    enum Kind: Hashable {
        /// An unsupported element: a `<script>` of the chart, an `<invoke>`.
        case foreign
        case entry
        case timer
        case exit
        /// The number of a transition, including that of a history, and of an `<initial>` that an arrow cannot show.
        case transition(Int)
        /// The number of a state whose `initial` attribute leads further than to a child.
        case initial(Int)
    }

    /// Text that is never split across lines.
    struct Word {
        var text: String
        var style: Style
    }

    enum Style: Hashable {
        case keyword
        case event
        case condition
        case action
        /// The name of a target, in the colour of the arrow to it.
        case target(Int)
    }

    struct BrokenRow {
        var kind: Kind
        var lines: [[Word]]
        var width: Int
        var targets: [Int]
    }

    static let fontSize = 11
    static let titleSize = 13
    static let indent = 12

    func broken(at limit: Int) -> [BrokenRow] {
        rows.map { row in
            var lines: [[Word]] = [[]]
            var used = 0
            var widest = 0
            for word in row.words {
                let width = Self.width(word)
                if used + width > limit, !(lines.last ?? []).isEmpty {
                    lines.append([])
                    used = Self.indent
                }
                lines[lines.count - 1].append(word)
                used += width
                widest = max(widest, used)
            }
            return BrokenRow(kind: row.kind, lines: lines, width: widest, targets: row.targets)
        }
    }

    static func width(_ word: Word) -> Int {
        FontMetrics.width(word.text + " ", size: fontSize, bold: word.style.isBold)
    }

    static func usualWidth(_ word: Word) -> Int {
        FontMetrics.usualWidth(word.text + " ", size: fontSize, bold: word.style.isBold)
    }

    var titleWidth: Int { FontMetrics.width(title, size: Self.titleSize, bold: true) }
}

extension BoxText.Style {
    var isBold: Bool {
        if case .target = self { true } else { false }
    }
}

extension BoxText {
    init(_ state: Int, in words: DrawingWords) {
        let document = words.document
        title = words.name(state)
        rows = []
        let habits = words.habits(document.states[state])
        for text in habits.foreign { rows.append(Row(kind: .foreign, words: [Word(text: text, style: .keyword)])) }
        if !habits.entry.isEmpty { rows.append(Row(kind: .entry, words: Self.list("entry", habits.entry))) }
        for timer in habits.timers {
            let text = [Word(text: "after \(timer.delay):", style: .keyword), Word(text: timer.event, style: .event)]
            rows.append(Row(kind: .timer, words: text))
        }
        if !habits.exit.isEmpty { rows.append(Row(kind: .exit, words: Self.list("exit", habits.exit))) }
        if let row = Self.initial(of: state, words) { rows.append(row) }
        for number in document.states[state].transitions { rows.append(Self.row(number, words)) }
    }

    /// The row of an `initial` that an arrow from a dot cannot show: with content, or leading further than to a child.
    private static func initial(of state: Int, _ words: DrawingWords) -> Row? {
        let document = words.document
        let found = document.states[state]
        let isPlain = document.plainInitial(of: state) != nil
        if let number = found.initialTransition {
            let transition = document.transitions[number]
            let actions = words.actions(transition)
            if isPlain && actions.isEmpty { return nil }
            var row = Row(kind: .transition(number), words: list("initial", actions))
            row.words += targets(transition.targets, words)
            row.targets = isPlain ? [] : transition.targets
            return row
        }
        guard !isPlain, found.kind == .state || found.kind == .root, !found.initial.isEmpty, !found.children.isEmpty
        else { return nil }
        let text = [Word(text: "initial", style: .keyword)] + targets(found.initial, words)
        return Row(kind: .initial(state), words: text, targets: found.initial)
    }

    private static func row(_ number: Int, _ words: DrawingWords) -> Row {
        let transition = words.document.transitions[number]
        var text: [Word] = []
        if transition.role == .history { text.append(Word(text: "default", style: .keyword)) }
        let events = words.events(transition)
        for (index, event) in events.enumerated() {
            text.append(Word(text: index < events.count - 1 ? event + "," : event, style: .event))
        }
        if let condition = words.condition(transition) { text.append(Word(text: "[\(condition)]", style: .condition)) }
        let actions = words.actions(transition)
        text += list(nil, actions)
        text += targets(transition.targets, words)
        if text.isEmpty { text = [Word(text: "always", style: .keyword)] }
        return Row(kind: .transition(number), words: text, targets: transition.targets)
    }

    private static func list(_ keyword: String?, _ things: [String]) -> [Word] {
        let first = keyword.map { [Word(text: $0, style: .keyword)] } ?? []
        return first
            + things.enumerated().map { index, thing in
                let text = index < things.count - 1 ? thing + "," : thing
                return Word(text: index == 0 ? "/ " + text : text, style: .action)
            }
    }

    private static func targets(_ targets: [Int], _ words: DrawingWords) -> [Word] {
        targets.enumerated().map { index, target in
            let name = words.name(target) + (index < targets.count - 1 ? "," : "")
            return Word(text: index == 0 ? "→ " + name : name, style: .target(target))
        }
    }
}
