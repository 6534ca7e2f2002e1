import CLinux
import Glibc

// Reads a picture from standard input and prints what it says of its exposure, a line each, then `end`:
//
//     exposure-time 1/250
//     f-number 56/10
//     iso 100
//     captured-at 2026:11:21 08:30:00
//     model ILCE-7M4
//     end
//
// With `--fractions` there is also `captured-fraction 25`, the digits of the second. A daemon of an earlier version,
// which may still run during an upgrade, does not know that line.
//
// What the file does not say has no line. The file comes from outside, and the library that takes it apart is written
// in C: so this is a process of its own, which the daemon starts for each picture and which can do nothing but this.

@main
enum BracketdExif {
    /// The file's head; EXIF data stands in it, in 64 KiB at most.
    private static let headSizeMax = 1 << 18

    static func main() {
        // The head of a file is all that a picture gets, whatever it makes of the library.
        let hasFractions = CommandLine.arguments.dropFirst().first == "--fractions"
        guard Limits.apply() else { exit(2) }
        let report = ExposureReport(picture: head(), hasFractions: hasFractions)
        report.write()
        // Without the library's own cleaning up.
        _exit(0)
    }

    private static func head() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: headSizeMax) { buffer, count in
            while count < headSizeMax {
                let received = read(STDIN_FILENO, buffer.baseAddress?.advanced(by: count), headSizeMax - count)
                if received < 0, errno == EINTR { continue }
                guard received > 0 else { break }
                count += received
            }
        }
    }
}

/// What this process takes from itself before it looks at the picture.
private enum Limits {
    private static let memoryMax: rlim_t = 256 << 20
    private static let secondsMax: rlim_t = 1
    /// Standard input, output and error are there already: it opens nothing more.
    private static let descriptorsMax: rlim_t = 3

    static func apply() -> Bool {
        let isLimited =
            limit(RLIMIT_AS, memoryMax) && limit(RLIMIT_CPU, secondsMax) && limit(RLIMIT_FSIZE, 0)
            && limit(RLIMIT_NOFILE, descriptorsMax) && limit(RLIMIT_CORE, 0) && limit(__RLIMIT_NPROC, 0)
        // A kernel that was built without the filter of calls says EINVAL, a container that grants none to those in it
        // EPERM or EACCES or ENOSYS; the limits above hold all the same.
        return isLimited && (clinux_renounce_calls() == 0 || [EINVAL, EPERM, EACCES, ENOSYS].contains(errno))
    }

    private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) -> Bool {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        // Who started us may have set less already; only root could have more again.
        let most = min(value, limit.rlim_max)
        limit = rlimit(rlim_cur: most, rlim_max: most)
        return setrlimit(resource, &limit) == 0
    }
}
