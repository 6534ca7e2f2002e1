/// Structures that are rare in random charts, with random details.
extension RandomChart {
    mutating func corner() -> String {
        switch random.below(3) {
        case 0: rivals()
        case 1: nestedParallels()
        default: remembering()
        }
    }

    /// Three transitions for one event: the first inside a region, the second around two leaves, the third from the
    /// second of these leaves. The third would preempt the second, but the first preempts it.
    private mutating func rivals() -> String {
        let inner = """
            <state id="s1"><state id="s2">\(on("e", to: ["s3"]))</state>
            <state id="s3">\(on("e f", to: ["s2"]))</state></state>
            """
        let leaves = [("s6", 30), ("s7", 90)].map { (id, percent) in
            let way = random.chance(percent) ? on("e", to: ["s9", "s2", "s3", "s0", "s8"]) : ""
            return "<state id=\"\(id)\">\(way)</state>"
        }
        let outer = """
            <state id="s4">\(on("e", to: ["s5", "s8"], "type=\"internal\""))
            <parallel id="s5">\(leaves.joined())</parallel>
            <state id="s8">\(on("f", to: ["s5", "s7"]))</state></state>
            """
        let regions = random.chance(30) ? inner + outer : outer + inner
        return """
            <parallel id="s0">\(blocks())\(regions)</parallel>
            <state id="s9">\(on("f g", to: ["s0", "s8"]))</state>
            """
    }

    /// Nested parallel states that are finished region by region.
    private mutating func nestedParallels() -> String {
        var number = 0
        return parallel(&number, depth: 0)
    }

    private mutating func parallel(_ number: inout Int, depth: Int) -> String {
        var result = "<parallel id=\"s\(number)\">" + (depth == 0 && random.chance(30) ? on("g", to: ["s0"]) : "")
        number += 1
        for _ in 0..<(1 + random.below(2)) {
            result += depth < 3 && random.chance(60) ? parallel(&number, depth: depth + 1) : region(&number)
        }
        return result + "</parallel>"
    }

    private mutating func region(_ number: inout Int) -> String {
        let first = number
        number += 3
        let data = random.chance(30) ? "<donedata><param name=\"p\" expr=\"n\"/></donedata>" : ""
        return """
            <state id="s\(first)">
            <state id="s\(first + 1)">\(on(random.pick(["e", "f"]), to: ["s\(first + 2)"]))</state>
            <final id="s\(first + 2)">\(data)\(blocks())</final></state>
            """
    }

    /// A state that is entered again by default and by its history. The history can be the default itself.
    private mutating func remembering() -> String {
        let type = random.pick(["deep", "shallow"])
        let first = random.pick(["s1", "s2"])
        let initial = random.pick(["h0", "h0", "s1", "s4"])
        let inner = """
            <state id="s2">\(blocks())<state id="s3">\(on("e", to: ["s4", "s1"]))</state>
            <state id="s4">\(on("e", to: ["s1", "s3"]))\(on("g", to: ["h0"]))</state></state>
            """
        return """
            <state id="s0"><initial><transition target="\(initial)">\(block())</transition></initial>
            <history id="h0" type="\(type)"><transition target="\(first)">\(block())</transition></history>
            \(blocks())\(on("f", to: ["s5"]))\(on("g", to: ["h0", "s0"], "type=\"internal\""))
            <state id="s1">\(on("e", to: ["s2", "s4"]))</state>\(inner)</state>
            <state id="s5">\(on("f g", to: ["s0", "h0", "s4"]))</state>
            """
    }

    private mutating func on(_ events: String, to targets: [String], _ type: String = "") -> String {
        let attributes = "event=\"\(events)\" target=\"\(random.pick(targets))\" \(type)"
        return "<transition \(attributes)>\(random.chance(40) ? block() : "")</transition>"
    }

    private mutating func blocks() -> String {
        ["onentry", "onexit"].map { random.chance(40) ? "<\($0)>\(block())</\($0)>" : "" }.joined()
    }
}
