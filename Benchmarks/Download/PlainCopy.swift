import Cameras
import Glibc

extension DownloadTask {
    private static let bufferSize = 1 << 16

    /// Writes the bytes of a socket to the disk durably, with as few system calls as possible. It is the reference.
    func copyPlainly() throws -> DownloadResult {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(self.address.host)
        address.sin_port = self.address.port.bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw DownloadFailure(description: "cannot connect: \(errno)") }
        let measure = Measure()
        let file = open("\(path)/plain.part", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        var rest = Int(count)
        while rest > 0 {
            let received = read(socket, &buffer, min(rest, buffer.count))
            guard received > 0, write(file, buffer, received) == received else {
                throw DownloadFailure(description: "\(rest) bytes are missing: \(errno)")
            }
            rest -= received
        }
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        guard fsync(file) == 0, rename("\(path)/plain.part", "\(path)/plain.jpg") == 0, fsync(folder) == 0 else {
            throw DownloadFailure(description: "cannot keep the file: \(errno)")
        }
        return measure.result
    }
}
