/// Features that only the recommendation has. The naive machine knows every expression in these charts.
extension RandomChart {
    /// The text of the whole file.
    var file: String {
        var random = random
        let binding = random.chance(25) ? "late" : "early"
        return """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0"
                   datamodel="ecmascript" binding="\(binding)" name="Random">\(text)</scxml>
            """
    }

    // MARK: States

    mutating func rootData() -> String {
        let list = random.chance(90) ? "[1, 2, 3]" : "missing"
        return "<datamodel><data id=\"n\" expr=\"0\"/><data id=\"list\" expr=\"\(list)\"/></datamodel>"
    }

    /// A state's data, blocks on entry and exit, and the data of a final state.
    mutating func dataAndBlocks(_ node: Node, _ index: Int) -> String {
        var result = ""
        if node.kind != "final", random.chance(30) { result += "<datamodel>\(data("d\(index)"))</datamodel>" }
        if node.kind == "final", random.chance(50) { result += "<donedata>\(payload())</donedata>" }
        for kind in ["onentry", "onexit"] {
            for _ in 0..<random.below(3) { result += "<\(kind)>\(block())</\(kind)>" }
        }
        return result
    }

    private mutating func data(_ id: String) -> String {
        switch random.below(7) {
        case 0: "<data id=\"\(id)\">7</data>"
        case 1: "<data id=\"\(id)\">  two\n words </data>"
        case 2: "<data id=\"\(id)\"/>"
        case 3: "<data id=\"\(id)\" expr=\"missing.x\"/>"
        case 4: "<data id=\"\(id)\" expr=\"_event.name\"/>"
        default: "<data id=\"\(id)\" expr=\"n + 1\"/>"
        }
    }

    // MARK: Transitions

    mutating func eventAndCondition() -> String {
        if isCrowded, random.chance(80) { return " event=\"\(random.pick(["e", "e", "e", "f", "*"]))\"" }
        guard random.chance(88) else { return " cond=\"\(eventlessCondition())\"" }
        let events = [
            "e", "f", "g", "x", "y", "t", "e f", "t.one", "done.state", "*", "done.state.\(anyName())", "error",
            "error.execution", "error.communication", "e.sub", "e.sub.*", "x.", "x.3 x.deep", "zzz.y t", "f g done",
        ]
        let cond = random.chance(40) ? " cond=\"\(random.chance(15) ? failingCondition() : condition())\"" : ""
        return " event=\"\(random.pick(events))\"" + cond
    }

    /// A condition for a transition without an event. Most of these conditions count, because otherwise few charts
    /// would end.
    private mutating func eventlessCondition() -> String {
        switch random.below(30) {
        case 0: failingCondition()
        case 1...10: condition()
        default: Self.counting
        }
    }

    /// A condition that becomes false after enough steps.
    static let counting = "n &lt; 3"

    /// Whether a transition has a target. Most transitions on errors have none, because they often cause the next error
    /// without end.
    mutating func mayHaveTarget(_ attributes: String) -> Bool {
        if isCrowded { return true }
        let isOnErrors = attributes.contains("event=\"error") || attributes.contains("event=\"*\"")
        return !isOnErrors || random.chance(30)
    }

    private mutating func condition() -> String {
        switch random.below(11) {
        case 10: random.pick(["In('')", "In('nosuch')", "!In('')"])
        case 0: "n % 3 == 0"
        case 1: "n % 2 == 1"
        case 2: "In('\(anyName())') &amp;&amp; n % 2 == 0"
        case 3: "_event.name == 'e'"
        case 4: "_event.data.p == 1"
        default: "\(random.chance(50) ? "" : "!")In('\(anyName())')"
        }
    }

    private mutating func failingCondition() -> String { random.pick(["missing.x == 1", "missing", "return", "v"]) }

    // MARK: Content

    /// The content of one block.
    mutating func block(counts: Bool = false) -> String {
        if isCrowded, random.chance(90) { return "<bd:do action=\"a\(random.below(20))\"/>" }
        return (counts ? "<assign location=\"n\" expr=\"n + 1\"/>" : "") + elements(1 + random.below(3), depth: 0)
    }

    private mutating func elements(_ count: Int, depth: Int) -> String {
        (0..<count).map { _ in element(depth: depth) }.joined()
    }

    private mutating func element(depth: Int) -> String {
        switch random.below(depth < 2 ? 31 : 25) {
        case 0: "<raise event=\"\(random.pick(["x", "y", "x.deep", "e.sub.unknown", "zzz"]))\"/>"
        case 1: "<send event=\"\(random.pick(["x", "t", "f"]))\"/>"
        case 2: "<send event=\"t.one\" id=\"i\" delay=\"\(random.below(4) * 5)ms\"/>"
        case 3: "<send event=\"t.two\" id=\"j\" delay=\"\(random.below(4) * 5)ms\"/><cancel sendid=\"i\"/>"
        case 4, 23: sendWithData()
        case 5: computedSend()
        case 6:
            random.chance(50) ? lostSend() : "<cancel sendidexpr=\"\(random.pick(["'i'", "'j'", "_event.sendid"]))\"/>"
        case 7, 8: failing()
        case 9, 10, 11: assignment()
        case 12, 13, 14, 15, 16: log()
        case 17, 18, 19, 20, 21, 22, 24: "<bd:do action=\"a\(random.below(20))\"/>"
        case 25, 26, 27: choice(depth: depth)
        case 28: halfDone()
        default: loop(depth: depth)
        }
    }

    private mutating func log() -> String {
        switch random.below(6) {
        case 0: "<log label=\"here\"/>"
        case 1: "<log label=\"d\" expr=\"d\(random.below(nodes.count))\"/>"
        // The message of an error is not specified, so charts use the data only of other events.
        case 2, 3: "<if cond=\"_event.name == 'x'\"><log label=\"data\" expr=\"_event.data\"/></if>"
        default: "<log expr=\"\(value())\"/>"
        }
    }

    private mutating func value() -> String {
        random.pick([
            "n", "n", "n + 1", "_event.name", "_event.name", "_event.type", "_event.sendid", "_event.data.p", "list",
            "v",
            "i", "'text'",
        ])
    }

    private mutating func assignment() -> String {
        switch random.below(8) {
        case 0: "<assign location=\"n\" expr=\"n + v\"/>"
        case 1: "<assign location=\"list\" expr=\"\(random.pick(["[n % 4, 1]", "[]", "n", "[7, 8, 9]"]))\"/>"
        case 2: "<assign location=\"d\(random.below(nodes.count))\" expr=\"\(random.pick(["n", "_event.data.p"]))\"/>"
        case 3: "<assign location=\"n\">0</assign>"
        default: "<assign location=\"n\" expr=\"n + 1\"/>"
        }
    }

    private mutating func failing() -> String {
        switch random.below(14) {
        case 0: "<assign location=\"_event\" expr=\"1\"/>"
        case 1: "<log expr=\"missing.x\"/>"
        case 2: "<log label=\"l\" expr=\"1 +\"/>"
        case 3: "<send event=\"x\" id=\"k\" target=\"nowhere\"/>"
        case 4: "<send event=\"x\" id=\"k\" type=\"http://example.org/none\"/>"
        case 5: "<send event=\"x\" targetexpr=\"missing\"/>"
        case 6: "<send eventexpr=\"missing\" id=\"k\"/>"
        case 7: "<send event=\"x\" id=\"k\" delayexpr=\"'bad'\"/>"
        case 8: "<foreach array=\"n\" item=\"v\"><log expr=\"v\"/></foreach>"
        case 9: "<foreach array=\"list\" item=\"_event\"><log expr=\"v\"/></foreach>"
        case 10: "<cancel sendidexpr=\"missing.x\"/>"
        default: "<assign location=\"missing\" expr=\"1\"/>"
        }
    }

    // MARK: Sending

    private mutating func payload() -> String {
        if random.chance(25) { return content() }
        return (0..<random.below(4)).map { number in
            let value = random.pick(["n", "1", "_event.name", "_event.sendid", "_event.data.p", "list", "missing"])
            return "<param name=\"\(["p", "q", "r"][number])\" expr=\"\(value)\"/>"
        }.joined()
    }

    private mutating func content() -> String {
        switch random.below(5) {
        case 0: "<content>7</content>"
        case 1: "<content> three\n\t words</content>"
        case 2, 3: "<content expr=\"missing\"/>"
        default: "<content expr=\"n\"/>"
        }
    }

    private mutating func sendWithData() -> String {
        let name = random.pick(["x", "x", "y", "x.deep"])
        let how = random.pick([
            "", " id=\"k\"", " target=\"#_internal\"", " target=\"#_internal\" id=\"k\"", " id=\"i\" delay=\"5ms\"",
        ])
        return "<send event=\"\(name)\"\(how)>\(payload())</send>"
    }

    private mutating func computedSend() -> String {
        switch random.below(4) {
        case 0: "<send event=\"t.one\" id=\"i\" delayexpr=\"n % 4 * 5 + 'ms'\"/>"
        case 1: "<send eventexpr=\"'x.' + n % 4\"/>"
        case 2: "<send event=\"x\" id=\"k\" targetexpr=\"'#_internal'\"/>"
        default: "<send eventexpr=\"'t.' + n % 4\" delay=\"5ms\" typeexpr=\"'scxml'\"/>"
        }
    }

    private mutating func lostSend() -> String {
        let target = random.pick(["#_parent", "#_scxml_other", "#_other"])
        return "<send event=\"x\" target=\"\(target)\"\(random.chance(50) ? " id=\"k\"" : "")/>"
    }

    // MARK: Choosing and looping

    private mutating func choice(depth: Int) -> String {
        var result = "<if cond=\"\(anyCondition())\">" + elements(random.below(3), depth: depth + 1)
        for _ in 0..<random.below(2) {
            result += "<elseif cond=\"\(anyCondition())\"/>" + elements(random.below(3), depth: depth + 1)
        }
        if random.chance(50) { result += "<else/>" + elements(random.below(3), depth: depth + 1) }
        return result + "</if>"
    }

    /// A block in which actions come before a failure. These actions keep their effect.
    private mutating func halfDone() -> String {
        "<if cond=\"n % 2 == 1\"><bd:do action=\"a1\"/><else/><raise event=\"x\"/><log expr=\"n\"/>"
            + "<send event=\"t.two\" id=\"j\" delay=\"5ms\"/><assign location=\"missing\" expr=\"1\"/></if>"
    }

    private mutating func anyCondition() -> String { random.chance(20) ? failingCondition() : condition() }

    private mutating func loop(depth: Int) -> String {
        let index = random.chance(50) ? " index=\"i\"" : ""
        let change = random.chance(20) ? "<assign location=\"list\" expr=\"[7, 8, 9]\"/>" : ""
        return "<foreach array=\"list\" item=\"v\"\(index)>" + change + elements(1 + random.below(2), depth: depth + 1)
            + "</foreach>"
    }
}
