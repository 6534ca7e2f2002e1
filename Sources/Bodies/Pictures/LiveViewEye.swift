import Cameras
import NIOCore

/// The live view of a simulated body: the scene in front of it, in small pictures without Exif.
struct LiveViewEye: Sendable {
    /// A picture, and the codes of its squares.
    struct Picture {
        let jpeg: ByteBuffer
        let codes: [SceneEye.Codes]
        let width: Int
        let height: Int
    }

    /// The frames of the last pictures, the oldest first, for a body whose live view is late.
    private var recent: [CardFrame] = []

    /// How many pictures a late live view lags behind.
    private static let lag = 3

    /// The next picture.
    ///
    /// - Parameters:
    ///   - frame: the frame that the body would expose now.
    ///   - showsExposure: whether the body's menu lets live view show the exposure.
    mutating func picture(of frame: CardFrame, _ scene: SceneEye?, showsExposure: Bool = true) -> Picture {
        recent.append(frame)
        if recent.count > Self.lag + 1 { recent.removeFirst() }
        guard let scene else { return Self.plain(frame, showsExposure: showsExposure) }
        let shown = scene.scene.camera.liveView == .lag ? recent[0] : frame
        let codes = scene.liveView(of: shown, showsExposure: showsExposure)
        let jpeg = FlatJPEG(cells: codes, columns: scene.scene.columns, blocksPerCell: 1)
        return Picture(
            jpeg: Self.whole(ByteBuffer(bytes: jpeg.image())),
            codes: codes,
            width: scene.scene.columns * SimulatedScene.side,
            height: scene.scene.rows * SimulatedScene.side
        )
    }

    /// The plain scene. A live view that does not show the exposure has the light of a mid-grey picture.
    private static func plain(_ frame: CardFrame, showsExposure: Bool) -> Picture {
        let light = showsExposure ? frame.settings.light(over: frame.exposure) : 1
        let greys = SimulatedScene.greys(light: light)
        let (width, height) = (SimulatedScene.width, SimulatedScene.height)
        return Picture(
            jpeg: whole(GreyJPEG.image(greys: greys, width: width, height: height)),
            codes: greys.map { SceneEye.Codes(red: $0, green: $0, blue: $0) },
            width: width,
            height: height
        )
    }

    private static func whole(_ image: ByteBuffer) -> ByteBuffer {
        var jpeg = ByteBuffer(bytes: [0xFF, 0xD8])
        jpeg.writeImmutableBuffer(image)
        return jpeg
    }
}

extension SceneEye {
    /// The codes of a picture of the live view, row by row.
    func liveView(of frame: CardFrame, showsExposure: Bool) -> [Codes] {
        let exposure = exposure(of: frame)
        // The exposure at which the median of the picture is mid-grey.
        let middle = -medianLight
        guard showsExposure else { return picture(exposedBy: middle) }
        switch scene.camera.liveView {
        case .exposure, .lag: return picture(exposedBy: exposure)
        case .gain: return picture(exposedBy: middle)
        case .limited: return picture(exposedBy: min(max(exposure, middle - Self.shownRange), middle + Self.shownRange))
        }
    }

    /// How far a limited live view follows the exposure, in EV (Nikon and Sony manuals: 3 EV).
    private static let shownRange = 3.0
}
