extension DrawingLabels {
    func words(_ content: ChartDocument.Interpreted) -> String {
        switch content {
        case .dispatch(let send): words(send)
        case .foreign(let text): text
        case .cancel(let id): "cancel \(words(id))"
        case .log(let label, let value):
            (["log"] + [label.map { "\"\($0)\"" }, value?.text].compactMap(\.self)).joined(separator: " ")
        case .assign(let location, let value): "\(location.text) = \(words(value))"
        case .choose(let branches): words(branches)
        case .forEach(let array, let item, _, let content): "for \(item) in \(array.text)" + words(content)
        }
    }

    func words(_ source: ChartDocument.TextSource) -> String {
        switch source {
        case .fixed(let text): text
        case .computed(let expression): expression.text
        }
    }

    private func words(_ send: ChartDocument.SendDescription) -> String {
        var parts = ["send", send.event.map(words) ?? "content"]
        if let target = send.target { parts += ["to", words(target)] }
        if let delay = send.delay { parts += ["after", words(delay)] }
        return parts.joined(separator: " ")
    }

    private func words(_ value: ChartDocument.ValueSource) -> String {
        switch value {
        case .none: "undefined"
        case .expression(let expression): expression.text
        case .text(let text): text
        }
    }

    /// The text of an `<if>`: `if mayRetry: raise retry; else: raise giveUp`.
    private func words(_ branches: [ChartDocument.Branch]) -> String {
        branches.enumerated().map { index, branch in
            let condition = branch.condition.map { (index == 0 ? "if " : "else if ") + $0.text } ?? "else"
            return condition + words(branch.content)
        }.joined(separator: "; ")
    }

    private func words(_ content: [ChartDocument.Content]) -> String {
        content.isEmpty ? ": nothing" : ": " + content.map(words).joined(separator: ", ")
    }
}
