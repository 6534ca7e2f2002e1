import Foundation
import Testing

/// Tests how the installed programs are linked. The facts come from the files (elf(5)).
@Suite struct HardeningTests {
    /// The protections of a program against attacks. The numbers are those of <elf.h>.
    private struct Protection: Equatable {
        /// The program can be loaded at any address: ET_DYN with DF_1_PIE.
        var isPositionIndependent = false
        /// Relocated data becomes read-only: PT_GNU_RELRO.
        var hasReadOnlyRelocations = false
        /// All relocations are done before the program starts: DF_BIND_NOW or DF_1_NOW.
        var bindsNow = false

        static let whole = Self(isPositionIndependent: true, hasReadOnlyRelocations: true, bindsNow: true)

        private static let typeDynamic = 3
        private static let segmentDynamic = 2
        private static let segmentReadOnly = 0x6474_e552
        private static let tagFlags = (all: 30, first: 0x6fff_fffb)

        /// Reads a 64-bit little-endian file.
        init(file: String) throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
            func number(_ offset: Int, _ size: Int) -> Int {
                bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            try #require(bytes.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]), "\(file) is no such file")
            let isDynamic = number(16, 2) == Self.typeDynamic
            for index in 0..<number(56, 2) {
                let header = number(32, 8) + index * number(54, 2)
                switch number(header, 4) {
                case Self.segmentReadOnly: hasReadOnlyRelocations = true
                case Self.segmentDynamic:
                    let begin = number(header + 8, 8)
                    for entry in stride(from: begin, to: begin + number(header + 32, 8), by: 16) {
                        switch number(entry, 8) {
                        case Self.tagFlags.all: bindsNow = bindsNow || number(entry + 8, 8) & 0x8 != 0
                        case Self.tagFlags.first:
                            bindsNow = bindsNow || number(entry + 8, 8) & 0x1 != 0
                            isPositionIndependent = isDynamic && number(entry + 8, 8) & 0x0800_0000 != 0
                        default: break
                        }
                    }
                default: break
                }
            }
        }

        private init(isPositionIndependent: Bool, hasReadOnlyRelocations: Bool, bindsNow: Bool) {
            (self.isPositionIndependent, self.hasReadOnlyRelocations) = (isPositionIndependent, hasReadOnlyRelocations)
            self.bindsNow = bindsNow
        }
    }

    @Test(arguments: ["bracketd", "bracketctl", "camerasim", "bracketd-exif"])
    func `an installed program is position-independent, with read-only relocations`(name: String) throws {
        #expect(try Protection(file: Command.built(name)) == .whole)
    }
}
