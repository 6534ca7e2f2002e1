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
    static let unit = 8
    static let titleHeight = 24
    static let linePitch = 16
    static let padding = 12
    /// Between two arrows that run side by side.
    static let lanePitch = 8
    /// What the dot above an initial state needs.
    static let dotHeight = 24
    /// Beside a title, where it is that of a history: a circle with its letter.
    static let historyMark = 24
    static let pageMargin = 16

    /// How wide the space between two columns is, when so many arrows run in it.
    static func gutter(lanes: Int, isDivided: Bool) -> Int {
        (lanes == 0 ? 16 : 2 * 12 + (lanes - 1) * lanePitch) + (isDivided ? 16 : 0)
    }

    /// How high the space between two boxes is.
    static func channel(lanes: Int, isDivided: Bool, hasDot: Bool) -> Int {
        max(unit, lanes * lanePitch) + (isDivided ? unit : 0) + (hasDot ? dotHeight : unit)
    }

    /// How high a name with lines of text below it is.
    static func header(lines: Int) -> Int {
        titleHeight + (lines > 0 ? lines * linePitch + unit : 0)
    }
}
