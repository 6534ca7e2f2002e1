import PTP

/// Property 0xD120: the files of a picture. The words are: the number of files, and for each file 16, type, size,
/// compression (libgphoto2 ptp-pack.c, dumps of five bodies).
package struct CanonImageFormat: Hashable, Sendable {
    /// One file of a picture.
    package struct File: Hashable, Sendable {
        /// See `jpeg` and `raw`.
        package var type: UInt32
        package var size: UInt32
        package var compression: UInt32

        static let jpeg: UInt32 = 1
        static let raw: UInt32 = 6

        package init(type: UInt32, size: UInt32, compression: UInt32) {
            self.type = type
            self.size = size
            self.compression = compression
        }
    }

    package var files: [File]

    /// No body sends more files per picture.
    private static let filesMax = 2
    private static let wordsOfFile = 4
    private static let bytesOfFile: UInt32 = 16

    package init(files: [File]) { self.files = files }

    /// The format in the first words; nil: the words have another structure.
    package init?(_ words: ArraySlice<UInt32>) {
        guard let count = words.first.flatMap(Int.init(exactly:)), (1...Self.filesMax).contains(count),
            words.count >= Self.wordCount(files: count)
        else { return nil }
        files = []
        for number in 0..<count {
            let start = words.startIndex + 1 + number * Self.wordsOfFile
            guard words[start] == Self.bytesOfFile else { return nil }
            files.append(File(type: words[start + 1], size: words[start + 2], compression: words[start + 3]))
        }
    }

    /// The form on the wire.
    package var words: [UInt32] {
        [UInt32(files.count)] + files.flatMap { [Self.bytesOfFile, $0.type, $0.size, $0.compression] }
    }

    static func wordCount(files count: Int) -> Int { 1 + count * wordsOfFile }

    /// `RAW`, `JPEG L fine`, `cRAW+JPEG S1 normal`.
    package var text: String {
        files.map { file in
            switch file.type {
            case File.raw: Self.rawName(file)
            case File.jpeg: "JPEG \(Self.sizes[file.size] ?? "\(file.size)")" + Self.jpegQuality(file)
            default: "format \(file.type) \(file.size) \(file.compression)"
            }
        }
        .joined(separator: "+")
    }

    private static func rawName(_ file: File) -> String {
        let kind = file.compression == 3 ? "cRAW" : file.compression == 4 ? "RAW" : "RAW (\(file.compression))"
        switch file.size {
        case 0: return kind
        case 1: return "m" + kind
        case 2: return "s" + kind
        default: return "\(kind) \(file.size)"
        }
    }

    /// Bodies since 2021 have sizes without a compression (0).
    private static func jpegQuality(_ file: File) -> String {
        switch file.compression {
        case 0: ""
        case 2: " normal"
        case 3: " fine"
        default: " \(file.compression)"
        }
    }

    private static let sizes: [UInt32: String] = [
        0x0: "L", 0x1: "M", 0x2: "S", 0x5: "M1", 0x6: "M2", 0xE: "S1", 0xF: "S2", 0x10: "S3",
    ]

    /// The kinds of files; nil: a type is not known.
    package var kinds: Set<PictureInfo.Kind>? {
        var kinds: Set<PictureInfo.Kind> = []
        for file in files {
            switch file.type {
            case File.jpeg: kinds.insert(.jpeg)
            case File.raw: kinds.insert(.raw)
            default: return nil
            }
        }
        return kinds
    }
}
