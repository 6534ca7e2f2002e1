// The parts that only charts of the W3C recommendation have: data, expressions, and content with expressions.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ChartDocument {
    /// `<data>`: a variable and its initial value.
    public struct DataItem: Sendable, Positioned {
        public internal(set) var id: String
        public internal(set) var value: ValueSource
        /// The number of the state whose `<datamodel>` declares the variable; 0 is the root.
        public internal(set) var owner: Int
        public internal(set) var position: SourcePosition
    }

    public enum ValueSource: Sendable {
        /// No source: the value is `undefined`.
        case none
        case expression(ScriptExpression)
        /// The text in the element. It is JSON if valid, otherwise a string with normalized white space.
        case text(String)
    }

    /// The source of a text: an attribute, or the attribute of the same name with the ending `expr`.
    public enum TextSource: Sendable {
        /// The text of the attribute.
        case fixed(String)
        /// An expression that is evaluated when the element is executed.
        case computed(ScriptExpression)
    }

    public struct Payload: Sendable {
        /// `namelist`: each location. The text of the location is also the name of the value.
        public internal(set) var names: [NamedLocation] = []
        /// The `<param>` elements in order. An attribute `location` is stored as an expression.
        public internal(set) var parameters: [Parameter] = []
        /// `<content>`; nil: none. A payload with `<content>` has no names and no parameters.
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
        /// The event's name; nil if the element has only content.
        public internal(set) var event: TextSource?
        /// The target; nil: the external queue of the same chart.
        public internal(set) var target: TextSource?
        /// The type of the event processor; nil: the SCXML processor.
        public internal(set) var type: TextSource?
        /// The send id, which `<cancel>` uses.
        public internal(set) var id: String?
        /// The location that receives a generated send id.
        public internal(set) var idLocation: ScriptLocation?
        /// The delay as written (`1.5s`). The delay is checked when the element is executed.
        public internal(set) var delay: TextSource?
        public internal(set) var payload = Payload()
    }

    /// `<if>`, `<elseif>` or `<else>`, with its content.
    public struct Branch: Sendable {
        public internal(set) var condition: ScriptExpression?
        public internal(set) var content: [Content] = []
    }

    /// Content that only `scxml run` interprets. It is never compiled.
    public indirect enum Interpreted: Sendable {
        case dispatch(SendDescription)
        case cancel(TextSource)
        case log(label: String?, ScriptExpression?)
        case assign(ScriptLocation, ValueSource)
        case choose([Branch])
        /// An unsupported element such as `<script>`, as text. It occurs only in a chart that is read for a picture.
        case foreign(String)
        /// `<foreach>`. The names of its variables are checked when it is executed.
        case forEach(array: ScriptExpression, item: String, index: String?, content: [Content])
    }
}

extension ChartDocument {
    /// The maximum number of notes about ignored parts of the file.
    static let notesMax = 100
}

extension ScriptExpression: Hashable {
    /// Expressions are equal if their texts are equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
