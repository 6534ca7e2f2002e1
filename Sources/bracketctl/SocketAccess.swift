import Glibc

/// The permissions of a socket's file and of a user.
struct SocketAccess: Equatable {
    enum Kind: Equatable {
        case missing, socket, other
    }

    var kind: Kind
    var owner: uid_t = 0
    var group: gid_t = 0
    /// The name of the socket's group; nil: the group has no name.
    var groupName: String?
    var mode: mode_t = 0

    struct SocketUser: Equatable {
        var id: uid_t
        var name: String
        var groups: Set<gid_t>
        /// The groups of the user after the next login.
        var groupsAtLogin: Set<gid_t>
    }

    /// The group for advice: a user who joins this group can open the socket; nil: no such group.
    var joinableGroup: String? {
        // connect(2) requires write permission. bracketctl never advises the user to join the group of root.
        mode & S_IWGRP != 0 && group != 0 ? groupName : nil
    }
}

extension SocketAccess {
    init(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // Without search permission for a directory in the path, the file can still exist.
            self.init(kind: errno == ENOENT || errno == ENOTDIR ? .missing : .other)
            return
        }
        self.init(
            kind: status.st_mode & S_IFMT == S_IFSOCK ? .socket : .other,
            owner: status.st_uid,
            group: status.st_gid,
            groupName: getgrgid(status.st_gid)?.pointee.gr_name.map { String(cString: $0) },
            mode: status.st_mode & 0o777
        )
    }
}

extension SocketAccess.SocketUser {
    static var present: Self {
        let id = geteuid()
        let entry = getpwuid(id)
        let name = entry?.pointee.pw_name.map { String(cString: $0) } ?? String(id)
        var groups = [gid_t](repeating: 0, count: groupsMax)
        let count = getgroups(CInt(groups.count), &groups)
        var own = Set(groups.prefix(Int(max(0, count))))
        own.insert(getegid())
        var atLogin = [gid_t](repeating: 0, count: groupsMax)
        var atLoginCount = CInt(atLogin.count)
        let isKnown = entry != nil && getgrouplist(name, entry?.pointee.pw_gid ?? 0, &atLogin, &atLoginCount) >= 0
        return Self(
            id: id,
            name: name,
            groups: own,
            groupsAtLogin: isKnown ? Set(atLogin.prefix(Int(atLoginCount))) : own
        )
    }

    /// The maximum number of groups that is read, more than the system allows for a user.
    private static let groupsMax = 1024
}
