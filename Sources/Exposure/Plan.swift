/// The position of a frame in a plan: set 2, frame 3. Both numbers start at 1.
package struct FramePosition: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
    package let set: Int
    package let frame: Int

    /// Both numbers start at 1.
    package init(set: Int, frame: Int) {
        precondition(set >= 1, "sets count from 1")
        precondition(frame >= 1, "frames count from 1")
        self.set = set
        self.frame = frame
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        set = try fields.decode(Int.self, forKey: .set)
        frame = try fields.decode(Int.self, forKey: .frame)
        guard set >= 1, frame >= 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .frame,
                in: fields,
                debugDescription: "sets and frames count from 1"
            )
        }
    }

    package static func < (left: FramePosition, right: FramePosition) -> Bool {
        (left.set, left.frame) < (right.set, right.frame)
    }

    package var description: String { "set \(set), frame \(frame)" }
}

package struct PlannedFrame: Codable, Hashable, Sendable {
    package let position: FramePosition
    package let speed: ShutterSpeed

    package init(position: FramePosition, speed: ShutterSpeed) {
        self.position = position
        self.speed = speed
    }
}

/// The sets of frames that cover the range between two speeds.
package struct Plan: Hashable, Sendable {
    package let request: PlanRequest

    /// The sets, each from its fastest to its slowest frame. The last speed of a set is also the first speed of the
    /// next set. There are no sets if both ends of the request are the same speed.
    package let sets: [[ShutterSpeed]]

    /// The frames in firing order. A frame's position is its place in `sets`, even if `Sharing.once` omits the first
    /// frame of a later set. A plan without sets has one frame, at set 1, frame 1.
    package let frames: [PlannedFrame]

    package let notes: [PlanNote]

    /// Computes the plan for a request. Equal requests give equal plans.
    package init(_ request: PlanRequest) {
        guard request.goal == nil else {
            let frame = PlannedFrame(position: FramePosition(set: 1, frame: 1), speed: request.highlight)
            self.init(request: request, sets: [], frames: [frame], notes: [.longestSearch])
            return
        }
        let span = Span(request)
        var notes: [PlanNote] = []
        if request.shadow < request.highlight {
            notes.append(.swapped(shadow: request.shadow, highlight: request.highlight))
        }
        if span.isEmpty { notes.append(.zeroRange(request.shadow)) }
        if let end = span.endPassedByBias { notes.append(.biasClamped(thirds: request.biasThirds, end: end)) }
        guard !span.isEmpty else {
            let frame = PlannedFrame(position: FramePosition(set: 1, frame: 1), speed: span.firstSpeed)
            self.init(request: request, sets: [], frames: [frame], notes: notes)
            return
        }
        let sets = span.sets()
        if let last = sets.last, last.count < request.framesPerSet, last.last == .slowest {
            notes.append(.endsAtSlowest(set: sets.count, frames: last.count, framesPerSet: request.framesPerSet))
        }
        self.init(request: request, sets: sets, frames: Plan.firingOrder(of: sets, request.sharing), notes: notes)
    }

    /// Creates a plan from stored frames. The camera may have changed their speeds when the plan was made.
    package init(request: PlanRequest, frames: [PlannedFrame]) {
        self.init(request: request, sets: Plan(request).sets, frames: frames, notes: [])
    }

    init(request: PlanRequest, sets: [[ShutterSpeed]], frames: [PlannedFrame], notes: [PlanNote]) {
        self.request = request
        self.sets = sets
        self.frames = frames
        self.notes = notes
    }

    /// Returns the plan with one more frame, after the last frame of the last set.
    package func adding(_ speed: ShutterSpeed) -> Plan {
        let last = frames.last?.position
        let position = FramePosition(set: last?.set ?? 1, frame: (last?.frame ?? 0) + 1)
        let frame = PlannedFrame(position: position, speed: speed)
        return Plan(request: request, sets: sets, frames: frames + [frame], notes: notes)
    }

    /// The speeds for an estimate: those of the frames, or of the longest search if the plan finds its own range.
    ///
    /// - Parameter available: the camera's speeds; empty: not known.
    package func estimatedSpeeds(available: [ShutterSpeed] = []) -> [ShutterSpeed] {
        guard let goal = request.goal else { return frames.map(\.speed) }
        let speeds = available.isEmpty ? ShutterSpeed.all : available
        return AutoBracket(spacing: request.spacing, available: speeds, framesMax: goal.framesMax)
            .longestWalk(from: request.highlight)
    }

    package var rangeThirds: Int { abs(request.shadow.thirds(to: request.highlight)) }

    package var rangeEV: Double { Double(rangeThirds) / 3 }

    package var totalExposures: Int { frames.count }

    package var exposureTime: Duration { frames.reduce(.zero) { $0 + $1.speed.exposureTime } }
}

extension Plan {
    private static func firingOrder(of sets: [[ShutterSpeed]], _ sharing: Sharing) -> [PlannedFrame] {
        var frames: [PlannedFrame] = []
        frames.reserveCapacity(sets.reduce(0) { $0 + $1.count })
        for (setIndex, speeds) in sets.enumerated() {
            for (frameIndex, speed) in speeds.enumerated() {
                if sharing == .once, setIndex > 0, frameIndex == 0 { continue }
                frames.append(
                    PlannedFrame(position: FramePosition(set: setIndex + 1, frame: frameIndex + 1), speed: speed)
                )
            }
        }
        return frames
    }
}
