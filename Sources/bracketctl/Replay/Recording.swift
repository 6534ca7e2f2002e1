import Flight
import Glibc

/// The files of the flight recorder from one run of the daemon.
struct Recording {
    struct File {
        let path: String
        let reader: FlightReader
    }

    /// The files in the order in which they were written, beginning with the first file of the run.
    let files: [File]

    var header: FlightHeader { files[0].reader.header }

    /// The maximum size of all files together, in bytes. Real recordings are much smaller.
    private static let sizeMax = 1 << 30
    /// The maximum number of recordings in a directory, far more than the flight recorder keeps.
    private static let namesMax = 1_000_000
    private static let ending = ".rec"

    /// - Parameter paths: At least one path: files, or one directory.
    init(paths: [String]) throws(Failure) {
        var paths = paths
        if paths.count == 1, Recording.isFolder(paths[0]) { paths = try Recording.newestRun(in: paths[0]) }
        var files: [File] = []
        var size = 0
        for path in paths {
            let bytes = try Recording.read(path, upTo: Recording.sizeMax - size)
            size += bytes.count
            do {
                files.append(File(path: path, reader: try FlightReader(bytes)))
            } catch {
                throw Failure("NotARecording", ReplaySentences.notARecording(path, error.sentence))
            }
        }
        for (part, file) in files.enumerated() { try Recording.check(file, isPart: part, of: files[0]) }
        self.files = files
    }

    private static func check(_ file: File, isPart part: Int, of first: File) throws(Failure) {
        let header = file.reader.header
        func refuse(_ sentence: String) -> Failure {
            Failure("IncompleteRecording", sentence)
        }
        let isSameRun = header.began == first.reader.header.began && header.clock == first.reader.header.clock
        guard isSameRun else { throw refuse(ReplaySentences.otherRun(file.path, than: first.path)) }
        guard header.part != part else { return }
        let needed = name(of: part, like: file)
        guard part > 0 else {
            throw refuse(ReplaySentences.beginsLate(file.path, part: header.part, first: needed))
        }
        throw refuse(ReplaySentences.partMissing(file.path, part: header.part, before: needed))
    }

    /// The name of another file of the run. Files of a recording have names such as `flight-000042-0000.rec`.
    private static func name(of part: Int, like file: File) -> String {
        let own = String(file.reader.header.part)
        guard file.path.hasSuffix(ending), let dash = file.path.lastIndex(of: "-") else {
            return ReplaySentences.fileOfRun(part)
        }
        let digits = file.path[file.path.index(after: dash)...].dropLast(ending.count)
        guard Int(digits).map(String.init) == own else { return ReplaySentences.fileOfRun(part) }
        return String(file.path[...dash]) + String(part).padded(left: digits.count, with: "0") + ending
    }

    // MARK: - Files

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The files of the newest run, which has the greatest number in its file names.
    private static func newestRun(in folder: String) throws(Failure) -> [String] {
        let names = InputFile.names(in: folder, countMax: namesMax) { $0.hasSuffix(ending) && $0.contains("-") }
        guard let recordings = names else {
            throw Failure("NotReadable", FileSentences.folderNotRead(folder))
        }
        guard let last = recordings.last else {
            throw Failure("NotARecording", ReplaySentences.noRecording(in: folder))
        }
        let run = last.prefix(through: last.lastIndex(of: "-") ?? last.startIndex)
        return recordings.filter { $0.hasPrefix(run) }.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
    }

    private static func read(_ path: String, upTo sizeMax: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { close(file) }
        guard let bytes = InputFile.bytes(of: file, countMax: sizeMax + 1) else { throw unreadable(path) }
        guard bytes.count <= sizeMax else { throw Failure("NotARecording", ReplaySentences.tooLarge(path)) }
        return bytes
    }

    private static func unreadable(_ path: String) -> Failure {
        Failure("NotReadable", FileSentences.failed(path, .read, String(cString: strerror(errno))))
    }
}
