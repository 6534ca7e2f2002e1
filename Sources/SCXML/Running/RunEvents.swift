/// The events of a chart with an open set of events.
///
/// A descriptor matches the first tokens of a name. So the longest matching prefix among all descriptors determines
/// which descriptors match. Each such prefix is a place, and every unknown name belongs to one. The table is closed
/// although the set of names is open.
struct RunEvents: Sendable {
    /// The maximum number of tokens in a descriptor. No descriptor matches tokens of a name beyond it.
    static let tokensMax = 64
    static let nameLengthMax = 4_096

    /// The names of the places: first all names in the chart, then the prefixes of descriptors.
    var places: [String] { numbers.names }
    private var numbers = NumberedNames()
    /// Per place the places whose names start with its own, including itself.
    private var below: [[Int]] = []

    init(_ document: ChartDocument) {
        _ = numbers.add("")
        for (_, block) in document.blocks {
            for content in block.content.flatMap({ [$0] + $0.descendants }) {
                if case .raise(let name) = content.kind { _ = numbers.add(name) }
            }
        }
        for (number, state) in document.states.enumerated() where !state.isLeaf && !state.isHistory && number > 0 {
            _ = numbers.add(Self.doneName(of: number, document))
        }
        for transition in document.transitions {
            for descriptor in transition.descriptors ?? [] {
                for length in 1..<(descriptor.tokens.count + 1) {
                    _ = numbers.add(descriptor.tokens.prefix(length).joined(separator: "."))
                }
            }
        }
        below = places.map { _ in [] }
        for (number, name) in places.enumerated() {
            for prefix in Self.prefixes(of: name) {
                if let place = numbers[prefix] { below[place].append(number) }
            }
        }
    }

    /// `done.state.ID`: the event for a finished state.
    static func doneName(of state: Int, _ document: ChartDocument) -> String {
        let id = document.states[state].id
        return "done.state." + (id.isEmpty ? "#\(state)" : id)
    }

    /// The place of the transitions for any name. A name in the chart has its own place.
    func place(of name: String) -> Int {
        Self.prefixes(of: name).lazy.compactMap { numbers[$0] }.first ?? 0
    }

    func matching(_ descriptors: [EventDescriptor]) -> [Int] {
        var result = Set<Int>()
        for descriptor in descriptors {
            if descriptor.tokens.isEmpty { return Array(places.indices) }
            result.formUnion(below[place(of: descriptor.tokens.joined(separator: "."))])
        }
        return result.sorted()
    }

    /// The number of pairs of a transition and a matching place, which the table must hold. Checked before the table is
    /// made.
    func pairCount(_ document: ChartDocument) -> Int {
        document.transitions.reduce(0) { sum, transition in
            sum + (transition.descriptors ?? []).reduce(0) { $0 + matchCount($1) }
        }
    }

    private func matchCount(_ descriptor: EventDescriptor) -> Int {
        guard !descriptor.tokens.isEmpty else { return places.count }
        return below[place(of: descriptor.tokens.joined(separator: "."))].count
    }

    static func canBeName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLengthMax
            && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    /// The name, then its prefixes, one token less each time.
    private static func prefixes(of name: String) -> [String] {
        let tokens = name.tokens(atMost: tokensMax + 1)
        var result = [name]
        var prefix = name.unicodeScalars[...]
        for token in tokens.dropFirst().reversed() {
            prefix = prefix.dropLast(token.unicodeScalars.count + 1)
            result.append(String(prefix))
        }
        return result
    }
}
