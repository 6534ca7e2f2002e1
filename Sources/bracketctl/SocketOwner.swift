import Foundation

/// The owner of a socket, for advice to a user who may not open it.
struct SocketOwner {
    /// The group whose members may open the socket; nil if the user cannot join one.
    let groupName: String?

    /// Reads the file's status; nil when that is not permitted either.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // connect(2) requires write permission. The advice never recommends the group of root.
        guard status.st_mode & S_IWGRP != 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else {
            groupName = nil
            return
        }
        groupName = group.pointee.gr_name.map { String(cString: $0) }
    }
}
