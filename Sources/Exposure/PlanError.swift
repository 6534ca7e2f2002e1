/// Why a request cannot be planned.
package enum PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    case framesPerSet(Int)
    /// The spacing, as typed, is not 1, 1.5 or 2 EV.
    case spacing(String)
    /// The bias, in thirds of a stop, exceeds the limit.
    case biasThirds(Int)
    /// The bias, as typed, is not a number of thirds.
    case bias(String)

    /// One sentence: what is wrong, and which values are accepted.
    package var sentence: String {
        switch self {
        case .framesPerSet(let frames):
            "A set cannot have \(frames) \(frames == 1 ? "frame" : "frames"). Choose 3, 5, 7 or 9."
        case .spacing(let text):
            "A spacing of \(Quoted.text(text)) is not possible. Choose 1, 1.5 or 2 EV."
        case .biasThirds(let thirds):
            "A bias of \(thirds)/3 EV is too large. The range is -\(PlanRequest.biasThirdsMax)/3 to "
                + "+\(PlanRequest.biasThirdsMax)/3 EV."
        case .bias(let text):
            "A bias of \(Quoted.text(text)) is not in thirds of a stop. Write +1/3, -2/3 or +1."
        }
    }

    package var description: String { sentence }
}
