import CLinux
import Glibc
import Host

/// A simulated chip with one line. The edges of the line arrive through a socket.
struct WiredChip: GPIOSystem {
    let directory = "/dev"
    let wire: CInt

    func open(_ path: String) throws(SystemError) -> CInt { try duplicate() }

    func chipInfo(_ chip: CInt) throws(SystemError) -> gpiochip_info {
        var info = gpiochip_info()
        info.lines = 1
        return info
    }

    func lineInfo(_ chip: CInt, offset: UInt32) throws(SystemError) -> gpio_v2_line_info { gpio_v2_line_info() }

    func take(_ chip: CInt, _ request: gpio_v2_line_request) throws(SystemError) -> CInt { try duplicate() }

    func isActive(_ line: CInt) throws(SystemError) -> Bool { false }

    func setActive(_ line: CInt, _ isActive: Bool) throws(SystemError) {}

    private func duplicate() throws(SystemError) -> CInt {
        let file = fcntl(wire, F_DUPFD_CLOEXEC, 0)
        guard file >= 0 else { throw SystemError(code: errno) }
        return file
    }
}

/// The daemon with a simulated GPIO chip, to measure the time from the button to the shutter:
///
///     buttonbench CONFIGURATION DESCRIPTOR
///
/// The descriptor delivers edges of the line in the kernel's format (`gpio_v2_line_event`).
@main
enum ButtonBench {
    static func main() {
        Signals.block()
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let wire = CInt(arguments[2]) else {
            leave("usage: buttonbench CONFIGURATION DESCRIPTOR", 64)
        }
        do {
            let configuration = try Configuration(file: arguments[1], stateDirectory: nil)
            let journal = Journal(writer: StandardErrorWriter(), minimumPriority: .info)
            var options = Daemon.Options(configuration: configuration, journal: journal)
            options.gpio = WiredChip(wire: wire)
            let ending = try Daemon.run(options)
            journal.finish()
            guard case .inOrder = ending else { leave("ended: \(ending)", 1) }
        } catch {
            leave("\(error)", 1)
        }
    }

    private static func leave(_ sentence: String, _ status: Int32) -> Never {
        StandardError.write("buttonbench: \(sentence)")
        exit(status)
    }
}
