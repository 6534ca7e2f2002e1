import Controller

/// A line, as the configuration names it.
package struct GPIOPlace: Hashable, Sendable {
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
    /// As the chip has it.
    case asIs = "as-is"
}

enum GPIOUse: Hashable {
    /// Both edges are reported once the level has been steady for `debounce`.
    case input(GPIOBias, debounce: Duration)
    case output
}

struct GPIOWish: Hashable {
    var place: GPIOPlace
    var isActiveLow: Bool
    var use: GPIOUse
}

package struct BoardConfiguration: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        /// nil when not connected.
        package var place: GPIOPlace?
        package var isActiveLow: Bool
    }

    package var button = Line(isActiveLow: true)
    package var bias = GPIOBias.pullUp
    package var debounce = Duration.milliseconds(5)
    package var lamp = Line(isActiveLow: false)
    /// Whether the lamp may be lit while the shutter is open.
    package var lampShowsExposing = false
    package var buzzer = Line(isActiveLow: false)

    var buttonWish: GPIOWish? { Self.wish(button, .input(bias, debounce: debounce)) }
    var lampWish: GPIOWish? { Self.wish(lamp, .output) }
    var buzzerWish: GPIOWish? { Self.wish(buzzer, .output) }

    private static func wish(_ line: Line, _ use: GPIOUse) -> GPIOWish? {
        line.place.map { GPIOWish(place: $0, isActiveLow: line.isActiveLow, use: use) }
    }
}
