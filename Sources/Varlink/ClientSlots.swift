import NIOCore

/// The places for clients of one kind: a limit in total and a limit for each user. Contains no connection and no clock.
struct ClientSlots<ID: Hashable> {
    struct Client {
        /// The user id of the client's process.
        let user: UInt32
        /// The time of the last answer, or of the connection; nil: a call is being answered.
        let idleSince: NIODeadline?
    }

    /// Whether a new client gets a place.
    enum Room: Equatable {
        case free
        /// This idle client gives up its place.
        case after(ID)
        case full(VarlinkServer.Bound)
    }

    let countMax: Int
    let userCountMax: Int

    /// The room for one more client of this user.
    ///
    /// The client that gives up its place belongs to the user with the most clients, and has been idle for the longest
    /// time. A user who opens many connections then closes only connections of that same user.
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
