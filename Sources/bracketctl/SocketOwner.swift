import Foundation

/// Whom a socket belongs to, for advice to those who may not open it.
struct SocketOwner {
    /// The group whose members may open the socket; nil when there is none that a person could join.
    let groupName: String?

    /// Looks at the file; nil when that is not allowed either.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // connect(2) asks for the right to write. Nobody is told to join the group of root.
        guard status.st_mode & S_IWGRP != 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else {
            groupName = nil
            return
        }
        groupName = group.pointee.gr_name.map { String(cString: $0) }
    }
}
