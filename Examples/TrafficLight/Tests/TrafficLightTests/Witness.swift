import TrafficLight

/// An observer that reports broken promises. It knows only the effects, not the chart.
struct Witness {
    let times: CrossingModel.Times
    private(set) var complaints: [String] = []
    /// The time of the first press after which pedestrians have not had green yet; nil: no pedestrian waits.
    private(set) var waiting: Duration?
    private(set) var crossings = 0
    private var cars = CarSignal.red
    private var pedestrians = PedestrianSignal.wait
    private var greenSince: Duration?

    init(times: CrossingModel.Times) {
        self.times = times
    }

    mutating func see(_ moment: VirtualStreet.Moment) {
        switch moment.effect {
        case .click:
            // During `walk`, a pedestrian does not need to press the button.
            if pedestrians == .walk { complaints.append("\(moment.time): a click, though they may walk") }
            if waiting == nil { waiting = moment.time }
        case .cars(let signal):
            if let since = greenSince, moment.time - since < times.minimumGreen {
                complaints.append("\(moment.time): green for \(moment.time - since) only")
            }
            greenSince = signal == .green ? moment.time : nil
            cars = signal
        case .pedestrians(let signal):
            if signal == .walk, let since = waiting, moment.time - since > times.longestWait {
                complaints.append("\(moment.time): walked \(moment.time - since) after the press")
            }
            if signal == .walk {
                waiting = nil
                crossings += 1
            }
            pedestrians = signal
        }
        if cars != .red, pedestrians == .walk || pedestrians == .hurry {
            complaints.append("\(moment.time): cars \(cars), pedestrians \(pedestrians)")
        }
    }
}
