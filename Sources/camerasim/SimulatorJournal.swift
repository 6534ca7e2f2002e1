import Bodies
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The output of the simulator: a log for users, and the list of frames on the card for programs.
struct SimulatorJournal {
    let log: LogWriter?
    let card: Output?

    func note(_ line: String, at now: Duration) {
        guard let log else { return }
        let milliseconds = String(DurationText.milliseconds(now))
        let padding = String(repeating: " ", count: max(0, 8 - milliseconds.count))
        log.write("\(padding)\(milliseconds) ms  \(line)\n")
    }

    func exposed(_ frame: CardFrame) {
        guard let card else { return }
        let label = frame.label.replacing("\"", with: "\\\"")
        let at = DurationText.milliseconds(frame.at)
        let aperture = frame.settings.aperture.map { Self.hundredths($0) } ?? "null"
        let line =
            "{\"frame\":\(frame.number),\"speed\":\"\(label)\","
            + "\"exposureMilliseconds\":\(Self.decimal(frame.exposure)),\"at\":\(at),"
            + "\"iso\":\(frame.settings.iso),\"aperture\":\(aperture)}\n"
        do throws(OutputFailure) {
            try card.write(line)
        } catch {
            // A reader that has closed the pipe needs no more frames. After other errors the list would be incomplete.
            guard !error.isBrokenPipe else { return }
            StandardStream.errors.message("camerasim: \(error.sentence)")
            exit(1)
        }
    }

    /// Formats a number of hundredths with two decimals.
    private static func hundredths(_ number: Int) -> String {
        "\(number / 100)." + (number % 100 < 10 ? "0" : "") + String(number % 100)
    }

    /// Formats a duration in milliseconds with three decimals: an exposure of 1/8000 is 0.122.
    private static func decimal(_ duration: Duration) -> String {
        let microseconds = DurationText.milliseconds(duration * 1_000)
        let rest = String(microseconds % 1_000)
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
