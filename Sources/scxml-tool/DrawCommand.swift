import ArgumentParser
import ProgramOutput
import SCXML

struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draws a chart, on standard output.",
        discussion: """
            --svg is laid out by this tool and the same on every machine; --mermaid is for documents that render it; \
            --dot is for Graphviz: scxml draw --dot FILE | dot -Tsvg.
            A chart that is not of the dialect is drawn too. What scxml run does not run, such as <script> and \
            <invoke>, is shown as what it is.
            Exit status: 0; 1 if the chart is refused or cannot be read, or the picture cannot be written; 64 for \
            wrong arguments.
            """
    )

    @Argument(help: "The chart.")
    var file: String

    @Flag(exclusivity: .exclusive, help: "What to write.")
    var format: DrawingFormat

    func run() throws {
        guard let chart = ChartFile.read(file) else { throw ExitCode(1) }
        guard let document = try chart.document ?? wider() else { throw ExitCode(1) }
        if format == .svg, !ChartDrawing.canLayOut(document) {
            ChartFile.tell("scxml: \(file): \(ChartDrawing.sizeLimits)")
            throw ExitCode(1)
        }
        let picture =
            switch format {
            case .svg: ChartDrawing.svg(document)
            case .mermaid: ChartDrawing.mermaid(document)
            case .dot: ChartDrawing.dot(document)
            }
        try StandardStream.output.write(picture)
    }

    /// The chart read by the recommendation, with its unsupported elements.
    private func wider() throws -> ChartDocument? {
        guard let chart = ChartFile.read(file, as: .picture) else { return nil }
        try ChartFile.refuse(chart, file)
        return chart.document
    }
}

enum DrawingFormat: EnumerableFlag {
    case svg
    case mermaid
    case dot

    static func help(for value: DrawingFormat) -> ArgumentHelp? {
        switch value {
        case .svg: "A picture, laid out by this tool."
        case .mermaid: "A Mermaid stateDiagram-v2."
        case .dot: "A graph for Graphviz."
        }
    }
}
