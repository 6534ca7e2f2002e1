/// What an expression can ask the chart it stands in.
public protocol ScriptScope {
    /// The value of a variable or system variable; nil if nobody declared the name, which makes reading it an error.
    func value(of name: String) -> ScriptValue?
    /// Whether a state is active now. An id that no state has is simply not active.
    func isActive(_ state: String) -> Bool
}

/// A scope whose variables can be assigned.
public protocol MutableScriptScope: ScriptScope {
    /// Gives a declared variable a new value. Throws if the scope refuses it.
    mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError)
}
