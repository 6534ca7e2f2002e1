import Cameras
import Exposure
import Statecharts

/// The choice of the next frame of a bracket that finds its own range.
struct MeteringControl: Sendable {
    /// The core starts and advances this chart as a row of `ChartEntry.charts`.
    var chart = ChartRun(MeteringModel())

    /// Receives a message of the queue. The pictures' part has already received this message.
    mutating func receive(_ message: Message, _ order: MeteringOrder?, in turn: inout Turn) {
        guard case .picture(let news) = message, case .checked = news.content, chart.isActive(.awaitingPicture),
            let order, order.shoot == news.shoot
        else { return }
        deliver(.pictureStored(order), in: &turn)
    }

    mutating func receive(_ message: TurnMessage, _ order: MeteringOrder?, in turn: inout Turn) {
        guard message == .choiceWanted, let order else { return }
        deliver(.order(order), in: &turn)
    }

    /// Handles the host's result of reading a picture.
    mutating func receive(_ reading: LightReading, in turn: inout Turn) { deliver(.light(reading), in: &turn) }

    private mutating func deliver(_ input: Metering.Input, in turn: inout Turn) {
        turn.perform(chart.handle(input, at: turn.now))
    }
}

extension MeteringOrder {
    /// The frames of a shoot, as the next choice needs them; nil: the shoot does not find its own range.
    ///
    /// - Parameter speeds: the camera's speeds; empty: not known, so all speeds count.
    init?(_ shoot: Shoot, _ pictures: RecentPictures, speeds: [ShutterSpeed]) {
        guard let goal = shoot.plan.request.goal else { return nil }
        let frames = shoot.plan.frames.indices.map { index in
            var frame = Frame(speed: shoot.plan.frames[index].speed)
            frame.path = pictures.jpegPath(of: shoot.id, index)
            if case .suspect = shoot.outcome(of: index) { frame.isSuspect = true }
            return frame
        }
        self.init(
            shoot: shoot.id,
            goal: goal,
            spacing: shoot.plan.request.spacing,
            start: shoot.plan.request.highlight,
            available: speeds.isEmpty ? ShutterSpeed.all : speeds,
            frames: frames
        )
    }
}
