/// Pictures of charts. All are functions of the chart alone, so a change of a picture is a change of its chart.
public enum ChartDrawing {
    /// The chart as a drawing with a layout of our own: nested boxes, a row per transition, an arrow from each row to
    /// its target.
    ///
    /// States are groups with `id="state-NAME"`, transitions groups with `id="transition-N"`, N being the transition's
    /// number in the document. A state without name is `#` and its number.
    ///
    /// - Parameter active: names of the states to show as current ones; they get the class `active`.
    public static func svg(_ document: ChartDocument, active: Set<String> = []) -> String {
        SVGDrawing(ChartLayout(document), active: active).text
    }

    /// Whether ``svg(_:active:)`` is quick enough to wait for: its layout tries many ways.
    public static func canLayOut(_ document: ChartDocument) -> Bool {
        document.states.count <= statesMax && document.transitions.count <= transitionsMax
    }

    /// Why it is not, and what to do, as a sentence.
    public static let sizeLimits =
        "a picture has at most \(statesMax) states and \(transitionsMax) transitions: use --dot and Graphviz"

    private static let statesMax = 200
    private static let transitionsMax = 400

    /// The chart as a Mermaid `stateDiagram-v2`, for documents that render it.
    public static func mermaid(_ document: ChartDocument, active: Set<String> = []) -> String {
        MermaidDrawing(document, active: active).text
    }

    /// The chart in the language of Graphviz, for `dot` to lay out.
    public static func dot(_ document: ChartDocument, active: Set<String> = []) -> String {
        DOTDrawing(document, active: active).text
    }
}
