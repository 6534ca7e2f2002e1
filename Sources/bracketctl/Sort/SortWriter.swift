import Glibc
import Varlink

/// Arranges the pictures of a shoot for programs that merge them. Each set gets a directory of hard links, and the
/// shoot gets a manifest. Original files and existing names do not change.
struct SortWriter {
    struct Placed {
        var file: CardFile
        /// The path of the link, relative to the shoot's directory.
        var path: String
        /// The path of the photographer's original file, relative to the shoot's directory.
        var original: String
    }

    /// The errors of a file system without hard links, or without permission for another link to the file.
    private static let noLinkCodes: Set<Int32> = [EXDEV, EPERM, EOPNOTSUPP, ENOSYS, EMLINK]
    /// The maximum number of files with the same name in one directory.
    private static let numberMax = 99

    private let source: CardFolder
    private let output: CardFolder
    /// The relative path from a shoot's directory to the directory of the pictures.
    private let relativePrefix: String
    private let wantsLinks: Bool
    /// The reason why files could not be linked.
    private(set) var linkFault: String?

    init(from source: CardFolder, to output: CardFolder, wantsLinks: Bool) {
        self.source = source
        self.output = output
        self.wantsLinks = wantsLinks
        let folders = [source, output].map { SortWriter.realPath($0.path).split(separator: "/").map(String.init) }
        let shared = zip(folders[0], folders[1]).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folders[1].count - shared + 1) + folders[0].dropFirst(shared)
        relativePrefix = up.joined(separator: "/")
    }

    /// The absolute path without symbolic links (realpath(3)).
    private static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The files of each frame of each set, for a run that makes no links.
    func unlinked(_ sorted: SortedShoot) -> [[Placed]] {
        SortWriter.files(of: sorted).map { $0.files.map { place($0) } }
    }

    private func place(_ file: CardFile) -> Placed {
        let original = "\(relativePrefix)/\(file.path)"
        return Placed(file: file, path: original, original: original)
    }

    /// Makes the links and writes the manifest.
    ///
    /// - Parameter identities: The identities of all sorted files.
    mutating func write(
        _ sorted: SortedShoot,
        in name: String,
        identities: Set<CardFolder.Identity>
    ) throws(Failure) -> [[Placed]] {
        let folder = try output.madeFolder(name)
        let hasManifest = CardScan.hasManifest(folder)
        guard hasManifest || folder.entry(SortManifest.name) == nil else {
            throw Failure("NotOurs", SortSentences.otherManifest(folder.path))
        }
        // The first manifest names the original files. It is written before the links, because a later run treats links
        // as original files if the directory has no manifest.
        if !hasManifest {
            let text = SortReport.manifest(sorted, unlinked(sorted)).description + "\n"
            try folder.write(text, to: SortManifest.name)
        }
        var placed: [[Placed]] = []
        var taken: Set<String> = []
        for frame in SortWriter.files(of: sorted) {
            var files: [Placed] = []
            for file in frame.files { files.append(try link(file, set: frame.set, in: folder, &taken)) }
            placed.append(files)
        }
        let text = SortReport.manifest(sorted, placed).description + "\n"
        try folder.write(text, to: SortManifest.name)
        SortWriter.removeLinks(except: taken, identities, in: folder)
        return placed
    }

    /// The files of each frame, one set after the other. Of several copies of a file, only the first is included.
    private static func files(of sorted: SortedShoot) -> [(set: Int, files: [CardFile])] {
        sorted.sets.flatMap { set in
            set.frames.map { frame in
                let files = sorted.frames[frame.index].exposures.flatMap { exposure in
                    var endings: Set<String> = []
                    return exposure.files.filter { endings.insert(CardFile.ending(of: $0.name)).inserted }
                }
                return (set.set, files)
            }
        }
    }

    private mutating func link(
        _ file: CardFile,
        set: Int,
        in folder: CardFolder,
        _ taken: inout Set<String>
    ) throws(Failure) -> Placed {
        var placed = place(file)
        guard wantsLinks else { return placed }
        let own = try folder.madeFolder("set-\(set)")
        for number in 1...SortWriter.numberMax {
            let name = SortWriter.numbered(file.name, number)
            guard !taken.contains("set-\(set)/\(name)") else { continue }
            if own.entry(name) == nil {
                let code = own.link(file.name, of: try source.folder(file.place.dropLast()), as: name)
                if SortWriter.noLinkCodes.contains(code) {
                    linkFault = String(cString: strerror(code))
                    folder.removeFolder("set-\(set)")
                    return placed
                }
                guard code == 0 || code == EEXIST else {
                    throw CardFolder.failure("\(own.path)/\(name)", .created, code)
                }
            }
            guard own.entry(name)?.identity == file.identity else { continue }
            placed.path = "set-\(set)/\(name)"
            taken.insert(placed.path)
            return placed
        }
        throw Failure("NotOurs", SortSentences.otherFiles(own.path, name: file.name))
    }

    /// The name of a link, with its number from 2 on: `DSC00001.ARW`, `DSC00001-2.ARW`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// Removes the links of earlier runs that this run did not make, but never the last link to a file. Finds the links
    /// in the directories, because the manifest of an interrupted run does not list them.
    private static func removeLinks(
        except kept: Set<String>,
        _ identities: Set<CardFolder.Identity>,
        in folder: CardFolder
    ) {
        for set in (try? folder.entries(countMax: CardScan.entriesMax)) ?? [] where set.name.hasPrefix("set-") {
            guard let own = folder.openFolder(set.name) else { continue }
            for link in (try? own.entries(countMax: CardScan.entriesMax)) ?? [] {
                let isOld = link.kind == .file && !kept.contains("\(set.name)/\(link.name)")
                // A link of an earlier run is never the only name of its file.
                if isOld, link.nameCount > 1, identities.contains(link.identity) { own.remove(link.name) }
            }
            folder.removeFolder(set.name)
        }
    }
}
