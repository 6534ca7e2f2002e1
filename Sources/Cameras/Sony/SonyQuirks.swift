/// The deviations of a body. Values of a table, never branches in the flow.
package struct SonyQuirks: Hashable, Sendable {
    /// From the open session until the first shot.
    package var settleBeforeFirstShot: Duration = .zero
    /// From the end of an exposure until the next shot.
    package var shotInterval: Duration = .zero
    /// Reports a focus failure that did not happen.
    package var focusFailureIsUnreliable = false
    /// The longest interval between readings that the body tolerates; nil: not known, `PTPIPTiming.keepAlive` holds.
    package var keepAlive: Duration?
    /// The time of a notch on a version 2 body: 51 of them, 30″ to 1/4000, took an A6400 2.5 s (libgphoto2#527). For
    /// estimates and limits.
    package var perNotch: Duration = .milliseconds(50)
    /// The fastest speed of a version 2 body, which lists none, as a position on Sony's scale; nil: not known.
    package var fastestNotch: Int?

    package init() {}

    package init(model: String) {
        for row in Self.table where row.models.contains(model) {
            switch row.quirk {
            case .settlesBeforeFirstShot(let time): settleBeforeFirstShot = time
            case .needsShotInterval(let time): shotInterval = time
            case .reportsFalseFocusFailure: focusFailureIsUnreliable = true
            case .dropsWhenIdle(let time): keepAlive = min(keepAlive ?? time, time)
            case .takesPerNotch(let time): perNotch = time
            case .hasNothingFaster(let speed): fastestNotch = speed.notch
            }
        }
    }

    /// One known deviation.
    package enum Quirk: Hashable, Sendable {
        /// Takes no picture for this time after the session was opened.
        case settlesBeforeFirstShot(Duration)
        /// Takes no picture for this time after another.
        case needsShotInterval(Duration)
        /// 0xD213 is not reliable when it reports a failure.
        case reportsFalseFocusFailure
        /// The longest interval between readings that the body tolerates.
        case dropsWhenIdle(Duration)
        /// Steps its speed more slowly than others.
        case takesPerNotch(Duration)
        /// Has no speed faster than this one, and no list that shows it.
        case hasNothingFaster(than: SonyShutterSpeed)
    }

    /// A deviation, the models with it as DeviceInfo names them, and the source.
    package struct Row: Sendable {
        package var quirk: Quirk
        /// As DeviceInfo names them.
        package var models: [String]
        package var source: String
    }

    /// All known deviations.
    package static let table: [Row] = [
        Row(
            quirk: .settlesBeforeFirstShot(.seconds(3)),
            models: [
                "ZV-1", "ZV-E10", "DSC-RX100M7", "DSC-RX0M2", "ILCE-7M3", "ILCE-7M4", "ILCE-7M5", "ILCE-7RM4",
                "ILCE-7RM4A", "ILCE-7SM3", "ILCE-9M2", "ILCE-1", "ILCE-7C",
            ],
            source: "libgphoto2 library.c (2.5 s was too short; perhaps not needed in manual focus)"
        ),
        Row(
            quirk: .needsShotInterval(.seconds(1)),
            models: ["ILCE-7RM4", "ILCE-7RM4A"],
            source: "libgphoto2#907 (two shots within 1 s fail)"
        ),
        Row(
            quirk: .reportsFalseFocusFailure,
            models: ["DSC-RX0"],
            source: "libgphoto2 library.c (0xD213 is 3 although focused)"
        ),
        Row(
            quirk: .dropsWhenIdle(.seconds(8)),
            models: ["ILCE-7CM2"],
            source: "alpha-fairy#39 (drops the connection about 10 s after the last command)"
        ),
        Row(
            quirk: .takesPerNotch(.milliseconds(700)),
            models: ["SLT-A58"],
            source: "libgphoto2 config.c (about 0.7 s for each change)"
        ),
        Row(
            quirk: .takesPerNotch(.milliseconds(150)),
            models: ["ILCE-6400"],
            source: "libgphoto2#527 (0.2 to 0.7 s for a move, which in most brackets is three notches)"
        ),
        Row(
            quirk: .hasNothingFaster(than: SonyShutterSpeed(rawValue: 0x0001_0FA0)),
            models: ["ILCE-6400"],
            source: "libgphoto2#527 (steps from 30″ to 1/4000, its fastest)"
        ),
    ]
}
