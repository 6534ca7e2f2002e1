/// One way to draw a state: the width of its text and the columns of its children.
struct Shape {
    var width: Int
    var height: Int
    var textWidth: Int
    /// The children of the state by column, each with the number of its shape.
    var columns: [[Item]] = []

    struct Item {
        var state: Int
        var shape: Int
    }
}

/// Distances on the page, in pixels. Heights are multiples of the unit. So an arrow from the left side of a box never
/// overlaps an arrow from the right side of another box.
enum Grid {
    static let unit = 7
    static let titleHeight = 3 * unit
    static let linePitch = 2 * unit
    static let padding = 8
    /// The distance between two parallel arrows.
    static let lanePitch = unit
    /// The distance between a box and the first arrow beside it.
    static let laneMargin = 9
    /// The width for a dividing line between two regions, in addition to the width for arrows.
    static let dividerWidth = 16
    static let dotHeight = 2 * unit
    /// The width beside the title of a history, for a circle with a letter.
    static let historyMark = 24
    static let pageMargin = 16

    /// The width of the space between two columns with this number of arrows.
    static func gutter(lanes: Int, isDivided: Bool) -> Int {
        (lanes == 0 ? 2 * unit : 2 * laneMargin + (lanes - 1) * lanePitch) + (isDivided ? dividerWidth : 0)
    }

    /// The height of the space between two boxes in a column.
    static func channel(lanes: Int, isDivided: Bool, hasDot: Bool) -> Int {
        max(unit, lanes * lanePitch) + (isDivided ? unit : 0) + (hasDot ? dotHeight : unit)
    }

    /// The height of the space between a box's text or lower side and the boxes inside it.
    static func edge(lanes: Int, hasDot: Bool) -> Int { lanes * lanePitch + (hasDot ? dotHeight : unit) }

    static func header(lines: Int) -> Int {
        titleHeight + (lines > 0 ? lines * linePitch + unit : 0)
    }
}
