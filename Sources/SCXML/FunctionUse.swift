import Statecharts

/// All uses of a guard, delay or action in a chart. They decide whether the Swift function has a payload as parameter,
/// and they give the function's doc comment.
struct FunctionUse {
    /// The comments in the chart that precede the uses.
    var comments: [String] = []
    /// One phrase for each use, in document order.
    var places: [String] = []
    /// The input whose payload the function receives; nil if the uses have different inputs.
    private(set) var payload: ChartDocument.InputDeclaration?
    private var isFirst = true

    /// Adds a use. `input` is the only input that can cause the use; nil: several inputs, or an input without payload.
    mutating func note(place: String, comment: String, payload input: ChartDocument.InputDeclaration?) {
        if !places.contains(place) { places.append(place) }
        if !comment.isEmpty, !comments.contains(comment) { comments.append(comment) }
        payload = isFirst || payload?.name == input?.name ? input : nil
        isFirst = false
    }
}

struct FunctionUses {
    private(set) var guards: [String: FunctionUse] = [:]
    private(set) var delays: [String: FunctionUse] = [:]
    private(set) var actions: [String: FunctionUse] = [:]

    init(_ chart: LoweredChart) {
        let document = chart.document
        for (number, transition) in document.transitions.enumerated() {
            let place = Self.place(of: number, chart)
            let payload = Self.payload(of: number, chart)
            let content = transition.content?.content ?? []
            let performs = content.contains { $0.isPerform }
            if case .guardName(let name, _)? = transition.condition {
                let comment = performs ? "" : transition.comment
                guards[name, default: FunctionUse()].note(place: place, comment: comment, payload: payload)
            }
            note(content, place: place, comment: transition.comment, payload: payload)
        }
        for (owner, block) in document.blocks {
            switch owner {
            case .entry(let state):
                note(block.content, place: "on entering `\(document.states[state].id)`", comment: "", payload: nil)
            case .exit(let state):
                note(block.content, place: "on leaving `\(document.states[state].id)`", comment: "", payload: nil)
            case .transition: break
            }
        }
    }

    private mutating func note(
        _ content: [ChartDocument.Content],
        place: String,
        comment: String,
        payload: ChartDocument.InputDeclaration?
    ) {
        // The comment before a transition belongs to the first element of its content.
        var comment = comment
        for item in content {
            switch item.kind {
            case .perform(let name):
                let own = item.comment.isEmpty ? comment : item.comment
                comment = ""
                actions[name, default: FunctionUse()].note(place: place, comment: own, payload: payload)
            case .send(_, _, .named(let name)?):
                delays[name, default: FunctionUse()].note(place: place, comment: item.comment, payload: nil)
            case .send, .raise, .cancel, .log, .interpreted: break
            }
        }
    }

    /// The only input that can trigger a transition; nil: other events also trigger it, or the input has no payload.
    private static func payload(of number: Int, _ chart: LoweredChart) -> ChartDocument.InputDeclaration? {
        guard case .events(let events) = chart.transitions[number].trigger, events.count == 1,
            let event = events.first, event < chart.events.inputCount,
            !chart.events.raised.contains(event), !chart.events.timed.contains(event)
        else { return nil }
        let input = chart.document.inputs.first { $0.name == chart.events.names[event] }
        return input?.payload == nil ? nil : input
    }

    private static func place(of number: Int, _ chart: LoweredChart) -> String {
        let transition = chart.document.transitions[number]
        let state = chart.document.states[transition.source].id
        switch transition.role {
        case .initial: return "on entering `\(state)` by default"
        case .history: return "when `\(state)` has nothing to remember"
        case .normal: break
        }
        guard let descriptors = transition.descriptors else { return "in `\(state)` at once" }
        return "in `\(state)` on " + descriptors.map { "`\($0.text)`" }.joined(separator: " or ")
    }
}

extension ChartDocument.Content {
    fileprivate var isPerform: Bool {
        if case .perform = kind { return true }
        return false
    }
}
