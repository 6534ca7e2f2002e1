import CLinux
import Glibc

// Reads a picture from standard input and prints its exposure metadata, one item per line, then `end`:
//
//     exposure-time 1/250
//     f-number 56/10
//     iso 100
//     captured-at 2026:11:21 08:30:00
//     model ILCE-7M4
//     end
//
// With `--fractions` it also prints `captured-fraction 25`, the decimals of the second. The option exists because a
// daemon of an earlier version, which may still run during an upgrade, does not know that line.
//
// Missing items have no line. The file is untrusted, and the parsing library is written in C. Each picture is therefore
// read in a separate process with minimal rights.

@main
enum BracketdExif {
    /// The size of the file's beginning that is read. It contains the EXIF data, at most 64 KiB.
    private static let headSizeMax = 1 << 18

    static func main() {
        // A hostile picture can take control of this process only, which contains only the beginning of that picture.
        let hasFractions = CommandLine.arguments.dropFirst().first == "--fractions"
        guard Limits.apply() else { exit(2) }
        let report = ExposureReport(picture: head(), hasFractions: hasFractions)
        report.write()
        // The function _exit skips the cleanup of the C library.
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

/// The rights that this process drops before it reads the picture.
private enum Limits {
    private static let memoryMax: rlim_t = 256 << 20
    private static let secondsMax: rlim_t = 1
    /// Standard input, output and error, which are open already. No other file can be opened.
    private static let descriptorsMax: rlim_t = 3

    static func apply() -> Bool {
        let isLimited =
            limit(RLIMIT_AS, memoryMax) && limit(RLIMIT_CPU, secondsMax) && limit(RLIMIT_FSIZE, 0)
            && limit(RLIMIT_NOFILE, descriptorsMax) && limit(RLIMIT_CORE, 0) && limit(__RLIMIT_NPROC, 0)
        // A kernel without seccomp returns EINVAL. A container that forbids seccomp returns EPERM, EACCES or ENOSYS.
        // The limits above still apply.
        return isLimited && (clinux_renounce_calls() == 0 || [EINVAL, EPERM, EACCES, ENOSYS].contains(errno))
    }

    private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) -> Bool {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        // The parent may have set a lower limit. Only root could raise that limit again.
        let most = min(value, limit.rlim_max)
        limit = rlimit(rlim_cur: most, rlim_max: most)
        return setrlimit(resource, &limit) == 0
    }
}
