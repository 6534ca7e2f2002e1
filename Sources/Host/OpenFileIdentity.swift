import Glibc

/// What tells one open file from all others, whatever the number of its descriptor.
struct OpenFileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// nil: nothing is open there.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }

    /// Closes a descriptor that NIO failed to take, if it still is of this file: depending on where it failed NIO has
    /// closed it, and the number may be that of another file by now.
    func closeIfLeft(_ descriptor: CInt) {
        if OpenFileIdentity(descriptor) == self { close(descriptor) }
    }
}
