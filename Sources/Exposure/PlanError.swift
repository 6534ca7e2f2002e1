/// Why a request cannot be planned.
package enum PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    case framesPerSet(Int)
    /// The spacing that the user typed is not 1, 1.5 or 2 EV.
    case spacing(String)
    /// The bias, in thirds of a stop, exceeds the limit.
    case biasThirds(Int)
    /// The bias that the user typed is not a number of thirds.
    case bias(String)

    package var description: String { sentence }
}
