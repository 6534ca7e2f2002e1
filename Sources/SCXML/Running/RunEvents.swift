/// The events of a chart whose set of events is open.
///
/// A descriptor matches a name by its leading tokens, so which descriptors match depends only on the longest of them
/// all that the name begins with. There are as many such places as descriptors have leading tokens, and a name that
/// nobody knew beforehand belongs to one of them: the table stays closed although the names are not.
struct RunEvents: Sendable {
    /// How many names with dots between a descriptor may have. What a name has beyond that no descriptor can match.
    static let tokensMax = 64
    /// The longest name of an event, in bytes.
    static let nameLengthMax = 4_096

    /// The places' names: first every name that stands in the chart, then the leading tokens of descriptors.
    var places: [String] { numbers.names }
    private var numbers = NumberedNames()
    /// Per place those whose names begin with its own, itself included.
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

    /// `done.state.ID`: what is raised when a state is finished.
    static func doneName(of state: Int, _ document: ChartDocument) -> String {
        let id = document.states[state].id
        return "done.state." + (id.isEmpty ? "#\(state)" : id)
    }

    /// Where the transitions for a name are found, whatever the name. One that stands in the chart has its own place.
    func place(of name: String) -> Int {
        Self.prefixes(of: name).lazy.compactMap { numbers[$0] }.first ?? 0
    }

    /// The places that any of the descriptors matches.
    func matching(_ descriptors: [EventDescriptor]) -> [Int] {
        var result = Set<Int>()
        for descriptor in descriptors {
            if descriptor.tokens.isEmpty { return Array(places.indices) }
            result.formUnion(below[place(of: descriptor.tokens.joined(separator: "."))])
        }
        return result.sorted()
    }

    /// How many pairs of a transition and a place its descriptors match the table has to hold: asked before it is made.
    func pairCount(_ document: ChartDocument) -> Int {
        document.transitions.reduce(0) { sum, transition in
            sum + (transition.descriptors ?? []).reduce(0) { $0 + matchCount($1) }
        }
    }

    private func matchCount(_ descriptor: EventDescriptor) -> Int {
        guard !descriptor.tokens.isEmpty else { return places.count }
        return below[place(of: descriptor.tokens.joined(separator: "."))].count
    }

    /// Whether a text can be the name of an event.
    static func canBeName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLengthMax
            && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    /// The name, then ever less of it, a token at a time.
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
