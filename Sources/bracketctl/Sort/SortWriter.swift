import Foundation
import Varlink

/// Puts the pictures of a shoot where merge programs find them: hard links in a folder per set, and the manifest.
/// Originals are never changed, names that are taken never replaced.
struct SortWriter {
    /// What stands where, of one file.
    struct Placed {
        var file: CardFile
        /// As seen from the shoot's folder.
        var path: String
        /// The same of the file that the photographer copied.
        var original: String
    }

    /// What a file system says that has no hard links, or none for this file.
    private static let noLinkCodes: Set<Int32> = [EXDEV, EPERM, EOPNOTSUPP, ENOSYS, EMLINK]
    /// Files of one name in one folder.
    private static let numberMax = 99

    private let source: CardFolder
    private let output: CardFolder
    /// From a shoot's folder to the folder with the pictures.
    private let wayBack: String
    private let wantsLinks: Bool
    /// Why files could not be linked.
    private(set) var linkFault: String?

    init(from source: CardFolder, to output: CardFolder, wantsLinks: Bool) {
        self.source = source
        self.output = output
        self.wantsLinks = wantsLinks
        let folders = [source, output].map { URL(filePath: $0.path).resolvingSymlinksInPath().pathComponents }
        let shared = zip(folders[0], folders[1]).prefix { $0 == $1 }.count
        let way = Array(repeating: "..", count: folders[1].count - shared + 1) + folders[0].dropFirst(shared)
        wayBack = way.joined(separator: "/")
    }

    /// The files of each frame of each set, as they would be without links.
    func unlinked(_ sorted: SortedShoot) -> [[Placed]] {
        SortWriter.files(of: sorted).map { $0.files.map { place($0) } }
    }

    private func place(_ file: CardFile) -> Placed {
        let original = "\(wayBack)/\(file.path)"
        return Placed(file: file, path: original, original: original)
    }

    /// Makes the links and writes the manifest.
    ///
    /// - Parameter identities: of all files that were sorted.
    mutating func write(
        _ sorted: SortedShoot,
        in name: String,
        identities: Set<CardFolder.Identity>
    ) throws(Failure) -> [[Placed]] {
        let folder = try output.madeFolder(name)
        let hasManifest = CardScan.hasManifest(folder)
        guard hasManifest || folder.entry(SortManifest.name) == nil else {
            throw Failure(
                .error,
                name: "NotOurs",
                "\(folder.path) has a manifest of another program. Choose another folder: --output DIR."
            )
        }
        // Without a manifest an interrupted run leaves links that the next run takes for originals. Until all links
        // are made, it names the originals.
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

    /// The files of each frame, set by set: of copies of one file the first.
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
                    throw CardFolder.failure("\(own.path)/\(name) cannot be made", code)
                }
            }
            guard own.entry(name)?.identity == file.identity else { continue }
            placed.path = "set-\(set)/\(name)"
            taken.insert(placed.path)
            return placed
        }
        throw Failure(.error, name: "NotOurs", "\(own.path) has other files with the name \(file.name).")
    }

    /// `DSC00001.ARW`, `DSC00001-2.ARW`
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// Removes links that an earlier run made and this one did not, where the file has its other name still. The
    /// folders are read because the manifest of an interrupted run lists none of its links.
    private static func removeLinks(
        except kept: Set<String>,
        _ identities: Set<CardFolder.Identity>,
        in folder: CardFolder
    ) {
        for set in (try? folder.entries(countMax: CardScan.entriesMax)) ?? [] where set.name.hasPrefix("set-") {
            guard let own = folder.openFolder(set.name) else { continue }
            for link in (try? own.entries(countMax: CardScan.entriesMax)) ?? [] {
                let isOld = link.kind == .file && !kept.contains("\(set.name)/\(link.name)")
                // The last name of a file was not made here.
                if isOld, link.nameCount > 1, identities.contains(link.identity) { own.remove(link.name) }
            }
            folder.removeFolder(set.name)
        }
    }
}
