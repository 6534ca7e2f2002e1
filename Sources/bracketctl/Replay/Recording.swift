import Flight
import Foundation

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
        return file.path[...dash] + String(part).padded(left: digits.count, with: "0") + ending
    }

    // MARK: - Files

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The files of the newest run, which has the greatest number in its file names.
    private static func newestRun(in folder: String) throws(Failure) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw Failure("NotReadable", FileSentences.folderNotRead(folder))
        }
        let recordings = names.filter { $0.hasSuffix(ending) && $0.contains("-") }.sorted()
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
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= sizeMax else {
                throw Failure("NotARecording", ReplaySentences.tooLarge(path))
            }
            bytes += chunk.prefix(count)
        }
    }

    private static func unreadable(_ path: String) -> Failure {
        Failure("NotReadable", FileSentences.failed(path, .read, String(cString: strerror(errno))))
    }
}
