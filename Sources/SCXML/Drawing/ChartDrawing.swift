/// Pictures of charts. Each is a function of the chart alone, so a picture changes only with its chart.
public enum ChartDrawing {
    /// Draws the chart as SVG with the project's own layout: nested boxes, one row per transition, and an arrow from
    /// each row to its target.
    ///
    /// States are groups with `id="state-NAME"`, transitions groups with `id="transition-N"`. N is the transition's
    /// number in the document. A state without name is `#` and its number.
    ///
    /// - Parameter active: names of the current states; they get the class `active`.
    public static func svg(_ document: ChartDocument, active: Set<String> = []) -> String {
        SVGDrawing(ChartLayout(document), active: active).text
    }

    /// Whether ``svg(_:active:)`` is fast enough for the chart: its layout tries many variants.
    public static func canLayOut(_ document: ChartDocument) -> Bool {
        document.states.count <= statesMax && document.transitions.count <= transitionsMax
    }

    /// The reason for a refusal and the remedy, as a sentence.
    public static let sizeLimits =
        "a picture can have at most \(statesMax) states and \(transitionsMax) transitions: use --dot and Graphviz"

    private static let statesMax = 200
    private static let transitionsMax = 400

    /// The chart as a Mermaid `stateDiagram-v2`, for documents that render it.
    public static func mermaid(_ document: ChartDocument, active: Set<String> = []) -> String {
        MermaidDrawing(document, active: active).text
    }

    /// The chart as a Graphviz graph, for layout by `dot`.
    public static func dot(_ document: ChartDocument, active: Set<String> = []) -> String {
        DOTDrawing(document, active: active).text
    }
}
