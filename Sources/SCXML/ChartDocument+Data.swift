// What only the profile of the recommendation has: data, expressions, and content that computes.

extension ChartDocument {
    /// `<data>`: a variable and what it begins as.
    public struct DataItem: Sendable {
        /// Its name.
        public internal(set) var id: String
        /// What it begins as.
        public internal(set) var value: ValueSource
        /// The number of the state whose `<datamodel>` declares it; the root is 0.
        public internal(set) var owner: Int
        /// Where its tag begins.
        public internal(set) var position: SourcePosition
    }

    /// Where a value comes from.
    public enum ValueSource: Sendable {
        /// Nowhere: the value is undefined.
        case none
        /// From an expression.
        case expression(ScriptExpression)
        /// From the text in the element: JSON if it is that, else a string with its white space normalized.
        case text(String)
    }

    /// Where a text comes from: an attribute, or its twin whose name ends in `expr`.
    public enum TextSource: Sendable {
        /// It is written down.
        case fixed(String)
        /// It is computed when the element is executed.
        case computed(ScriptExpression)
    }

    /// What an event carries.
    public struct Payload: Sendable {
        /// `namelist`: each location under its own text as name.
        public internal(set) var names: [NamedLocation] = []
        /// The `<param>`s in their order; one with a location has it as expression.
        public internal(set) var parameters: [Parameter] = []
        /// `<content>`; `nil` without one. It never stands beside names or parameters.
        public internal(set) var content: ValueSource?

        /// Whether the event carries nothing.
        public var isEmpty: Bool { names.isEmpty && parameters.isEmpty && content == nil }
    }

    /// One word of a `namelist`.
    public struct NamedLocation: Sendable {
        /// The word.
        public internal(set) var name: String
        /// The same as location.
        public internal(set) var location: ScriptLocation
    }

    /// `<param>`.
    public struct Parameter: Sendable {
        /// Its name.
        public internal(set) var name: String
        /// Its value.
        public internal(set) var value: ScriptExpression
    }

    /// `<send>`.
    public struct SendDescription: Sendable {
        /// The event's name; `nil` if there is only content.
        public internal(set) var event: TextSource?
        /// Where to; `nil` is the chart itself, by its external queue.
        public internal(set) var target: TextSource?
        /// By which kind of processor; `nil` is that of SCXML.
        public internal(set) var type: TextSource?
        /// The id to cancel it by.
        public internal(set) var id: String?
        /// Where an id that is made up is put.
        public internal(set) var idLocation: ScriptLocation?
        /// How long it waits, as written (`1.5s`): whether that is a delay shows when it is executed.
        public internal(set) var delay: TextSource?
        /// What it carries.
        public internal(set) var payload = Payload()
    }

    /// `<if>`, `<elseif>` or `<else>`, with what runs there.
    public struct Branch: Sendable {
        /// What must hold; `nil` for `<else>`.
        public internal(set) var condition: ScriptExpression?
        /// What is done then.
        public internal(set) var content: [Content] = []
    }

    /// Content that is interpreted, by `scxml run` alone: nothing is compiled from it.
    public indirect enum Interpreted: Sendable {
        /// `<send>`.
        case dispatch(SendDescription)
        /// `<cancel>`.
        case cancel(TextSource)
        /// `<log>`.
        case log(label: String?, ScriptExpression?)
        /// `<assign>`.
        case assign(ScriptLocation, ValueSource)
        /// `<if>`: the first branch whose condition holds.
        case choose([Branch])
        /// What is not run, such as `<script>`, as words for a picture; only a chart read for one has it.
        case foreign(String)
        /// `<foreach>`. Whether the names can be variables shows when it is executed.
        case forEach(array: ScriptExpression, item: String, index: String?, content: [Content])
    }
}

extension ChartDocument {
    /// How many notes are kept of a file that is full of what is ignored.
    static let notesMax = 100
}

extension ScriptExpression: Hashable {
    /// Expressions are the same if they are written the same.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
