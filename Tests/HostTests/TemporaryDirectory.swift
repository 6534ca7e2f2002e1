import Foundation
import Glibc

final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/host-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    struct Failure: Error { let code: CInt }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(code: errno) }
    }

    func read(_ name: String) -> String? {
        let descriptor = open(file(name), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        return String(decoding: bytes[..<max(0, Glibc.read(descriptor, &bytes, bytes.count))], as: UTF8.self)
    }

    func mode(of name: String) -> mode_t? {
        var status = stat()
        return lstat(file(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    func exists(_ name: String) -> Bool { mode(of: name) != nil }

    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
