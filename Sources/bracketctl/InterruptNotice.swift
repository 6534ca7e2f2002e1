import Foundation
import Synchronization

/// Answers an interrupt (Ctrl-C), a hang-up or a request to end with words, and ends the process. What the daemon
/// does is not touched.
///
/// The words are said from within the signal handler, so that no interrupt is lost while something else is being set
/// up; it calls nothing but write(2), signal(2), raise(3) and _exit(2), which POSIX allows there (signal-safety(7)).
struct InterruptNotice {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The address of the words, ended by NUL; 0 for none. They are kept for the rest of the process, for a handler
    /// may run at any time.
    private static let words = Atomic<UInt>(0)
    private static let status = Atomic<Int32>(ProcessExit.error.rawValue)

    /// Watches from now on. `sentence` is said on standard error. The outcome is not known, so this is no success.
    init(_ sentence: String) {
        replace(with: sentence, .error)
        for number in InterruptNotice.signals {
            signal(number) { _ in InterruptNotice.sayAndExit() }
        }
    }

    /// From now on an interrupt says this sentence and ends the process with this status.
    func replace(with sentence: String, _ status: ProcessExit) {
        InterruptNotice.status.store(status.rawValue, ordering: .relaxed)
        InterruptNotice.words.store(UInt(bitPattern: strdup("\n\(Output.printable(sentence))\n")), ordering: .releasing)
    }

    /// Signals end the process as usual again.
    func end() {
        for number in InterruptNotice.signals { signal(number, SIG_DFL) }
    }

    /// From now on the signals end the process as usual, but put the terminal at standard output back first: a drawing
    /// that is cut off leaves a colour behind, or the beginning of an escape sequence.
    static func resetTerminal() {
        for number in signals {
            signal(number) { number in
                // Select Graphic Rendition without attributes, ECMA-48 8.3.117; it also ends a sequence that was begun.
                let reset: StaticString = "\u{1B}[0m\n"
                _ = write(STDOUT_FILENO, reset.utf8Start, reset.utf8CodeUnitCount)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    private static func sayAndExit() -> Never {
        if let words = UnsafePointer<CChar>(bitPattern: words.load(ordering: .acquiring)) {
            _ = write(STDERR_FILENO, words, strlen(words))
        }
        _exit(status.load(ordering: .relaxed))
    }
}
