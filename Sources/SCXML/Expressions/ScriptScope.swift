/// The chart's data that an expression can read.
public protocol ScriptScope {
    /// The value of a variable or system variable; nil if undeclared, which makes reading it an error.
    func value(of name: String) -> ScriptValue?
    /// Whether a state is active now; false for an unknown id.
    func isActive(_ state: String) -> Bool
}

/// A scope with assignable variables.
public protocol MutableScriptScope: ScriptScope {
    /// Sets a declared variable. Throws if the scope refuses the value.
    mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError)
}
