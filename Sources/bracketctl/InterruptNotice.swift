import Foundation
import Synchronization

/// Handles SIGINT, SIGHUP and SIGTERM: prints a sentence and ends the process. The daemon continues its work.
///
/// The signal handler itself prints, so that no interrupt is lost while something else is being set up. It calls only
/// write(2), signal(2), raise(3) and _exit(2), which POSIX permits there (signal-safety(7)).
struct InterruptNotice {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The address of the sentence, ended by NUL; 0 for none. Sentences are never freed, because a handler may run at
    /// any time.
    private static let words = Atomic<UInt>(0)
    private static let status = Atomic<Int32>(ProcessExit.error.rawValue)

    /// Begins to handle the signals with `sentence` on standard error. The result of the command is unknown, so the
    /// exit status is an error.
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

    /// Ends the process on the signals as by default, after a reset of the terminal at standard output. An
    /// interrupted drawing may leave a colour or half an escape sequence.
    static func resetTerminal() {
        for number in signals {
            signal(number) { number in
                // Select Graphic Rendition without attributes, ECMA-48 8.3.117; it also ends an incomplete sequence.
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
