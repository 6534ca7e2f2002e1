import CLinux
import Controller
import Glibc

/// The system calls for GPIO lines, with the structs of <linux/gpio.h>. Tests use simulated chips instead.
package protocol GPIOSystem: Sendable {
    /// The directory with the device nodes of the chips.
    var directory: String { get }

    func open(_ path: String) throws(SystemError) -> CInt
    func chipInfo(_ chip: CInt) throws(SystemError) -> gpiochip_info
    func lineInfo(_ chip: CInt, offset: UInt32) throws(SystemError) -> gpio_v2_line_info
    /// Requests lines and returns their descriptor.
    func take(_ chip: CInt, _ request: gpio_v2_line_request) throws(SystemError) -> CInt
    /// Whether the first requested line is active. An active line can have a high or a low voltage.
    func isActive(_ line: CInt) throws(SystemError) -> Bool
    func setActive(_ line: CInt, _ isActive: Bool) throws(SystemError)
}

package struct KernelGPIO: GPIOSystem {
    package let directory = "/dev"

    package init() {}

    package func open(_ path: String) throws(SystemError) -> CInt {
        // With O_NONBLOCK, open(2) returns at once, even if the file is not a chip.
        try check { Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
    }

    package func chipInfo(_ chip: CInt) throws(SystemError) -> gpiochip_info {
        var info = gpiochip_info()
        try check { clinux_gpio_chip_info(chip, &info) }
        return info
    }

    package func lineInfo(_ chip: CInt, offset: UInt32) throws(SystemError) -> gpio_v2_line_info {
        var info = gpio_v2_line_info()
        info.offset = offset
        try check { clinux_gpio_line_info(chip, &info) }
        return info
    }

    package func take(_ chip: CInt, _ request: gpio_v2_line_request) throws(SystemError) -> CInt {
        var request = request
        try check { clinux_gpio_request(chip, &request) }
        return request.fd
    }

    package func isActive(_ line: CInt) throws(SystemError) -> Bool {
        var values = gpio_v2_line_values(bits: 0, mask: 1)
        try check { clinux_gpio_get(line, &values) }
        return values.bits & 1 != 0
    }

    package func setActive(_ line: CInt, _ isActive: Bool) throws(SystemError) {
        var values = gpio_v2_line_values(bits: isActive ? 1 : 0, mask: 1)
        try check { clinux_gpio_set(line, &values) }
    }
}

extension GPIOSystem {
    /// The nodes of all chips, sorted by number. Symbolic links are left out, because they are second names of chips. A
    /// Raspberry Pi 5 has such a link.
    func chipPaths() -> [String] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { cText($0) }
            guard name.hasPrefix(Self.prefix), let number = Int(name.dropFirst(Self.prefix.count)) else { continue }
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { continue }
            numbers.append(number)
        }
        return numbers.sorted().map { "\(directory)/\(Self.prefix)\($0)" }
    }

    /// The prefix of the kernel's names for chips (drivers/gpio/gpiolib.c).
    static var prefix: String { "gpiochip" }
}

/// The text of a C field. It ends at the first zero byte or at the end of the field.
func cText(_ field: UnsafeRawBufferPointer) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
}

extension gpiochip_info {
    /// The kernel's name for the chip, `gpiochip0`.
    var nameText: String { withUnsafeBytes(of: name) { cText($0) } }
    /// The driver's name for the chip, `pinctrl-bcm2711`; may be empty.
    var labelText: String { withUnsafeBytes(of: label) { cText($0) } }
    /// The chip for messages, `gpiochip0 (pinctrl-bcm2711)`.
    var text: String { BoardSentences.chip(nameText, label: labelText) }
}

extension gpio_v2_line_info {
    /// The board's name for the line, `GPIO17`; may be empty.
    var nameText: String { withUnsafeBytes(of: name) { cText($0) } }
    /// The consumer label that the present user of the line has set; may be empty.
    var consumerText: String { withUnsafeBytes(of: consumer) { cText($0) } }
    /// The line for messages, `line 17 (GPIO17)`.
    var text: String { BoardSentences.line(offset, name: nameText) }
}

extension gpio_v2_line_request {
    static let consumerText = "bracketd"

    /// Requests one line: an output that is off, or an input that reports both edges.
    init(offset: UInt32, isActiveLow: Bool, use: GPIOLinePurpose) {
        self.init()
        offsets.0 = offset
        num_lines = 1
        withUnsafeMutableBytes(of: &consumer) { $0.copyBytes(from: Self.consumerText.utf8) }
        var flags = isActiveLow ? [GPIO_V2_LINE_FLAG_ACTIVE_LOW] : []
        switch use {
        case .output: flags.append(GPIO_V2_LINE_FLAG_OUTPUT)
        case .input(let bias, let debounce):
            flags += [GPIO_V2_LINE_FLAG_INPUT, GPIO_V2_LINE_FLAG_EDGE_RISING, GPIO_V2_LINE_FLAG_EDGE_FALLING]
            switch bias {
            case .pullUp: flags.append(GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
            case .pullDown: flags.append(GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)
            case .none: flags.append(GPIO_V2_LINE_FLAG_BIAS_DISABLED)
            case .asIs: break
            }
            guard debounce > .zero else { break }
            config.num_attrs = 1
            config.attrs.0.mask = 1
            config.attrs.0.attr.id = UInt32(GPIO_V2_LINE_ATTR_ID_DEBOUNCE.rawValue)
            config.attrs.0.attr.debounce_period_us = UInt32(clamping: debounce.milliseconds * 1000)
        }
        config.flags = flags.reduce(0) { $0 | UInt64($1.rawValue) }
    }
}
