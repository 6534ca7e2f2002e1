/// A chart as it is written, with every name resolved to a number: what checks look at and tables are made from.
public struct ChartDocument: Sendable {
    /// The chart's name: the Swift enum that is generated for it.
    public internal(set) var name = ""
    /// Which expressions it has.
    public internal(set) var dataModel = DataModel.null
    /// What the comment in front of the root says.
    public internal(set) var comment = ""
    /// All states in document order, the root first, histories included.
    public internal(set) var states: [State] = []
    /// All transitions in document order, those of `<initial>` and `<history>` included.
    public internal(set) var transitions: [Transition] = []
    /// The variables in document order; only a chart read by the recommendation has any.
    public internal(set) var data: [DataItem] = []
    /// `binding="late"`: a variable gets its value when its state is entered for the first time.
    public internal(set) var bindsLate = false
    /// What was ignored in reading: warnings with the code W100, at most a hundred.
    public internal(set) var notes: [Diagnostic] = []
    /// What the world may send.
    public internal(set) var inputs: [InputDeclaration] = []
    /// The modules that the payloads' types come from.
    public internal(set) var imports: [String] = []
    /// The states in which a fault must be able to end.
    var failure: [Reference] = []
    var failureStates: [Int] = []

    /// Which expressions a chart has.
    public enum DataModel: String, Sendable {
        /// Names of Swift functions.
        case swift
        /// `In()` alone.
        case null
        /// The small part of ECMAScript that `ScriptExpression` knows; only in a chart read by the recommendation.
        case ecmascript
    }

    /// A name, and where it stands.
    struct Reference: Sendable {
        var name: String
        var position: SourcePosition
    }

    /// A state, a history or the root.
    public struct State: Sendable, Blamable {
        /// What it is.
        public internal(set) var kind: Kind
        /// Its name; the root has none.
        public internal(set) var id: String
        /// The number of the state around it.
        public internal(set) var parent: Int
        /// The states in it, histories left out.
        public internal(set) var children: [Int] = []
        /// The histories in it.
        public internal(set) var histories: [Int] = []
        /// Its transitions, without that of `<initial>`; for a history its default.
        public internal(set) var transitions: [Int] = []
        /// What is entered by default.
        public internal(set) var initial: [Int] = []
        /// The transition of its `<initial>`.
        public internal(set) var initialTransition: Int?
        /// What runs on entry.
        public internal(set) var entry: [Block] = []
        /// What runs on exit.
        public internal(set) var exit: [Block] = []
        /// What the chart says about it.
        public internal(set) var comment = ""
        /// `<donedata>` of a `<final>`: what the event that says so carries.
        public internal(set) var doneData: Payload?
        /// Whether it is meant to wait without a timeout.
        public internal(set) var waitsForever = false
        /// What is not run and only shown, in words: `<invoke>`, and a `<script>` of the chart itself.
        public internal(set) var foreign: [String] = []
        /// Where its tag begins.
        public internal(set) var position: SourcePosition
        var allowed: Set<String> = []
        var initialAttribute: [String]?
        var initialElements = 0

        /// What a state can be.
        public enum Kind: Sendable {
            /// The document.
            case root
            /// `<state>`.
            case state
            /// `<parallel>`.
            case parallel
            /// `<final>`.
            case final
            /// `<history type="shallow">`.
            case shallowHistory
            /// `<history type="deep">`.
            case deepHistory
        }

        var isHistory: Bool { kind == .shallowHistory || kind == .deepHistory }
        var isLeaf: Bool { kind == .final || (kind == .state && children.isEmpty) }
        var isCompound: Bool { kind == .state && !children.isEmpty }
    }

    /// A transition.
    public struct Transition: Sendable, Blamable {
        /// What it belongs to.
        public internal(set) var role: Role
        /// The state it belongs to.
        public internal(set) var source: Int
        /// Its descriptors; `nil` if it has no `event`.
        public internal(set) var descriptors: [EventDescriptor]?
        /// What must hold.
        public internal(set) var condition: Expression?
        /// Where it leads.
        public internal(set) var targets: [Int] = []
        /// `type="internal"`.
        public internal(set) var isInternal = false
        /// What it does.
        public internal(set) var content: Block?
        /// What the chart says about it.
        public internal(set) var comment = ""
        /// Where its tag begins.
        public internal(set) var position: SourcePosition
        var allowed: Set<String> = []
        var targetNames: [String]?
        var conditionState: Int?

        /// What a transition can belong to.
        public enum Role: Sendable {
            /// To a state.
            case normal
            /// To an `<initial>`.
            case initial
            /// To a `<history>`.
            case history
        }
    }

    /// `<bd:input>`.
    public struct InputDeclaration: Sendable, Blamable {
        /// The event's name.
        public internal(set) var name: String
        /// The Swift type it carries.
        public internal(set) var payload: String?
        /// What the chart says about it.
        public internal(set) var comment: String
        /// Where its tag begins.
        public internal(set) var position: SourcePosition
        var allowed: Set<String>
    }

    /// One `onentry`, `onexit` or transition.
    public struct Block: Sendable {
        /// What it does, in order.
        public internal(set) var content: [Content] = []
    }

    /// One piece of executable content.
    public struct Content: Sendable, Blamable {
        /// What to do.
        public internal(set) var kind: Kind
        /// What the chart says about it.
        public internal(set) var comment: String
        /// Where its tag begins.
        public internal(set) var position: SourcePosition
        var allowed: Set<String>

        /// What content can do.
        public enum Kind: Sendable {
            /// `<bd:do>`.
            case perform(String)
            /// `<raise>`, and `<send target="#_internal">`.
            case raise(String)
            /// `<send>`.
            case send(event: String, id: String?, delay: Delay?)
            /// `<cancel>`.
            case cancel(String)
            /// `<log>`.
            case log(String)
            /// What only a chart read by the recommendation has: there it stands for every `<send>`, `<cancel>` and
            /// `<log>` too.
            case interpreted(Interpreted)
        }
    }

    /// How long a sent event waits.
    public enum Delay: Sendable, Hashable {
        /// As the chart says.
        case milliseconds(Int64)
        /// As the behavior says.
        case named(String)
    }

    /// A condition.
    public enum Expression: Sendable, Hashable {
        /// A guard's name.
        case guardName(String, negated: Bool)
        /// `In('id')`.
        case isIn(String, negated: Bool)
        /// Every condition of a chart read by the recommendation.
        case script(ScriptExpression)
    }
}

extension ChartDocument {
    /// Whether `ancestor` is around `state`, at any distance.
    func isDescendant(_ state: Int, of ancestor: Int) -> Bool {
        guard state != 0 else { return false }
        var next = states[state].parent
        while next != 0, next != ancestor { next = states[next].parent }
        return next == ancestor
    }

    /// The state, then what is around it, without the root.
    func path(_ state: Int) -> [Int] {
        var result: [Int] = []
        var next = state
        while next != 0 {
            result.append(next)
            next = states[next].parent
        }
        return result
    }

    /// The innermost thing that is around both, or is one of them.
    func commonAncestor(_ first: Int, _ second: Int) -> Int {
        let path = path(first)
        var next = second
        while next != 0, !path.contains(next) { next = states[next].parent }
        return next
    }

    /// Every block: where it stands, and what is in it.
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

    /// What a block belongs to.
    enum BlockOwner: Hashable {
        case entry(Int)
        case exit(Int)
        case transition(Int)
    }
}
