import TrafficLight

/// An observer that knows nothing about charts and reports broken promises.
struct Witness {
    let times: CrossingModel.Times
    private(set) var complaints: [String] = []
    /// The time of the first press that was not yet followed by a green for pedestrians.
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
            // A pedestrian who comes while others may walk needs no press.
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
