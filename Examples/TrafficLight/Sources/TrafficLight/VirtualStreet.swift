import Statecharts

/// A crossing on a clock that is only a number: what takes hours on a street takes milliseconds here.
///
/// With real lamps this is a loop that sleeps until `machine.nextDeadline` or the next press, whichever comes first;
/// the machine does not know the difference.
public struct VirtualStreet: Sendable {
    /// An effect, and when it was asked for.
    public struct Moment: Equatable, Sendable {
        /// The time since the start.
        public var time: Duration
        /// What the chart asked for.
        public var effect: CrossingModel.Effect

        /// An effect at a time.
        public init(time: Duration, effect: CrossingModel.Effect) {
            self.time = time
            self.effect = effect
        }
    }

    /// The chart, running.
    public private(set) var machine: Machine<CrossingModel>
    /// What the drivers see.
    public private(set) var cars = CarSignal.red
    /// What those on foot see.
    public private(set) var pedestrians = PedestrianSignal.wait
    /// Everything so far.
    public private(set) var moments: [Moment] = []

    private var effects: [CrossingModel.Effect] = []
    private var recorder = NoRecorder()

    /// A street at its first moment.
    public init(_ model: CrossingModel = CrossingModel()) {
        machine = Machine(model)
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Lets time pass. Deadline by deadline, so that every moment has its time.
    public mutating func run(until time: Duration) {
        while let due = machine.nextDeadline, due <= time {
            machine.advance(to: due, effects: &effects, recorder: &recorder)
            perform()
        }
        machine.advance(to: time, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Tells the chart that something happened; what falls due before that, happens before that.
    public mutating func tell(_ input: Crossing.Input, at time: Duration) {
        run(until: time)
        machine.handle(input, at: time, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Where lamps would be switched.
    private mutating func perform() {
        for effect in effects {
            switch effect {
            case .cars(let signal): cars = signal
            case .pedestrians(let signal): pedestrians = signal
            case .click: break
            }
            moments.append(Moment(time: machine.now, effect: effect))
        }
        effects.removeAll(keepingCapacity: true)
    }
}
