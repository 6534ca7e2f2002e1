// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A chart as written, with every name resolved to a number: the input of checks and tables.
public struct ChartDocument: Sendable {
    /// The chart's name, which is the name of the generated Swift enum.
    public internal(set) var name = ""
    /// The data model, which defines the possible expressions.
    public internal(set) var dataModel = DataModel.null
    /// The comment before the root.
    public internal(set) var comment = ""
    /// All states in document order, the root first, including histories.
    public internal(set) var states: [State] = []
    /// All transitions in document order, including those of `<initial>` and `<history>`.
    public internal(set) var transitions: [Transition] = []
    /// The variables in document order; empty in a chart of the dialect.
    public internal(set) var data: [DataItem] = []
    /// `binding="late"`: a variable gets its value when its state is entered for the first time.
    public internal(set) var bindsLate = false
    /// Ignored parts: warnings with the code W100, at most a hundred.
    public internal(set) var notes: [Diagnostic] = []
    /// The declared inputs.
    public internal(set) var inputs: [InputDeclaration] = []
    /// The modules of the payload types.
    public internal(set) var imports: [String] = []
    /// The states in which a failure must be able to end.
    var failure: [Reference] = []
    var failureStates: [Int] = []

    /// The data model of a chart.
    public enum DataModel: String, Sendable {
        /// Names of Swift functions.
        case swift
        /// `In()` only.
        case null
        /// The subset of ECMAScript that `ScriptExpression` supports; only in a chart of the recommendation.
        case ecmascript
    }

    struct Reference: Sendable {
        var name: String
        var position: SourcePosition
    }

    /// A state, a history or the root.
    public struct State: Sendable, WarningTarget {
        public internal(set) var kind: Kind
        /// Its id; empty for the root.
        public internal(set) var id: String
        /// The number of the parent state.
        public internal(set) var parent: Int
        /// The child states, without histories.
        public internal(set) var children: [Int] = []
        public internal(set) var histories: [Int] = []
        /// Its transitions, without that of `<initial>`; the default transition of a history.
        public internal(set) var transitions: [Int] = []
        /// The states entered by default.
        public internal(set) var initial: [Int] = []
        /// The transition of its `<initial>`.
        public internal(set) var initialTransition: Int?
        /// The blocks that run on entry.
        public internal(set) var entry: [Block] = []
        /// The blocks that run on exit.
        public internal(set) var exit: [Block] = []
        /// The comment of the state in the file.
        public internal(set) var comment = ""
        /// `<donedata>` of a `<final>`: the data of its done event.
        public internal(set) var doneData: Payload?
        /// Whether it may wait without a timeout.
        public internal(set) var waitsForever = false
        /// Unsupported elements, as text for a picture: `<invoke>`, and a `<script>` of the chart itself.
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

    /// A transition.
    public struct Transition: Sendable, WarningTarget {
        /// The kind of its parent element.
        public internal(set) var role: Role
        public internal(set) var source: Int
        /// Its descriptors; nil without `event`.
        public internal(set) var descriptors: [EventDescriptor]?
        public internal(set) var condition: Expression?
        public internal(set) var targets: [Int] = []
        /// `type="internal"`.
        public internal(set) var isInternal = false
        public internal(set) var content: Block?
        /// The comment of the transition in the file.
        public internal(set) var comment = ""
        public internal(set) var position: SourcePosition
        var allowed: Set<String> = []
        var targetNames: [String]?
        var conditionState: Int?

        /// The kind of a transition's parent element.
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
        /// The comment of the input in the file.
        public internal(set) var comment: String
        public internal(set) var position: SourcePosition
        var allowed: Set<String>
    }

    /// The content of one `onentry`, `onexit` or transition.
    public struct Block: Sendable {
        /// The elements, in order.
        public internal(set) var content: [Content] = []
    }

    /// One element of executable content.
    public struct Content: Sendable, WarningTarget {
        public internal(set) var kind: Kind
        /// The comment of the element in the file.
        public internal(set) var comment: String
        public internal(set) var position: SourcePosition
        var allowed: Set<String>

        /// The kinds of executable content.
        public enum Kind: Sendable {
            /// `<bd:do>`.
            case perform(String)
            /// `<raise>`, and `<send target="#_internal">`.
            case raise(String)
            case send(event: String, id: String?, delay: Delay?)
            case cancel(String)
            case log(String)
            /// Content of a chart of the recommendation, including every `<send>`, `<cancel>` and `<log>` there.
            case interpreted(Interpreted)
        }
    }

    /// The delay of a sent event.
    public enum Delay: Sendable, Hashable {
        case milliseconds(Int64)
        case named(String)
    }

    /// A condition.
    public enum Expression: Sendable, Hashable {
        case guardName(String, negated: Bool)
        /// `In('id')`.
        case isIn(String, negated: Bool)
        /// Any condition of a chart of the recommendation.
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

    /// The state and its ancestors, innermost first, without the root.
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
