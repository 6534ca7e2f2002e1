import Statecharts

/// A crossing on a virtual clock. Hours on the street take milliseconds of real time.
///
/// With real lamps, a loop replaces this type. It sleeps until `machine.nextDeadline` or until the next press,
/// whichever is earlier. The machine is the same.
public struct VirtualStreet: Sendable {
    /// An effect with its time.
    public struct Moment: Equatable, Sendable {
        /// The time since the start.
        public var time: Duration
        /// The effect.
        public var effect: CrossingModel.Effect

        /// A moment with an effect.
        public init(time: Duration, effect: CrossingModel.Effect) {
            self.time = time
            self.effect = effect
        }
    }

    /// The running chart.
    public private(set) var machine: Machine<CrossingModel>
    /// The signal for drivers.
    public private(set) var cars = CarSignal.red
    /// The signal for pedestrians.
    public private(set) var pedestrians = PedestrianSignal.wait
    /// All effects so far.
    public private(set) var moments: [Moment] = []

    private var effects: [CrossingModel.Effect] = []
    private var recorder = NoRecorder()

    /// A street whose clock is at zero.
    public init(_ model: CrossingModel = CrossingModel()) {
        machine = Machine(model)
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Advances the clock from one deadline to the next, so that the time of every effect is exact.
    public mutating func run(until time: Duration) {
        while let due = machine.nextDeadline, due <= time {
            machine.advance(to: due, effects: &effects, recorder: &recorder)
            perform()
        }
        machine.advance(to: time, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Passes an input to the chart, after all timers that are due before it.
    public mutating func tell(_ input: Crossing.Input, at time: Duration) {
        run(until: time)
        machine.handle(input, at: time, effects: &effects, recorder: &recorder)
        perform()
    }

    /// Records the effects. A real crossing would switch its lamps here.
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
