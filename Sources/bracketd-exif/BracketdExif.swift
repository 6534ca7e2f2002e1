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
// With `--light [X,Y]...` it prints these lines too, and decodes the picture for it. X,Y are spots in percent:
//
//     picture 6000 4000
//     scale 1
//     brightest 0 0 12 ... (256 numbers of pixels)
//     luma 0 3 40 ... (256 numbers of pixels)
//     spot 180 171 (the median codes: brightest channel, luma)
//     map 384 256 7f80... (a byte per block)
//
// or `no-light progressive`, the reason why the picture is not decoded.
//
// Missing items have no line. The file is untrusted, and the parsing library is written in C. Each picture is therefore
// read in a separate process with minimal rights.

@main
enum BracketdExif {
    /// The size of the file's beginning that is read. It contains the EXIF data, at most 64 KiB.
    private static let headSizeMax = 1 << 18

    static func main() {
        // A hostile picture can take control of this process only, which contains only that picture.
        guard let request = Request(CommandLine.arguments.dropFirst()), Limits.apply(secondsMax: request.secondsMax)
        else { exit(2) }
        let picture = head()
        var report = ExposureReport(picture: picture, hasFractions: request.hasFractions)
        if let spots = request.spots {
            let light = LightReport(
                head: picture,
                file: STDIN_FILENO,
                spots: spots,
                orientation: Orientation(report.orientation)
            )
            report.lines += light.lines
        }
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

/// What the arguments ask for.
private struct Request {
    var hasFractions = false
    /// The spots to read, in percent; nil: the picture is not decoded.
    var spots: [(x: Double, y: Double)]?

    private static let spotsMax = 16

    /// Nil for arguments that this program does not know.
    init?(_ arguments: ArraySlice<String>) {
        switch arguments.first {
        case nil: break
        case "--fractions"?: hasFractions = true
        case "--light"?:
            hasFractions = true
            let spots = arguments.dropFirst().compactMap { text -> (x: Double, y: Double)? in
                let numbers = text.split(separator: ",").compactMap { Double(String($0)) }
                return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
            }
            guard spots.count == arguments.count - 1, spots.count <= Self.spotsMax else { return nil }
            self.spots = spots
        default: return nil
        }
    }

    /// The processor time: a picture of 100 megapixels takes seconds on a small board.
    var secondsMax: rlim_t { spots == nil ? 1 : 10 }
}

/// The rights that this process drops before it reads the picture.
private enum Limits {
    private static let memoryMax: rlim_t = 256 << 20
    /// Standard input, output and error, which are open already. No other file can be opened.
    private static let descriptorsMax: rlim_t = 3

    static func apply(secondsMax: rlim_t) -> Bool {
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
