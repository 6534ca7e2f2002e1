import NIOCore

/// The limits on clients of one kind: in total and for each user. The type has no connection and no clock.
struct ClientSlots<ID: Hashable> {
    struct Client {
        /// The user id of the client's process.
        let user: UInt32
        /// The time of the last answer or, before the first answer, of the connection; nil: a call is being answered.
        let idleSince: NIODeadline?
    }

    /// Whether a new client gets a place.
    enum Room: Equatable {
        case free
        /// A place becomes free if the server disconnects this idle client.
        case after(ID)
        case full(VarlinkServer.Bound)
    }

    let countMax: Int
    let userCountMax: Int

    /// The room for one more client of this user.
    ///
    /// The client to disconnect belongs to the user with the most clients, and has been idle for the longest time. So a
    /// user who opens many connections does not close the connections of other users.
    func room(for user: UInt32, among clients: [ID: Client]) -> Room {
        let counts = clients.values.reduce(into: [UInt32: Int]()) { $0[$1.user, default: 0] += 1 }
        let isUserFull = counts[user, default: 0] >= userCountMax
        guard isUserFull || clients.count >= countMax else { return .free }
        let idle = clients.compactMap { id, client -> (id: ID, count: Int, since: NIODeadline)? in
            guard let since = client.idleSince, !isUserFull || client.user == user else { return nil }
            return (id, counts[client.user, default: 0], since)
        }
        guard let first = idle.min(by: { $0.count != $1.count ? $0.count > $1.count : $0.since < $1.since }) else {
            return .full(isUserFull ? .clientsOfUser(userCountMax) : .clients(countMax))
        }
        return .after(first.id)
    }
}
