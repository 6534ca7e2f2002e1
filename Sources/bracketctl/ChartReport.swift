import Interface
import Varlink

extension ChartPicture {
    func listing(_ running: RunningChart?) -> JSONValue {
        [
            "name": .string(name),
            "sentence": .string(sentence),
            "digest": .string(digest),
            "state": running.map { .string($0.state) } ?? .null,
            "configuration": running.map { .strings($0.configuration) } ?? .null,
        ]
    }

    /// The chart as JSON: states and transitions in document order, with the texts of the tree.
    ///
    /// - Parameter active: The ids of the active leaves; nil if unknown, which makes every `active` null.
    func json(_ active: Set<String>?) -> JSONValue {
        let marked = active.map(around)
        return [
            "name": .string(name),
            "sentence": .string(sentence),
            "digest": .string(digest),
            "configuration": active.map { .strings(inOrder($0)) } ?? .null,
            "states": .array(states.map { $0.json(isActive: marked?.contains($0.id)) }),
            "transitions": .array(transitions.map(\.json)),
        ]
    }

    /// The ids in document order. Unknown ids come last.
    private func inOrder(_ active: Set<String>) -> [String] {
        states.map(\.id).filter(active.contains) + unknownStates(active)
    }
}

extension ChartPicture.State {
    fileprivate func json(isActive: Bool?) -> JSONValue {
        [
            "id": .string(id),
            "parent": parent.map { .string($0) } ?? .null,
            "kind": .string(kind),
            "initial": .strings(initial),
            "active": isActive.map { .bool($0) } ?? .null,
            "entry": .strings(entry),
            "timers": .strings(timers),
            "exit": .strings(exit),
        ]
    }
}

extension ChartPicture.Transition {
    fileprivate var json: JSONValue {
        [
            "source": .string(source),
            "kind": .string(kind),
            "events": .strings(events),
            "guard": condition.map { .string($0) } ?? .null,
            "targets": .strings(targets),
            "actions": .strings(actions),
        ]
    }
}
