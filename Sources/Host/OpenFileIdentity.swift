import Glibc

struct OpenFileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// Returns nil for a closed descriptor.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }

    /// Closes a descriptor that NIO failed to adopt, if the descriptor still belongs to this file. NIO may already have
    /// closed the descriptor, and its number may now belong to another file.
    func closeIfLeft(_ descriptor: CInt) {
        if OpenFileIdentity(descriptor) == self { close(descriptor) }
    }
}
