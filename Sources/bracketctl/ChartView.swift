import ProgramOutput
import Varlink

struct ChartView {
    enum Format: Equatable {
        case text(transitions: Bool)
        /// A drawing in a file; nil: on standard output.
        case svg(file: String?)
        case json
    }

    let chart: ChartPicture
    let format: Format
    let environment: Environment

    /// Shows the chart.
    ///
    /// - Parameter marks: The active states; nil: unknown.
    /// - Throws: `OutputClosed`, or `Failure` if the drawing cannot be written.
    func show(_ marks: ChartMarks?) throws {
        let active = marks?.active ?? []
        switch format {
        case .text(let transitions):
            let columns = environment.screen?().columns ?? ChartText.columnsUsual
            let lines = text(active, columns: columns, transitions: transitions)
            try environment.output.raw(lines.joined(separator: "\n") + "\n")
        case .json: try environment.output.line(chart.json(chart.runs == nil ? marks?.active : nil).description)
        case .svg(let file):
            let drawing = chart.svg(active: active)
            guard let file else { return try environment.output.text(drawing) }
            try write(drawing, to: file)
        }
    }

    /// The chart's first sentence and the tree of its states.
    func text(_ active: Set<String>, columns: Int, transitions: Bool) -> [String] {
        let columns = min(columns, ChartText.columnsUsual)
        let tree = ChartText.lines(
            chart,
            active: active,
            color: environment.hasColor,
            transitions: transitions,
            columns: columns
        )
        return ChartText.wrapped(chart.sentence, columns: columns) + [""] + tree
    }

    private func write(_ drawing: String, to file: String) throws(Failure) {
        do throws(OutputFailure) {
            try NamedFile.write(drawing, to: file)
        } catch {
            throw Failure("CannotWrite", FileSentences.drawingNotWritten(file, error.reason))
        }
    }
}
