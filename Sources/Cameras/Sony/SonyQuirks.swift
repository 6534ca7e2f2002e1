/// The deviations of a body. They are values of a table, never branches in the code.
package struct SonyQuirks: Hashable, Sendable {
    /// The time from the open session to the first shot.
    package var settleBeforeFirstShot: Duration = .zero
    /// The time from the end of an exposure to the next shot.
    package var shotInterval: Duration = .zero
    /// Whether the body reports focus failures that did not happen.
    package var focusFailureIsUnreliable = false
    /// The longest interval between readings that the body tolerates; nil: `PTPIPTiming.keepAlive` applies.
    package var keepAlive: Duration?
    /// The time of a notch on a version 2 body, for estimates and limits. The 51 notches from 30″ to 1/4000 took an
    /// A6400 2.5 s (libgphoto2#527).
    package var perNotch: Duration = .milliseconds(50)
    /// The fastest speed of a version 2 body without a list, as a position on Sony's scale; nil: not known.
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
        /// The body takes no picture for this time after the session was opened.
        case settlesBeforeFirstShot(Duration)
        /// The body takes no picture for this time after another picture.
        case needsShotInterval(Duration)
        /// The failures that 0xD213 reports are not reliable.
        case reportsFalseFocusFailure
        /// The longest interval between readings that the body tolerates.
        case dropsWhenIdle(Duration)
        /// The body steps its speed more slowly than other bodies.
        case takesPerNotch(Duration)
        /// The body has no list of speeds, and this is its fastest speed.
        case hasNothingFaster(than: SonyShutterSpeed)
    }

    /// A deviation, the models that have it, and the source.
    package struct Row: Sendable {
        package var quirk: Quirk
        /// The names of the models in DeviceInfo.
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
