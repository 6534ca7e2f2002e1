/// The chart's data that an expression can read.
public protocol ScriptScope {
    /// The value of a variable or system variable. Nil for an undeclared variable, which an expression must not read.
    func value(of name: String) -> ScriptValue?
    /// Whether a state is active now. False if no state has this id.
    func isActive(_ state: String) -> Bool
}

/// A scope whose variables can be assigned.
public protocol MutableScriptScope: ScriptScope {
    /// Sets a declared variable. Throws if the scope refuses the value.
    mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError)
}
