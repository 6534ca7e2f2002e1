import Exposure

/// A scene with known luminances in front of a simulated body, and the camera that sees it.
///
/// All positions are in percent of the frame from its top left. All light is in EV100: the EV of settings at ISO 100
/// that make a tone mid-grey.
package struct Scene: Hashable, Sendable {
    package var name = ""
    /// The number of cells in a row, 1 to ``columnsMax``.
    package var columns: Int
    /// The number of rows, 1 to ``rowsMax``.
    package var rows: Int
    /// The light of a cell that no shape covers.
    package var base: Double
    /// Shapes paint over each other in this order.
    package var shapes: [SceneShape] = []
    /// The points that a photographer would meter; nil: the whole picture.
    package var shadowPoint: PicturePoint?
    package var highlightPoint: PicturePoint?
    package var light = SceneLight()
    package var camera = SceneCamera()

    /// With these limits a still picture has at most 25 megapixels.
    package static let columnsMax = 384
    package static let rowsMax = 256
    package static let shapesMax = 256
    /// The range of all light: starlight is about -8, the sun's disc 33.6.
    package static let lightRange = -20.0...40.0

    package init(columns: Int, rows: Int, base: Double) {
        precondition(1...Self.columnsMax ~= columns && 1...Self.rowsMax ~= rows, "a grid within the limits")
        self.columns = columns
        self.rows = rows
        self.base = base
    }
}

/// A shape of a scene: an area, and its light.
package struct SceneShape: Hashable, Sendable {
    package enum Area: Hashable, Sendable {
        case rectangle(x: Double, y: Double, width: Double, height: Double)
        /// The radius is in percent of the frame's width. Cells are square.
        case disc(x: Double, y: Double, radius: Double)
    }

    package enum Tone: Hashable, Sendable {
        case flat(Double)
        /// Linear in EV over the area's bounds, from left to right or from top to bottom.
        case ramp(from: Double, to: Double, Axis)
    }

    package enum Axis: String, Hashable, Sendable {
        case x
        case y
    }

    /// EV per channel on top of the tone.
    package struct Tint: Hashable, Sendable {
        package var red = 0.0
        package var green = 0.0
        package var blue = 0.0

        package init(red: Double = 0, green: Double = 0, blue: Double = 0) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    package var area: Area
    package var tone: Tone
    package var tint: Tint

    package init(_ area: Area, _ tone: Tone, tint: Tint = Tint()) {
        self.area = area
        self.tone = tone
        self.tint = tint
    }

    /// The light at a point; nil: the point is outside. `aspect` is the frame's height divided by its width.
    func light(at point: PicturePoint, aspect: Double) -> Double? {
        let bounds: (x: Double, y: Double, width: Double, height: Double)
        switch area {
        case .rectangle(let x, let y, let width, let height):
            guard x <= point.x, point.x < x + width, y <= point.y, point.y < y + height else { return nil }
            bounds = (x, y, width, height)
        case .disc(let x, let y, let radius):
            let (across, down) = (point.x - x, (point.y - y) * aspect)
            guard across * across + down * down <= radius * radius else { return nil }
            bounds = (x - radius, y - radius / aspect, 2 * radius, 2 * radius / aspect)
        }
        switch tone {
        case .flat(let ev): return ev
        case .ramp(let from, let to, .x): return from + (to - from) * (point.x - bounds.x) / bounds.width
        case .ramp(let from, let to, .y): return from + (to - from) * (point.y - bounds.y) / bounds.height
        }
    }
}
