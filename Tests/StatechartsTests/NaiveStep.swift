/// The result of one microstep of a naive machine, or of one event that enabled no transition.
struct NaiveStep {
    var time: Int64
    var event: String?
    var origin: String
    var transitions: [Int] = []
    var exited: [String] = []
    var entered: [String] = []
    var raised: [String] = []
    var sent: [(id: String?, event: String, due: Int64)] = []
    var cancelled: [String] = []
    var actions: [String] = []

    /// The step in the form in which `scxml run --trace` prints it.
    var json: String {
        let sent = sent.map { "{\"id\":\(quoted($0.id)),\"event\":\(quoted($0.event)),\"due\":\($0.due)}" }
        return "{\"at\":\(time),\"event\":\(quoted(event)),\"origin\":\(quoted(origin)),"
            + "\"transitions\":[\(transitions.map(String.init).joined(separator: ","))],"
            + "\"exit\":\(list(exited)),\"enter\":\(list(entered)),\"raised\":\(list(raised)),"
            + "\"sent\":[\(sent.joined(separator: ","))],\"cancelled\":\(list(cancelled)),\"actions\":\(list(actions))}"
    }
}

extension NaiveMachine {
    /// The line that `scxml run --json --trace` prints after an element.
    func line(after event: String?) -> String {
        let shown = isRunning ? active : lastActive
        let leaves = shown.filter { isLeaf($0) }.map { name($0) }.sorted()
        return "{\"event\":\(quoted(event)),\"at\":\(now),\"configuration\":\(list(leaves)),"
            + "\"states\":\(list(shown.sorted().map { name($0) })),\"running\":\(isRunning),"
            + "\"trace\":[\(steps.map(\.json).joined(separator: ","))]}"
    }
}

private func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

private func list(_ names: [String]) -> String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
