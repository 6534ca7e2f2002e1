/// Evaluates expression trees. The recursion is as deep as the tree, and the parser limits the depth.
struct ScriptEvaluation<Scope: ScriptScope> {
    let scope: Scope

    func value(of node: ScriptNode) throws(ScriptError) -> ScriptValue {
        switch node {
        case .literal(let value): return value
        case .name(let name): return try value(ofVariable: name)
        case .array(let elements): return try array(elements)
        case .object(let entries): return try object(entries)
        case .prefix(let operation, let operand): return try prefix(operation, operand)
        case .chain(let first, let links): return try chain(first, links)
        case .conditional(let condition, let positive, let negative):
            return try value(of: try value(of: condition).isTruthy ? positive : negative)
        case .path(let base, let members): return try path(base, members)
        case .isActive(let state): return .boolean(scope.isActive(try value(of: state).text))
        }
    }

    func value(ofVariable name: String) throws(ScriptError) -> ScriptValue {
        guard let value = scope.value(of: name) else { throw ScriptError("'\(name)' is not declared") }
        return value
    }

    private func array(_ elements: [ScriptNode]) throws(ScriptError) -> ScriptValue {
        var values: [ScriptValue] = []
        for element in elements { values.append(try value(of: element)) }
        let result = ScriptValue.array(values)
        try result.checkSize()
        return result
    }

    private func object(_ entries: [ScriptNode.Entry]) throws(ScriptError) -> ScriptValue {
        var members: NameTable<ScriptValue> = [:]
        for entry in entries { members[entry.key] = try value(of: entry.value) }
        let result = ScriptValue.object(members)
        try result.checkSize()
        return result
    }

    private func path(_ base: ScriptNode, _ members: [ScriptNode]) throws(ScriptError) -> ScriptValue {
        var result = try value(of: base)
        for member in members { result = try result.member(ScriptKey(try value(of: member))) }
        return result
    }

    private func prefix(_ operation: PrefixOperator, _ operand: ScriptNode) throws(ScriptError) -> ScriptValue {
        // A chart uses `typeof` to check whether a variable is declared (ECMAScript 5.1, 11.4.3).
        if operation == .typeName, case .name(let name) = operand, scope.value(of: name) == nil {
            return .string("undefined")
        }
        let value = try value(of: operand)
        switch operation {
        case .not: return .boolean(!value.isTruthy)
        case .minus: return .number(-value.asNumber)
        case .plus: return .number(value.asNumber)
        case .complement: return .number(Double(~ScriptNumber.signed(value.asNumber)))
        case .typeName: return .string(value.typeName)
        case .void: return .undefined
        }
    }

    private func chain(_ first: ScriptNode, _ links: [ScriptNode.Link]) throws(ScriptError) -> ScriptValue {
        var result = try value(of: first)
        for link in links {
            let isDecided = link.operation == .and ? !result.isTruthy : link.operation == .or && result.isTruthy
            if isDecided { return result }
            result = try result.combined(link.operation, with: try value(of: link.operand))
        }
        return result
    }
}
