import Glibc
import Synchronization

/// Handles SIGINT, SIGHUP and SIGTERM: prints a sentence and ends this process. The daemon continues its work.
///
/// The signal handler itself prints the sentence, so that every interrupt has an effect. The handler calls only
/// write(2), signal(2), raise(3) and _exit(2). POSIX permits these calls in a handler (signal-safety(7)).
struct InterruptNotice {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The address of the sentence, which ends with NUL; 0: no sentence. Sentences are never freed, because a handler
    /// can read them at any time.
    private static let words = Atomic<UInt>(0)
    private static let status = Atomic<Int32>(ProcessExit.error.rawValue)

    /// Starts to handle the signals. The handler prints `sentence` on standard error. The exit status reports an error,
    /// because the result of the command is unknown.
    init(_ sentence: String) {
        replace(with: sentence, .error)
        for number in InterruptNotice.signals {
            signal(number) { _ in InterruptNotice.printAndExit() }
        }
    }

    func replace(with sentence: String, _ status: ProcessExit) {
        InterruptNotice.status.store(status.rawValue, ordering: .relaxed)
        InterruptNotice.words.store(UInt(bitPattern: strdup("\n\(Output.printable(sentence))\n")), ordering: .releasing)
    }

    func end() {
        for number in InterruptNotice.signals { signal(number, SIG_DFL) }
    }

    /// From now on, resets the terminal at standard output before a signal ends the process. Otherwise an interrupted
    /// drawing could leave a colour or an incomplete escape sequence.
    static func resetTerminal() {
        for number in signals {
            signal(number) { number in
                // Select Graphic Rendition 0 (ECMA-48, 8.3.117), which also ends an incomplete escape sequence.
                let reset: StaticString = "\u{1B}[0m\n"
                _ = write(STDOUT_FILENO, reset.utf8Start, reset.utf8CodeUnitCount)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    private static func printAndExit() -> Never {
        if let words = UnsafePointer<CChar>(bitPattern: words.load(ordering: .acquiring)) {
            _ = write(STDERR_FILENO, words, strlen(words))
        }
        _exit(status.load(ordering: .relaxed))
    }
}
