/// One state or pseudo-state in the compiler's output. Rows are in document order, the root first. The index of a row
/// is the number of the state.
public struct StateRow: Sendable, Equatable {
    /// The kind of a state.
    public enum Kind: Sendable, Equatable {
        /// The document itself, which is never active.
        case root
        case atomic
        /// A state with exactly one active child.
        case compound
        /// A state whose children are all active.
        case parallel
        /// A final state: entering it finishes its parent.
        case final
        /// A history that records the active child.
        case shallowHistory
        /// A history that records the active leaves.
        case deepHistory
    }

    /// The kind of the state.
    public var kind: Kind
    /// The number of the parent state; the root is its own parent.
    public var parent: Int
    /// The states entered by default: the initial targets of the root or of a compound state, or the default targets of
    /// a history.
    public var initial: [Int]
    /// The transition whose content runs on default entry: the transition in `<initial>` or `<history>`.
    public var initialTransition: Int?
    /// The blocks that run on entry. The root's blocks run before any state is entered.
    public var entry: Range<Int>
    /// The blocks that run on exit.
    public var exit: Range<Int>
    /// The number of the event `done.state.NAME`; nil: the chart does not use this event.
    public var done: Int?
    /// For a final state: the content that raises the done event with data. This content replaces `done`.
    public var doneContent: Int?

    /// A row with these values. The default values are those of an atomic state without content.
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

/// The condition of a transition.
@frozen
public enum Condition: Sendable, Equatable {
    /// No condition.
    case always
    /// The behavior's guard with this number holds.
    case holds(Int)
    /// The behavior's guard with this number does not hold.
    case fails(Int)
    case active(Int)
    case inactive(Int)
    /// This condition of the behavior's data model holds.
    case evaluates(Int)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// One transition, including those of `<initial>` and `<history>`. Rows are in document order. The index of a row is
/// the number of the transition.
public struct TransitionRow: Sendable, Equatable {
    /// The trigger of a transition.
    public enum Trigger: Sendable, Equatable {
        case events([Int])
        /// No event: only the active states and the condition decide whether the transition is selected.
        case eventless
        /// The transition is never selected: it is the content of an `<initial>` or the default of a history.
        case never
    }

    public var source: Int
    public var trigger: Trigger
    public var condition: Condition
    /// The target states; empty for a transition without target.
    public var targets: [Int]
    /// The attribute `type="internal"` as written. The engine decides whether it has an effect.
    public var isInternal: Bool
    /// The blocks that the transition runs, at most one.
    public var content: Range<Int>

    /// A row with these values.
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

/// One element of executable content.
@frozen
public enum Operation: Sendable, Equatable {
    /// Calls the behavior's action with this number.
    case perform(Int)
    case raise(Int)
    /// Puts an event into the external queue. The machine handles it after this macrostep.
    case send(Int, id: Int?)
    /// Starts a timer that sends an event after a fixed number of milliseconds.
    case sendAfter(milliseconds: Int64, Int, id: Int?)
    /// Starts a timer that sends an event. The behavior's delay with this number gives the duration.
    case sendAfterDelay(Int, Int, id: Int?)
    /// Cancels every timer that has this send id.
    case cancel(Int)
    /// Passes a line to the recorder.
    case log(Int)
    /// Executes this content of the behavior's data model.
    case evaluate(Int)
}
