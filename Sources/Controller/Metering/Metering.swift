import Exposure
import Statecharts

/// The data behind `metering.scxml`.
struct MeteringModel: Equatable, Sendable {
    /// The last order; nil before the first one.
    private(set) var order: MeteringOrder?
    /// The light of the pictures of the shoot, by path. A bracket has at most 55 frames.
    private var lights: [String: PictureLight] = [:]

    /// The indices of frames whose pictures did not arrive. They cost an exposure and show nothing.
    private var lost: Set<Int> = []
    /// The paths of pictures that could not be decoded. When the user continues the shoot, it fires their frames again.
    private var unreadable: Set<String> = []
    /// The number of lost pictures since the shoot began, or since it ended because of them.
    private var lossCount = 0

    /// The number of pictures that may be lost before the shoot ends. More losses have a cause that the user must find.
    static let lostMax = 1
    /// The time for the transfer of a frame's files: 100 MB over slow WiFi take a minute and a half.
    static let pictureTimeMax = Duration.seconds(120)
    /// The host's own limit is shorter, so this limit matters only if the host has a fault.
    static let lightTimeMax = Duration.seconds(30)

    init() {}

    /// The bracket with the frames that were read.
    private var bracket: AutoBracket? {
        guard let order else { return nil }
        var bracket = AutoBracket(
            spacing: order.spacing,
            available: order.available,
            framesMax: order.goal.framesMax,
            options: order.goal.options
        )
        bracket.repeatsBase = order.goal.checksLight
        bracket.unseenCount = order.frames.count - counted.count
        let options = order.goal.options
        for (speed, light) in read { bracket.add(MeteredFrame(speed: speed, light: light, options: options)) }
        return bracket
    }

    /// The frames that show something. The others cost an exposure and show nothing.
    private var counted: [MeteringOrder.Frame] {
        order?.frames.enumerated().filter { counts($1, at: $0) }.map(\.element) ?? []
    }

    /// Whether a frame matches the plan, and its picture is not given up.
    private func counts(_ frame: MeteringOrder.Frame, at index: Int) -> Bool {
        guard !frame.isSuspect else { return false }
        return frame.path.map { !unreadable.contains($0) } ?? !lost.contains(index)
    }

    /// The light of each frame that counts, in the order fired.
    private var read: [(speed: ShutterSpeed, light: PictureLight)] {
        counted.compactMap { frame in frame.path.flatMap { lights[$0] }.map { (frame.speed, $0) } }
    }

    /// The path of the first picture whose light is not known.
    private var unreadPath: String? { counted.compactMap(\.path).first { lights[$0] == nil } }

    private var step: AutoBracket.Step? { order.flatMap { order in bracket?.step(from: order.start) } }

    private var findings: [MeteringWarning] {
        MeteringWarning.findings(read.map { (speed: $0.speed, map: $0.light.map) })
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension MeteringModel: MeteringBehavior {
    typealias Effect = PartEffect

    func isPictureMissing() -> Bool { counted.contains { $0.path == nil } }

    func mayLosePicture() -> Bool { lossCount < Self.lostMax }

    func isLightUnknown() -> Bool { unreadPath != nil }

    func isRangeFound() -> Bool { if case .done = step { true } else { false } }

    func isOfAwaitedPicture(_ reading: LightReading) -> Bool { reading.path == unreadPath }

    func isLightRead(_ reading: LightReading) -> Bool {
        guard isOfAwaitedPicture(reading), case .read(let numbers) = reading.outcome else { return false }
        return numbers.light != nil
    }

    func pictureLimit() -> Duration { Self.pictureTimeMax }

    func lightLimit() -> Duration { Self.lightTimeMax }

    mutating func adopt(_ order: MeteringOrder, _ effects: inout [PartEffect]) {
        if order.shoot != self.order?.shoot { (lost, unreadable, lossCount) = ([], [], 0) }
        let paths = Set(order.frames.compactMap(\.path))
        lights = lights.filter { paths.contains($0.key) }
        self.order = order
    }

    mutating func noteStored(_ order: MeteringOrder, _ effects: inout [PartEffect]) { adopt(order, &effects) }

    mutating func noteLost(_ effects: inout [PartEffect]) {
        lossCount += 1
        giveUpPicture()
        effects.append(.journal(JournalEntry(level: .warning, kind: .note, message: PictureSentences.notMetered)))
    }

    mutating func requestLight(_ effects: inout [PartEffect]) {
        guard let unreadPath else { preconditionFailure("the chart asks isLightUnknown first") }
        effects.append(.append(.readLight(path: unreadPath)))
    }

    mutating func noteLight(_ reading: LightReading, _ effects: inout [PartEffect]) {
        guard case .read(let numbers) = reading.outcome else { preconditionFailure("the chart asks isLightRead first") }
        lights[reading.path] = numbers.light
    }

    mutating func requestFrame(_ effects: inout [PartEffect]) {
        guard case .fire(let speed) = step else { preconditionFailure("the chart asks isRangeFound first") }
        report(.frame(speed), &effects)
    }

    mutating func reportRange(_ effects: inout [PartEffect]) {
        guard case .done(let outcome) = step else { preconditionFailure("the chart asks isRangeFound first") }
        let warnings = outcome.limits.map { MeteringWarning($0) } + findings
        report(.found(FoundRange(kept: outcome.kept, warnings: warnings)), &effects)
    }

    mutating func reportUnreadable(_ reading: LightReading, _ effects: inout [PartEffect]) {
        var reason = PictureSentences.lightDamaged
        if case .failed(let sentence) = reading.outcome { reason = sentence }
        unreadable.insert(reading.path)
        report(.unknown(reason), &effects)
    }

    mutating func reportNoPicture(_ effects: inout [PartEffect]) {
        // When the user continues the shoot, it fires this frame again.
        lossCount = 0
        giveUpPicture()
        report(.unknown(PictureSentences.noPictureToMeter(within: Self.pictureTimeMax)), &effects)
    }

    mutating func reportNoLight(_ effects: inout [PartEffect]) {
        report(.unknown(PictureSentences.lightNotRead(within: Self.lightTimeMax)), &effects)
    }
}

extension MeteringModel {
    /// Gives up the picture that was awaited longest.
    private mutating func giveUpPicture() {
        guard let order else { return }
        let frame = order.frames.enumerated().first { index, frame in
            !frame.isSuspect && frame.path == nil && !lost.contains(index)
        }
        if let frame { lost.insert(frame.offset) }
    }

    private func report(_ content: RangeUpdate.Content, _ effects: inout [PartEffect]) {
        guard let order else { preconditionFailure("the chart has an order outside of idle") }
        let update = RangeUpdate(shoot: order.shoot, frameCount: order.frames.count, content: content)
        effects.append(.enqueue(.range(update)))
    }
}
