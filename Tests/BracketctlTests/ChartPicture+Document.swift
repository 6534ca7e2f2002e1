@testable import SCXML
@testable import bracketctl

extension ChartPicture {
    /// The generated picture of a chart, without the digest and without the members that only `--json` needs.
    init(_ document: ChartDocument) {
        let words = ChartLabels(document)
        func id(_ state: Int) -> String? { state == 0 ? nil : words.name(of: state) }
        self.init(
            name: document.name.lowercased(),
            digest: "",
            sentence: document.firstSentence,
            states: document.states.indices.dropFirst().map { number in
                let state = document.states[number]
                return State(
                    id: words.name(of: number),
                    parent: id(state.parent),
                    kind: words.kind(of: number),
                    isLeaf: state.isLeaf,
                    initial: state.initial.map(words.name),
                    entry: [],
                    timers: [],
                    exit: []
                )
            },
            transitions: [],
            rows: ChartTree(document).rows.map { row in
                Row(state: id(row.state), first: row.first, rest: row.rest, title: row.title, text: row.text)
            },
            svg: ChartDrawing.svg(document)
        )
    }
}
