import Foundation

@testable import Host

/// Recorded datagrams of the kernel. Each line of the file is a name and bytes in hexadecimal digits.
struct NetlinkRecording: Sendable {
    private let lines: [(name: String, bytes: [UInt8])]

    static let routes = NetlinkRecording("netlink.txt")
    static let radios = NetlinkRecording("nl80211.txt")

    private init(_ file: String) {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ")
            return (String(words[0]), Self.bytes(words[1]))
        }
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        let digits = Array(digits.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    var all: [[UInt8]] { lines.map(\.bytes) }

    subscript(_ name: String) -> [[UInt8]] { lines.filter { $0.name == name }.map(\.bytes) }

    func messages(_ name: String) -> [NetlinkMessage] { self[name].flatMap { NetlinkMessage.split($0[...]).messages } }
}
