import CLinux
import Controller
import Glibc

/// What is asked of the system for GPIO lines, in the structs of <linux/gpio.h>. Tests bring chips of their own.
package protocol GPIOSystem: Sendable {
    /// Where the chips' nodes are.
    var directory: String { get }

    func open(_ path: String) throws(SystemError) -> CInt
    func chipInfo(_ chip: CInt) throws(SystemError) -> gpiochip_info
    func lineInfo(_ chip: CInt, offset: UInt32) throws(SystemError) -> gpio_v2_line_info
    /// Takes lines; returns their descriptor.
    func take(_ chip: CInt, _ request: gpio_v2_line_request) throws(SystemError) -> CInt
    /// The level of the first line that was taken; `true` is active, whatever the voltage.
    func isActive(_ line: CInt) throws(SystemError) -> Bool
    func setActive(_ line: CInt, _ isActive: Bool) throws(SystemError)
}

/// The kernel's chips.
package struct KernelGPIO: GPIOSystem {
    package let directory = "/dev"

    package init() {}

    package func open(_ path: String) throws(SystemError) -> CInt {
        // With O_NONBLOCK nothing is waited for, if it is something else than a chip that stands in the file.
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
    /// The nodes of all chips, in the order of their numbers. Links are left out: they are second names, as a Raspberry
    /// Pi 5 has one for its chip.
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

    /// How the kernel calls every chip's node (drivers/gpio/gpiolib.c).
    static var prefix: String { "gpiochip" }
}

/// A text that ends with a zero or with its field.
func cText(_ field: UnsafeRawBufferPointer) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
}

extension gpiochip_info {
    /// `gpiochip0`.
    var nameText: String { withUnsafeBytes(of: name) { cText($0) } }
    /// What the driver calls it, `pinctrl-bcm2711`; may be empty.
    var labelText: String { withUnsafeBytes(of: label) { cText($0) } }
    /// `gpiochip0 (pinctrl-bcm2711)`.
    var text: String { labelText.isEmpty ? nameText : "\(nameText) (\(labelText))" }
}

extension gpio_v2_line_info {
    /// What the board calls it, `GPIO17`; may be empty.
    var nameText: String { withUnsafeBytes(of: name) { cText($0) } }
    /// Who holds it, in the holder's own words; may be empty.
    var consumerText: String { withUnsafeBytes(of: consumer) { cText($0) } }
    /// `line 17 (GPIO17)`.
    var text: String { nameText.isEmpty ? "line \(offset)" : "line \(offset) (\(nameText))" }
}

extension gpio_v2_line_request {
    /// What we are called where a line is taken.
    static let consumerText = "bracketd"

    /// Asks for one line, an output that is off or an input whose both edges are told of.
    init(offset: UInt32, isActiveLow: Bool, use: GPIOUse) {
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
