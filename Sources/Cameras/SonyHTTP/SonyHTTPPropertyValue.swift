import JSON

/// A setting as the body reports it.
package struct SonyHTTPPropertyValue: Hashable, Sendable {
    /// The present value in the body's form.
    package var current: JSONValue
    /// The values that can be set now, in the body's form and order; nil: this answer does not list them.
    package var candidates: [JSONValue]?
    /// The values that the model supports in some state; nil: not asked for.
    package var supported: [JSONValue]?
    /// The numbers of a stop per step of the exposure compensation; nil: another property.
    package var step: SonyHTTPCompensationStep?
    /// The colour temperature in kelvin; nil: not in use.
    package var kelvin: Int?
}

/// The size of a step of the exposure compensation (API Reference: 1 means a third of a stop, 2 means a half).
package enum SonyHTTPCompensationStep: Int, Hashable, Sendable {
    case third = 1
    case half = 2

    private var perStop: Int { self == .third ? 3 : 2 }

    /// `+0.3`, `0`, `-1.7`, `+0.5`.
    package func text(of index: Int) -> String {
        if index == 0 { return "0" }
        let count = Int(index.magnitude)
        let tenths = (count * 20 / perStop + 1) / 2
        return "\(index < 0 ? "-" : "+")\(tenths / 10).\(tenths % 10)"
    }
}
