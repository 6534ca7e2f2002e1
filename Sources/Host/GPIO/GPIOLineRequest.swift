import Controller

/// A line, with the names that the configuration uses.
package struct GPIOLocation: Hashable, Sendable {
    package enum Line: Hashable, Sendable {
        case number(Int)
        /// The board's name for the line, `GPIO17`.
        case name(String)
    }

    /// The path, label or kernel name of a chip; nil: any chip.
    package var chip: String?
    package var line: Line

    package init(chip: String? = nil, line: Line) {
        self.chip = chip
        self.line = line
    }
}

package enum GPIOBias: String, CaseIterable, Hashable, Sendable {
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case none
    /// The bias stays as the chip has it.
    case asIs = "as-is"
}

enum GPIOLinePurpose: Hashable {
    /// The kernel reports both edges, after the level has been steady for `debounce`.
    case input(GPIOBias, debounce: Duration)
    case output
}

struct GPIOLineRequest: Hashable {
    var place: GPIOLocation
    var isActiveLow: Bool
    var use: GPIOLinePurpose
}

package struct BoardConfiguration: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        /// The location of the line; nil: not connected.
        package var place: GPIOLocation?
        package var isActiveLow: Bool
    }

    package var button = Line(isActiveLow: true)
    package var bias = GPIOBias.pullUp
    package var debounce = Duration.milliseconds(5)
    package var lamp = Line(isActiveLow: false)
    /// Whether the lamp is allowed to be lit while the shutter is open.
    package var lampShowsExposing = false
    package var buzzer = Line(isActiveLow: false)

    var buttonRequest: GPIOLineRequest? { Self.request(button, .input(bias, debounce: debounce)) }
    var lampRequest: GPIOLineRequest? { Self.request(lamp, .output) }
    var buzzerRequest: GPIOLineRequest? { Self.request(buzzer, .output) }

    private static func request(_ line: Line, _ use: GPIOLinePurpose) -> GPIOLineRequest? {
        line.place.map { GPIOLineRequest(place: $0, isActiveLow: line.isActiveLow, use: use) }
    }
}
