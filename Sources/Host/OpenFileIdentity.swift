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

    /// Closes a descriptor that NIO failed to adopt, if it still belongs to this file. Depending on where it failed,
    /// NIO has closed it, and another file may have its number.
    func closeIfLeft(_ descriptor: CInt) {
        if OpenFileIdentity(descriptor) == self { close(descriptor) }
    }
}
