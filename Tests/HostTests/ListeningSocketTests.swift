import Glibc
import Testing

@testable import Host

struct ListeningSocketTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the socket is made with its directory, for its group alone`() throws {
        let path = directory.file("a/b/socket")
        let socket = try ListeningSocket.open(path: path)
        defer { close(socket.descriptor) }
        #expect(directory.mode(of: "a/b/socket") == 0o660)
        socket.remove()
        #expect(!directory.exists("a/b/socket"))
    }

    @Test func `a socket in use is not replaced`() throws {
        let path = directory.file("socket")
        let socket = try ListeningSocket.open(path: path)
        defer { close(socket.descriptor) }
        let error = #expect(throws: SocketError.alreadyServed(path: path)) { try ListeningSocket.open(path: path) }
        #expect(error?.description == "another bracketd already listens on \(path)")
        #expect(directory.exists("socket"))
    }

    @Test func `a stale socket is replaced`() throws {
        let path = directory.file("socket")
        close(try ListeningSocket.open(path: path).descriptor)
        let socket = try ListeningSocket.open(path: path)
        close(socket.descriptor)
        socket.remove()
        #expect(directory.names == [])
    }

    @Test func `a socket that has replaced the daemon's is not removed`() throws {
        let path = directory.file("socket")
        let first = try ListeningSocket.open(path: path)
        unlink(path)
        let second = try ListeningSocket.open(path: path)
        first.remove()
        #expect(directory.exists("socket"))
        second.remove()
        #expect(!directory.exists("socket"))
        close(first.descriptor)
        close(second.descriptor)
    }

    @Test func `a file in the socket's place is not touched`() throws {
        try directory.write("precious", to: "socket")
        let path = directory.file("socket")
        #expect(throws: SocketError.notASocket(path: path)) { try ListeningSocket.open(path: path) }
        #expect(directory.read("socket") == "precious")
    }

    @Test func `a path that does not fit is refused with its limit`() throws {
        let path = directory.file(String(repeating: "x", count: 107))
        let error = #expect(throws: SocketError.self) { try ListeningSocket.open(path: path) }
        #expect(error == .pathTooLong(path: path, lengthMax: 107))
        #expect(directory.names == [])
    }

    @Test func `a directory that cannot be made is named`() throws {
        try directory.write("", to: "file")
        let error = #expect(throws: SocketError.self) { try ListeningSocket.open(path: directory.file("file/socket")) }
        #expect(error?.description == "cannot create the directory \(directory.file("file")): Not a directory")
    }

    @Test func `of daemons that start at the same time one serves`() async throws {
        let path = directory.file("socket")
        for _ in 0..<20 {
            // The socket file has no listener at first, so both processes may try to replace it.
            close(try ListeningSocket.open(path: path).descriptor)
            let sockets = await withTaskGroup(of: ListeningSocket?.self) { group in
                for _ in 0..<4 { group.addTask { try? ListeningSocket.open(path: path) } }
                return await group.reduce(into: []) { $0.append($1) }
            }.compactMap(\.self)
            #expect(sockets.count == 1)
            for socket in sockets { close(socket.descriptor) }
        }
    }
}
