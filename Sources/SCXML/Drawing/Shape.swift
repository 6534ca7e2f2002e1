/// One way to draw a state: how wide its text runs, and how what is in it stands in columns.
struct Shape {
    var width: Int
    var height: Int
    /// The widest that a line of its text may be.
    var textWidth: Int
    /// What is in it, column by column, each with the number of its own shape.
    var columns: [[Item]] = []

    struct Item {
        var state: Int
        var shape: Int
    }
}

/// Distances on the page, in pixels. All heights are multiples of the unit, so that what leaves a box on its left never
/// lies on what leaves another on its right.
enum Grid {
    static let unit = 7
    static let titleHeight = 3 * unit
    static let linePitch = 2 * unit
    static let padding = 8
    /// Between two arrows that run side by side.
    static let lanePitch = unit
    /// Between a box and the first arrow that runs beside it.
    static let laneMargin = 9
    /// What the line between two regions needs beside the arrows.
    static let dividerWidth = 16
    /// What the dot above an initial state needs.
    static let dotHeight = 2 * unit
    /// Beside a title, where it is that of a history: a circle with its letter.
    static let historyMark = 24
    static let pageMargin = 16

    /// How wide the space between two columns is, when so many arrows run in it.
    static func gutter(lanes: Int, isDivided: Bool) -> Int {
        (lanes == 0 ? 2 * unit : 2 * laneMargin + (lanes - 1) * lanePitch) + (isDivided ? dividerWidth : 0)
    }

    /// How high the space between two boxes is.
    static func channel(lanes: Int, isDivided: Bool, hasDot: Bool) -> Int {
        max(unit, lanes * lanePitch) + (isDivided ? unit : 0) + (hasDot ? dotHeight : unit)
    }

    /// How high the space between the boxes in a box and its text or its lower side is.
    static func edge(lanes: Int, hasDot: Bool) -> Int { lanes * lanePitch + (hasDot ? dotHeight : unit) }

    /// How high a name with lines of text below it is.
    static func header(lines: Int) -> Int {
        titleHeight + (lines > 0 ? lines * linePitch + unit : 0)
    }
}
