/// The events of a chart in which any event name can occur.
///
/// A descriptor matches the first tokens of a name. So the longest prefix of the name that is also a descriptor decides
/// which descriptors match. Each such prefix is a place. Each unknown name belongs to one place. So the table has a
/// fixed size although any name can occur.
struct RunEvents: Sendable {
    /// The maximum number of tokens in a descriptor. Further tokens of a name are not matched.
    static let tokensMax = 64
    static let nameLengthMax = 4_096

    /// The names of the places: first all names in the chart, then the prefixes of descriptors.
    var places: [String] { numbers.names }
    private var numbers = NumberedNames()
    /// For each place: the places whose names start with this place's name. This place is one of them.
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

    /// The name `done.state.ID` of the event that reports a finished state.
    static func doneName(of state: Int, _ document: ChartDocument) -> String {
        let id = document.states[state].id
        return "done.state." + (id.isEmpty ? "#\(state)" : id)
    }

    /// The place of an event name in the table. A name that occurs in the chart has a place of its own.
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

    /// The number of pairs of a transition and a matching place. The table must hold all pairs, so the number is
    /// checked before the table is built.
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

    /// The name, and then its prefixes. Each prefix has one token less than the text before it.
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
