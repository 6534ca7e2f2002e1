/// One state, pseudo-states included, as the compiler writes it down. Rows stand in document order, the root first;
/// a row's place is the state's number.
public struct StateRow: Sendable, Equatable {
    /// What a state is.
    public enum Kind: Sendable, Equatable {
        /// The document itself; never active.
        case root
        /// A state without children.
        case atomic
        /// A state of whose children one is active.
        case compound
        /// A state of which all children are active.
        case parallel
        /// An end: its parent is finished when it is entered.
        case final
        /// Remembers which child was active.
        case shallowHistory
        /// Remembers which leaves were active.
        case deepHistory
    }

    /// What the state is.
    public var kind: Kind
    /// The number of the state around it; the root names itself.
    public var parent: Int
    /// What is entered by default: the initial targets of the root and of a compound, the default targets of a history.
    public var initial: [Int]
    /// The transition whose content runs on default entry: the one in `<initial>` or `<history>`.
    public var initialTransition: Int?
    /// The blocks that run on entry; those of the root run before anything is entered.
    public var entry: Range<Int>
    /// The blocks that run on exit.
    public var exit: Range<Int>
    /// The event that says the state is finished, if the chart knows it.
    public var done: Int?
    /// Of a final state: the content of the data model that says its parent is finished, with data, instead of `done`.
    public var doneContent: Int?

    /// A row. Defaults are those of an atomic state without content.
    public init(
        _ kind: Kind,
        parent: Int,
        initial: [Int] = [],
        initialTransition: Int? = nil,
        entry: Range<Int> = 0..<0,
        exit: Range<Int> = 0..<0,
        done: Int? = nil,
        doneContent: Int? = nil
    ) {
        self.kind = kind
        self.parent = parent
        self.initial = initial
        self.initialTransition = initialTransition
        self.entry = entry
        self.exit = exit
        self.done = done
        self.doneContent = doneContent
    }
}

/// What must hold for a transition to be taken.
@frozen
public enum Condition: Sendable, Equatable {
    /// Nothing.
    case always
    /// The behavior's guard of this number answers yes.
    case holds(Int)
    /// The behavior's guard of this number answers no.
    case fails(Int)
    /// This state is active.
    case active(Int)
    /// This state is not active.
    case inactive(Int)
    /// The behavior's data model answers yes to this condition of its own.
    case evaluates(Int)
}

/// One transition, those of `<initial>` and `<history>` included. Rows stand in document order; a row's place is the
/// transition's number.
public struct TransitionRow: Sendable, Equatable {
    /// What makes the engine try the transition.
    public enum Trigger: Sendable, Equatable {
        /// One of these events.
        case events([Int])
        /// Nothing but the configuration.
        case eventless
        /// Never: it is the content of an `<initial>` or the default of a history.
        case never
    }

    /// The state the transition belongs to.
    public var source: Int
    /// When it is tried.
    public var trigger: Trigger
    /// What must hold.
    public var condition: Condition
    /// Where it leads; empty for a transition that only acts.
    public var targets: [Int]
    /// `type="internal"`, as written; whether it has an effect is the engine's to find out.
    public var isInternal: Bool
    /// The blocks it runs: none or one.
    public var content: Range<Int>

    /// A row.
    public init(
        from source: Int,
        on trigger: Trigger,
        if condition: Condition = .always,
        to targets: [Int] = [],
        isInternal: Bool = false,
        content: Range<Int> = 0..<0
    ) {
        self.source = source
        self.trigger = trigger
        self.condition = condition
        self.targets = targets
        self.isInternal = isInternal
        self.content = content
    }
}

/// One piece of executable content.
@frozen
public enum Operation: Sendable, Equatable {
    /// Calls the behavior's action of this number.
    case perform(Int)
    /// Puts an event into the internal queue.
    case raise(Int)
    /// Puts an event into the external queue: it is handled after this macrostep.
    case send(Int, id: Int?)
    /// Arms a timer that delivers an event after so many milliseconds.
    case sendAfter(milliseconds: Int64, Int, id: Int?)
    /// Arms a timer that delivers an event after what the behavior's delay of this number says.
    case sendAfterDelay(Int, Int, id: Int?)
    /// Disarms every timer with this send id.
    case cancel(Int)
    /// Tells the recorder a line.
    case log(Int)
    /// Runs this content of the behavior's data model.
    case evaluate(Int)
}
