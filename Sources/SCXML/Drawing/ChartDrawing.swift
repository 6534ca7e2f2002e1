/// Pictures of charts. A picture depends only on its chart, so it changes only with the chart.
public enum ChartDrawing {
    /// Draws the chart as SVG with the project's own layout: nested boxes, one row per transition, and an arrow from
    /// each row to its target.
    ///
    /// A state is a group with `id="state-NAME"`, a transition a group with `id="transition-N"`. N is the number of the
    /// transition in the document. The NAME of a state without a name is `#` and its number.
    ///
    /// - Parameter active: the names of the current states. Their groups get the class `active`.
    public static func svg(_ document: ChartDocument, active: Set<String> = []) -> String {
        SVGDrawing(ChartLayout(document), active: active).text
    }

    /// Whether the chart is small enough for ``svg(_:active:)``, whose layout tries many variants.
    public static func canLayOut(_ document: ChartDocument) -> Bool {
        document.states.count <= statesMax && document.transitions.count <= transitionsMax
    }

    /// The sentence for a chart that is too large: the limits and the alternative.
    public static let sizeLimits =
        "a picture can have at most \(statesMax) states and \(transitionsMax) transitions: use --dot and Graphviz"

    private static let statesMax = 200
    private static let transitionsMax = 400

    /// The chart as a Mermaid `stateDiagram-v2`, for documents that display Mermaid diagrams.
    public static func mermaid(_ document: ChartDocument, active: Set<String> = []) -> String {
        MermaidDrawing(document, active: active).text
    }

    /// The chart as a Graphviz graph. The program `dot` computes its layout.
    public static func dot(_ document: ChartDocument, active: Set<String> = []) -> String {
        DOTDrawing(document, active: active).text
    }
}
