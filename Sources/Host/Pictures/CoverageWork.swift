import Controller
import Exposure

/// The check of a shoot's coverage, which reads one picture at a time.
struct CoverageWork: Sendable {
    private let order: CoverageOrder
    private var tally = CoverageTally()
    private var readCount = 0

    init(_ order: CoverageOrder) { self.order = order }

    /// The next frame to read; nil: every frame was read.
    var next: CoverageOrder.Frame? {
        readCount < min(order.frames.count, Coverage.framesMax) ? order.frames[readCount] : nil
    }

    /// Adds the picture of ``next``.
    ///
    /// - Parameter map: nil: the picture could not be decoded.
    mutating func add(_ map: PictureMap?, at speed: ShutterSpeed) {
        tally.add(map, at: speed)
        readCount += 1
    }

    var result: ShootCoverage {
        let coverage = Coverage(tally, spacing: order.spacing, available: order.available)
        return ShootCoverage(shoot: order.shoot, coverage: coverage)
    }
}
