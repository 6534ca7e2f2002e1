import Cameras
import Exposure

/// The stored pictures of a shoot that is over, for the check of its coverage.
package struct CoverageOrder: Equatable, Sendable {
    package var shoot: Int
    package var spacing: Spacing
    /// The speeds that the frame to add can have, at least one.
    package var available: [ShutterSpeed]
    /// The captured frames, in the order of the plan.
    package var frames: [Frame]

    package struct Frame: Equatable, Sendable {
        package var speed: ShutterSpeed
        /// The path of the frame's newest JPEG, relative to the configured folder.
        package var path: String

        package init(speed: ShutterSpeed, path: String) {
            self.speed = speed
            self.path = path
        }
    }

    /// - Parameter available: the camera's speeds; empty: not known, so all speeds count.
    package init(shoot: Int, spacing: Spacing, available: [ShutterSpeed] = [], frames: [Frame]) {
        self.shoot = shoot
        self.spacing = spacing
        self.available = available.isEmpty ? ShutterSpeed.all : available
        self.frames = frames
    }
}

/// The host's answer to a ``CoverageOrder``.
package struct ShootCoverage: Codable, Hashable, Sendable {
    package var shoot: Int
    /// Nil: no picture could be decoded.
    package var coverage: Coverage?

    package init(shoot: Int, coverage: Coverage?) {
        self.shoot = shoot
        self.coverage = coverage
    }
}

extension CoverageOrder {
    /// Nil if a captured frame has no stored JPEG yet, or none was captured.
    init?(_ shoot: Shoot, _ pictures: RecentPictures, speeds: [ShutterSpeed]) {
        var frames: [Frame] = []
        for (index, frame) in shoot.plan.frames.enumerated() where shoot.outcome(of: index).isCaptured {
            guard let path = pictures.jpegPath(of: shoot.id, index) else { return nil }
            frames.append(Frame(speed: frame.speed, path: path))
        }
        guard !frames.isEmpty else { return nil }
        self.init(shoot: shoot.id, spacing: shoot.plan.request.spacing, available: speeds, frames: frames)
    }
}

extension PictureIntake {
    /// Has the pictures of a shoot checked when it is over and each captured frame has its JPEG here. A shoot that an
    /// earlier run left is checked when it has continued.
    mutating func orderCoverage(_ facts: Facts, in turn: inout Turn) {
        guard facts.isOver, !facts.isStopping, policy != .none, let shoot = facts.shoot, shoot.left == nil else {
            return
        }
        guard let order = CoverageOrder(shoot, recent, speeds: facts.status?.speeds ?? []) else {
            return recent.forgetCoverage(of: shoot.id)
        }
        if recent.isNews(order) { turn.append(.readCoverage(order)) }
    }

    /// Handles the host's check of a shoot's pictures.
    mutating func receive(_ reading: ShootCoverage, _ facts: Facts, in turn: inout Turn) {
        guard !facts.isStopping, reading.coverage?.isSound != false, recent.adopt(reading) else { return }
        if reading.shoot == facts.shoot?.id { writeManifest(facts, in: &turn) }
    }
}
