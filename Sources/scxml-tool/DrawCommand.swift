import ArgumentParser
import ProgramOutput
import SCXML

struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draws a chart to standard output.",
        discussion: """
            --svg has its own layout, the same on every machine. --mermaid is for documents that render it. --dot is \
            for Graphviz: scxml draw --dot FILE | dot -Tsvg.
            A chart outside the dialect is drawn too. Elements that scxml run does not execute, such as <script> and \
            <invoke>, are drawn as written.
            Exit status: 0; 1 if the chart is rejected or cannot be read, or the picture cannot be written; 64 for \
            wrong arguments.
            """
    )

    @Argument(help: "The chart.")
    var file: String

    @Flag(exclusivity: .exclusive, help: "The output format.")
    var format: DrawingFormat

    func run() throws {
        guard let chart = ChartFile.read(file) else { throw ExitCode(1) }
        guard let document = try chart.document ?? wider() else { throw ExitCode(1) }
        if format == .svg, !ChartDrawing.canLayOut(document) {
            ChartFile.report("scxml: \(file): \(ChartDrawing.sizeLimits)")
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

    /// Reads the chart by the rules of W3C SCXML, with the unsupported elements for the picture.
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
