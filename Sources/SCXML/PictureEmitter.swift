/// Writes a chart's picture as Swift: a `ChartPicture` with states, transitions, rows of text and a drawing. So a
/// program can show charts without their files and without code for reading and drawing.
///
/// The output depends only on the chart.
package struct PictureEmitter {
    private let document: ChartDocument
    private let words: ChartLabels
    private var out = SwiftWriter()

    /// The Swift text. It is an extension of the `ChartPicture` in the same target.
    ///
    /// - Parameter source: the path of the chart's file, relative to its package. The output contains this path.
    package static func emit(_ document: ChartDocument, source: String, digest: String) -> String {
        var emitter = PictureEmitter(document)
        emitter.emitFile(source, digest)
        return emitter.out.text
    }

    private init(_ document: ChartDocument) {
        self.document = document
        words = ChartLabels(document)
    }

    private mutating func emitFile(_ source: String, _ digest: String) {
        let name = document.name.lowercased()
        let version = SwiftEmitter.version
        out.line("// Drawn from \(source) (sha256 \(digest.prefix(12))) by chartc \(version). Do not edit.")
        out.line()
        out.open("extension ChartPicture {")
        out.doc("The chart \(document.name).")
        out.open("static let \(Names.declared(name)) = ChartPicture(")
        out.line("name: \(quoted(name)),")
        out.line("digest: \(quoted(digest)),")
        out.line("sentence: \(quoted(document.firstSentence)),")
        emitList("states", document.states.indices.dropFirst().map(state))
        emitList("transitions", document.transitions.indices.map(transition))
        emitList("rows", ChartTree(document).rows.map(row))
        emitDrawing()
        out.close(")")
        out.close()
    }

    private mutating func emitList(_ name: String, _ elements: [[String]]) {
        out.open("\(name): [")
        for element in elements { out.call(element, suffix: ",") }
        out.close("],")
    }

    // MARK: - Parts, as pieces for `SwiftWriter.call`

    private func state(_ number: Int) -> [String] {
        let state = document.states[number]
        let habits = words.habits(of: number)
        return [
            "State(", "id: \(quoted(words.name(of: number)))",
            "parent: \(state.parent == 0 ? "nil" : quoted(words.name(of: state.parent)))",
            "kind: \(quoted(words.kind(of: number)))", "isLeaf: \(state.isLeaf)",
            "initial: \(list(state.initial.map(words.name)))", "entry: \(list(habits.entry))",
            "timers: \(list(habits.timers))", "exit: \(list(habits.exit))", ")",
        ]
    }

    private func transition(_ number: Int) -> [String] {
        let transition = document.transitions[number]
        let kind =
            switch transition.role {
            case .normal: transition.isInternal ? "internal" : "external"
            case .initial: "initial"
            case .history: "history"
            }
        return [
            "Transition(", "source: \(quoted(words.name(of: transition.source)))", "kind: \(quoted(kind))",
            "events: \(list(transition.descriptors?.map(\.text) ?? []))",
            "condition: \(words.condition(of: number).map(quoted) ?? "nil")",
            "targets: \(list(transition.targets.map(words.name)))", "actions: \(list(words.actions(of: number)))", ")",
        ]
    }

    private func row(_ row: ChartTree.Row) -> [String] {
        [
            "Row(", "state: \(row.state == 0 ? "nil" : quoted(words.name(of: row.state)))",
            "first: \(quoted(row.first))", "rest: \(quoted(row.rest))", "title: \(row.title.map(quoted) ?? "nil")",
            "text: \(quoted(row.text))", ")",
        ]
    }

    /// Writes the drawing as a literal with the same lines as the drawing.
    private mutating func emitDrawing() {
        out.line("svg: \"\"\"")
        for line in ChartDrawing.svg(document).split(separator: "\n", omittingEmptySubsequences: false) {
            out.line(String(quoted(String(line)).dropFirst().dropLast()))
        }
        out.line("\"\"\"")
    }

    private func list(_ words: [String]) -> String { "[\(words.map(quoted).joined(separator: ", "))]" }

    private func quoted(_ text: String) -> String { SwiftWriter.quoted(text) }
}

extension ChartDocument {
    var firstSentence: String {
        let words = comment.split(separator: " ")
        let last = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex - 1
        return words.isEmpty ? "" : words[...last].joined(separator: " ")
    }
}
