import CLinux
import Glibc

/// Why a line cannot be requested.
struct GPIOError: Error, Hashable {
    var sentence: String
    var advice: String
}

struct AcquiredLine {
    var descriptor: CInt
    /// `line 17 (GPIO17) of gpiochip0 (pinctrl-bcm2711)`.
    var text: String
}

struct GPIOFinder {
    let system: any GPIOSystem

    private static let listing = "gpioinfo lists chips and lines."

    /// An open chip; closes with its last reference.
    private final class Chip {
        let descriptor: CInt
        let path: String
        let info: gpiochip_info

        init(_ path: String, _ system: any GPIOSystem) throws(SystemError) {
            descriptor = try system.open(path)
            self.path = path
            do { info = try system.chipInfo(descriptor) } catch {
                close(descriptor)
                throw error
            }
        }

        deinit { close(descriptor) }
    }

    func take(_ request: GPIOLineRequest) throws(GPIOError) -> AcquiredLine {
        let place = request.place
        let (chips, refusal) = try openChips(place.chip)
        var found: [(chip: Chip, line: gpio_v2_line_info)] = []
        for chip in chips {
            if let line = try line(place.line, of: chip) { found.append((chip, line)) }
        }
        guard let (chip, line) = found.first else {
            if let refusal { throw refusal }
            throw absence(of: place.line, chips)
        }
        guard found.count == 1 else {
            let all = found.map { "\($0.line.text) of \($0.chip.info.text)" }.joined(separator: " and ")
            throw GPIOError(sentence: "More than one line matches: \(all).", advice: "Give the chip's path.")
        }
        let text = "\(line.text) of \(chip.info.text)"
        do {
            let request = gpio_v2_line_request(offset: line.offset, isActiveLow: request.isActiveLow, use: request.use)
            return AcquiredLine(descriptor: try system.take(chip.descriptor, request), text: text)
        } catch {
            throw refusalToTake(error, line, chip, text)
        }
    }

    /// The chips that may have the line, and why one of them could not be opened.
    private func openChips(_ wanted: String?) throws(GPIOError) -> (chips: [Chip], refusal: GPIOError?) {
        if let wanted, wanted.hasPrefix("/") {
            do { return ([try Chip(wanted, system)], nil) } catch { throw refusalToOpen(error, of: wanted) }
        }
        var (chips, refusal): ([Chip], GPIOError?) = ([], nil)
        for path in system.chipPaths() {
            do { chips.append(try Chip(path, system)) } catch { refusal = refusal ?? refusalToOpen(error, of: path) }
        }
        guard let wanted else { return (chips, refusal) }
        let fitting = chips.filter { $0.info.labelText == wanted || $0.info.nameText == wanted }
        guard fitting.isEmpty else { return (fitting, nil) }
        if let refusal { throw refusal }
        throw GPIOError(sentence: "There is no GPIO chip \(wanted): \(presence(chips)).", advice: Self.listing)
    }

    /// nil when the chip has no such line.
    private func line(_ wanted: GPIOLocation.Line, of chip: Chip) throws(GPIOError) -> gpio_v2_line_info? {
        do {
            switch wanted {
            case .number(let number):
                guard number < chip.info.lines else { return nil }
                return try system.lineInfo(chip.descriptor, offset: UInt32(number))
            case .name(let name):
                for offset in 0..<chip.info.lines {
                    let line = try system.lineInfo(chip.descriptor, offset: offset)
                    if line.nameText == name { return line }
                }
                return nil
            }
        } catch {
            throw refusalToOpen(error, of: chip.path)
        }
    }

    private func presence(_ chips: [Chip]) -> String {
        chips.isEmpty ? "this machine has none" : "this machine has \(chips.map(\.info.text).joined(separator: ", "))"
    }

    private func absence(of line: GPIOLocation.Line, _ chips: [Chip]) -> GPIOError {
        let sentence =
            switch line {
            case .number(let number):
                "There is no line \(number): "
                    + chips.map { "\($0.info.text) has \($0.info.lines) lines, from 0" }.joined(separator: ", ") + "."
            case .name(let name):
                chips.isEmpty
                    ? "This machine has no GPIO chip."
                    : "No line of \(chips.map(\.info.text).joined(separator: ", ")) has the name \(name)."
            }
        return GPIOError(sentence: sentence, advice: Self.listing)
    }

    private func refusalToOpen(_ error: SystemError, of path: String) -> GPIOError {
        switch error.code {
        case ENOENT, ENODEV, ENXIO:
            GPIOError(sentence: "There is no GPIO chip \(path).", advice: Self.listing)
        case EACCES, EPERM:
            GPIOError(
                sentence: "bracketd is not allowed to open \(path).",
                advice: "Add its user to the group of the chip, usually gpio."
            )
        case ENOTTY, EINVAL, ENOTDIR, EISDIR:
            GPIOError(sentence: "\(path) is not a GPIO chip.", advice: Self.listing)
        default:
            GPIOError(sentence: "\(path) cannot be used: \(error).", advice: "Check the output of dmesg.")
        }
    }

    private func refusalToTake(
        _ error: SystemError,
        _ line: gpio_v2_line_info,
        _ chip: Chip,
        _ text: String
    ) -> GPIOError {
        guard error.code == EBUSY else {
            return GPIOError(
                sentence: "\(text) cannot be used: \(error).".capitalizedFirst,
                advice: "Check the output of dmesg. The GPIO interface needs Linux 5.10 or later."
            )
        }
        // Another process may have requested it since the last query.
        let holder = (try? system.lineInfo(chip.descriptor, offset: line.offset))?.consumerText ?? line.consumerText
        if holder == gpio_v2_line_request.consumerText {
            return GPIOError(
                sentence: "\(text) is in use by a bracketd.".capitalizedFirst,
                advice: "Use a different line for button, lamp and buzzer, and run only one bracketd."
            )
        }
        let name = holder.isEmpty ? "a program without a name" : holder
        return GPIOError(
            sentence: "\(text) is in use by \(name).".capitalizedFirst,
            advice: "Stop that program, or use another line."
        )
    }
}

extension String {
    /// The text for the beginning of a sentence.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
