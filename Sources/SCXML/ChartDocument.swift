// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A chart as written, with every name resolved to a number. It is the basis of the checks and the tables.
public struct ChartDocument: Sendable {
    /// The chart's name. The generated Swift enum has the same name.
    public internal(set) var name = ""
    /// The data model. It decides which expressions are possible.
    public internal(set) var dataModel = DataModel.null
    /// The comment before the root element.
    public internal(set) var comment = ""
    /// All states in document order, the root first. Histories are included.
    public internal(set) var states: [State] = []
    /// All transitions in document order, including those of `<initial>` and `<history>`.
    public internal(set) var transitions: [Transition] = []
    /// The variables in document order; empty in a chart of the dialect.
    public internal(set) var data: [DataItem] = []
    /// Whether a variable gets its value only when its state is first entered (`binding="late"`).
    public internal(set) var bindsLate = false
    /// Warnings with code W100 about ignored parts of the file, at most a hundred.
    public internal(set) var notes: [Diagnostic] = []
    public internal(set) var inputs: [InputDeclaration] = []
    /// The Swift modules that declare the payload types.
    public internal(set) var imports: [String] = []
    /// The states of `bd:failure`. W115 checks that a failure in any other state can lead to one of them.
    var failure: [Reference] = []
    var failureStates: [Int] = []

    public enum DataModel: String, Sendable {
        /// Conditions and content are names of Swift functions.
        case swift
        /// The only condition is `In()`.
        case null
        /// The subset of ECMAScript that `ScriptExpression` supports, for charts of the W3C recommendation.
        case ecmascript
    }

    struct Reference: Sendable {
        var name: String
        var position: SourcePosition
    }

    /// A state, a history or the root.
    public struct State: Sendable, WarningTarget {
        public internal(set) var kind: Kind
        /// The id of the state; empty for the root.
        public internal(set) var id: String
        /// The number of the parent state.
        public internal(set) var parent: Int
        /// The child states, without histories.
        public internal(set) var children: [Int] = []
        public internal(set) var histories: [Int] = []
        /// The transitions of the state, except the one in `<initial>`. For a history: its default transition.
        public internal(set) var transitions: [Int] = []
        /// The states entered by default.
        public internal(set) var initial: [Int] = []
        /// The transition in the `<initial>` of the state.
        public internal(set) var initialTransition: Int?
        public internal(set) var entry: [Block] = []
        public internal(set) var exit: [Block] = []
        public internal(set) var comment = ""
        /// `<donedata>` of a `<final>`: the data of the state's done event.
        public internal(set) var doneData: Payload?
        /// Whether the state is allowed to wait without a timeout.
        public internal(set) var waitsForever = false
        /// The unsupported elements as text for a picture: `<invoke>`, and `<script>` elements of the chart itself.
        public internal(set) var foreign: [String] = []
        public internal(set) var position: SourcePosition
        var allowed: Set<String> = []
        var initialAttribute: [String]?
        var initialElements = 0

        public enum Kind: Sendable {
            case root
            case state
            case parallel
            case final
            case shallowHistory
            case deepHistory
        }

        var isHistory: Bool { kind == .shallowHistory || kind == .deepHistory }
        var isLeaf: Bool { kind == .final || (kind == .state && children.isEmpty) }
        var isCompound: Bool { kind == .state && !children.isEmpty }
    }

    public struct Transition: Sendable, WarningTarget {
        /// The kind of the transition's parent element.
        public internal(set) var role: Role
        public internal(set) var source: Int
        /// The event descriptors; nil without the attribute `event`.
        public internal(set) var descriptors: [EventDescriptor]?
        public internal(set) var condition: Expression?
        public internal(set) var targets: [Int] = []
        /// Whether the transition has `type="internal"`.
        public internal(set) var isInternal = false
        public internal(set) var content: Block?
        public internal(set) var comment = ""
        public internal(set) var position: SourcePosition
        var allowed: Set<String> = []
        var targetNames: [String]?
        var conditionState: Int?

        public enum Role: Sendable {
            case normal
            case initial
            case history
        }
    }

    /// `<bd:input>`.
    public struct InputDeclaration: Sendable, WarningTarget {
        public internal(set) var name: String
        public internal(set) var payload: String?
        public internal(set) var comment: String
        public internal(set) var position: SourcePosition
        var allowed: Set<String>
    }

    /// The content of one `onentry`, `onexit` or transition.
    public struct Block: Sendable {
        public internal(set) var content: [Content] = []
    }

    /// One element of executable content.
    public struct Content: Sendable, WarningTarget {
        public internal(set) var kind: Kind
        public internal(set) var comment: String
        public internal(set) var position: SourcePosition
        var allowed: Set<String>

        public enum Kind: Sendable {
            /// `<bd:do>`.
            case perform(String)
            /// `<raise>`, or `<send target="#_internal">`.
            case raise(String)
            case send(event: String, id: String?, delay: Delay?)
            case cancel(String)
            case log(String)
            /// Content of a chart of the W3C recommendation, including `<send>`, `<cancel>` and `<log>`.
            case interpreted(Interpreted)
        }
    }

    /// The delay of a sent event.
    public enum Delay: Sendable, Hashable {
        case milliseconds(Int64)
        case named(String)
    }

    public enum Expression: Sendable, Hashable {
        case guardName(String, negated: Bool)
        /// `In('id')`.
        case isIn(String, negated: Bool)
        /// Any condition of a chart of the W3C recommendation.
        case script(ScriptExpression)
    }
}

extension ChartDocument {
    func isDescendant(_ state: Int, of ancestor: Int) -> Bool {
        guard state != 0 else { return false }
        var next = states[state].parent
        while next != 0, next != ancestor { next = states[next].parent }
        return next == ancestor
    }

    /// The state and its ancestors without the root. The state itself is first.
    func path(_ state: Int) -> [Int] {
        var result: [Int] = []
        var next = state
        while next != 0 {
            result.append(next)
            next = states[next].parent
        }
        return result
    }

    func commonAncestor(_ first: Int, _ second: Int) -> Int {
        let path = path(first)
        var next = second
        while next != 0, !path.contains(next) { next = states[next].parent }
        return next
    }

    var blocks: [(owner: BlockOwner, block: Block)] {
        var result: [(BlockOwner, Block)] = []
        for (number, state) in states.enumerated() {
            result += state.entry.map { (.entry(number), $0) }
            result += state.exit.map { (.exit(number), $0) }
        }
        for (number, transition) in transitions.enumerated() {
            if let content = transition.content { result.append((.transition(number), content)) }
        }
        return result
    }

    enum BlockOwner: Hashable {
        case entry(Int)
        case exit(Int)
        case transition(Int)
    }
}
