import Cameras
import Controller
import Glibc
import Host

/// The value of `STUCK` in the environment: the way in which the daemon hangs after a request to reload its
/// configuration.
enum StuckPart: String {
    /// The core never returns.
    case hang
    /// The core sends messages to itself without end, so its queue never becomes empty.
    case invalidCalls
}

/// The core of the daemon. After a request to reload, it hangs in one of these ways.
struct StuckCore: LoopCore {
    private var core: Core
    private let part: StuckPart
    private var isStuck = false

    init(_ core: Core, part: StuckPart) {
        self.core = core
        self.part = part
    }

    var nextDeadline: Duration? { core.nextDeadline }

    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        if case .configured = input { isStuck = true }
        guard isStuck else { return core.handle(input, at: now, into: &effects) }
        switch part {
        case .hang:
            while true { pause() }
        case .invalidCalls:
            // Everything else works: the loop serves sockets and meets deadlines, and the camera continues.
            switch input {
            case .configured, .message(.networkBack): effects.append(.enqueue(.networkBack))
            default: core.handle(input, at: now, into: &effects)
            }
        }
    }
}

/// The daemon with another core, for the rig. It shows how systemd handles a daemon that hangs. It is never installed.
///
///     STUCK=hang|babble stuckd CONFIGURATION
@main
enum StuckDaemon {
    static func main() {
        Signals.block()
        guard CommandLine.arguments.count == 2,
            let part = environment("STUCK").flatMap(StuckPart.init(rawValue:))
        else { leave("usage: STUCK=hang|babble stuckd CONFIGURATION", 64) }
        let file = CommandLine.arguments[1]
        do {
            let configuration = try read(file)
            let writer: any JournalWriter =
                JournaldWriter.isAvailable(journalStream: environment("JOURNAL_STREAM"))
                ? JournaldWriter() : StandardErrorWriter()
            let journal = Journal(writer: writer, minimumPriority: .info)
            var options = Daemon.Options(
                configuration: configuration,
                journal: journal,
                isService: true
            ) { identity, armed in
                let core = Core(
                    configuration: CoreConfiguration(configuration, identity: identity, armedPlan: armed)
                )
                return StuckCore(core, part: part)
            }
            options.readConfiguration = { () throws(ConfigurationError) in try read(file) }
            let ending = try Daemon.run(options)
            journal.finish()
            guard case .inOrder = ending else { leave("ended: \(ending)", 1) }
        } catch {
            leave("\(error)", 1)
        }
    }

    private static func read(_ file: String) throws(ConfigurationError) -> Configuration {
        try Configuration(file: file, stateDirectory: environment("STATE_DIRECTORY"))
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func leave(_ sentence: String, _ status: Int32) -> Never {
        StandardError.write("stuckd: \(sentence)")
        exit(status)
    }
}
