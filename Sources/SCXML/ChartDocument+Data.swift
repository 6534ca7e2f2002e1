// Parts of the recommendation's profile only: data, expressions, and computing content.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ChartDocument {
    /// `<data>`: a variable and its initial value.
    public struct DataItem: Sendable, Positioned {
        public internal(set) var id: String
        public internal(set) var value: ValueSource
        /// The number of the state whose `<datamodel>` declares it; the root is 0.
        public internal(set) var owner: Int
        public internal(set) var position: SourcePosition
    }

    public enum ValueSource: Sendable {
        /// No source: the value is undefined.
        case none
        case expression(ScriptExpression)
        /// The text in the element: JSON if valid, else a string with normalized white space.
        case text(String)
    }

    /// The source of a text: an attribute, or its counterpart that ends in `expr`.
    public enum TextSource: Sendable {
        /// The text of the attribute.
        case fixed(String)
        /// An expression that is evaluated when the element is executed.
        case computed(ScriptExpression)
    }

    public struct Payload: Sendable {
        /// `namelist`: each location, with its own text as name.
        public internal(set) var names: [NamedLocation] = []
        /// The `<param>`s in order; a `location` is stored as expression.
        public internal(set) var parameters: [Parameter] = []
        /// `<content>`; nil: none. It excludes names and parameters.
        public internal(set) var content: ValueSource?

        public var isEmpty: Bool { names.isEmpty && parameters.isEmpty && content == nil }
    }

    /// One name of a `namelist`.
    public struct NamedLocation: Sendable {
        public internal(set) var name: String
        public internal(set) var location: ScriptLocation
    }

    /// `<param>`.
    public struct Parameter: Sendable {
        public internal(set) var name: String
        public internal(set) var value: ScriptExpression
    }

    /// `<send>`.
    public struct SendDescription: Sendable {
        /// The event's name; nil if there is only content.
        public internal(set) var event: TextSource?
        /// The target; nil: the chart's own external queue.
        public internal(set) var target: TextSource?
        /// The type of the event processor; nil: the SCXML processor.
        public internal(set) var type: TextSource?
        /// The id for `<cancel>`.
        public internal(set) var id: String?
        /// The location for a generated id.
        public internal(set) var idLocation: ScriptLocation?
        /// The delay as written (`1.5s`); it is checked when the element is executed.
        public internal(set) var delay: TextSource?
        public internal(set) var payload = Payload()
    }

    /// `<if>`, `<elseif>` or `<else>`, with its content.
    public struct Branch: Sendable {
        public internal(set) var condition: ScriptExpression?
        public internal(set) var content: [Content] = []
    }

    /// Content that only `scxml run` interprets; it is never compiled.
    public indirect enum Interpreted: Sendable {
        case dispatch(SendDescription)
        case cancel(TextSource)
        case log(label: String?, ScriptExpression?)
        case assign(ScriptLocation, ValueSource)
        case choose([Branch])
        /// An unsupported element such as `<script>`, as text; only in a chart that is read for a picture.
        case foreign(String)
        /// `<foreach>`. The names are checked when it is executed.
        case forEach(array: ScriptExpression, item: String, index: String?, content: [Content])
    }
}

extension ChartDocument {
    /// The maximum number of notes about ignored parts.
    static let notesMax = 100
}

extension ScriptExpression: Hashable {
    /// Expressions are equal if their texts are equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
