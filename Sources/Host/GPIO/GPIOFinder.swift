import CLinux
import Glibc

/// The reason why a line cannot be requested.
struct GPIOError: Error, Hashable {
    var sentence: String
    var advice: String
}

struct AcquiredLine {
    var descriptor: CInt
    /// The line and its chip for messages: `line 17 (GPIO17) of gpiochip0 (pinctrl-bcm2711)`.
    var text: String
}

struct GPIOFinder {
    let system: any GPIOSystem

    /// An open chip. It closes when its last reference ends.
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
            throw BoardSentences.severalLines(
                found.map { BoardSentences.line($0.line.text, of: $0.chip.info.text) }
            )
        }
        let text = BoardSentences.line(line.text, of: chip.info.text)
        do {
            let request = gpio_v2_line_request(offset: line.offset, isActiveLow: request.isActiveLow, use: request.use)
            return AcquiredLine(descriptor: try system.take(chip.descriptor, request), text: text)
        } catch {
            throw refusalToTake(error, line, chip, text)
        }
    }

    /// Opens the chips that may have the line. Also returns the error if one of them could not be opened.
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
        throw BoardSentences.chipMissing(wanted, present: chips.map(\.info.text))
    }

    /// Returns the wanted line of a chip; nil when the chip has no such line.
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

    private func absence(of line: GPIOLocation.Line, _ chips: [Chip]) -> GPIOError {
        switch line {
        case .number(let number):
            BoardSentences.lineMissing(number, chips: chips.map { ($0.info.text, $0.info.lines) })
        case .name(let name):
            BoardSentences.lineMissing(named: name, chips: chips.map(\.info.text))
        }
    }

    private func refusalToOpen(_ error: SystemError, of path: String) -> GPIOError {
        switch error.code {
        case ENOENT, ENODEV, ENXIO: BoardSentences.chipMissing(path)
        case EACCES, EPERM: BoardSentences.chipForbidden(path)
        case ENOTTY, EINVAL, ENOTDIR, EISDIR: BoardSentences.notAChip(path)
        default: BoardSentences.chipUnusable(path, error)
        }
    }

    private func refusalToTake(
        _ error: SystemError,
        _ line: gpio_v2_line_info,
        _ chip: Chip,
        _ text: String
    ) -> GPIOError {
        guard error.code == EBUSY else { return BoardSentences.lineUnusable(text, error) }
        // Another process may have requested the line since the last query.
        let holder = (try? system.lineInfo(chip.descriptor, offset: line.offset))?.consumerText ?? line.consumerText
        if holder == gpio_v2_line_request.consumerText { return BoardSentences.lineInUseByBracketd(text) }
        return BoardSentences.lineInUse(text, by: holder)
    }
}
