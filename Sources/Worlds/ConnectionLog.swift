import Cameras
import Controller

/// The connections that the daemon opened, recorded for tests.
package struct ConnectionLog: Sendable {
    /// The connection attempts to addresses, in order. Each one is the first connection of a session.
    package private(set) var calls: [Call] = []
    /// The largest number of connections that were being opened at the same time.
    package private(set) var openingMax = 0
    private var opening: Set<Key> = []
    private var openKeys: Set<Key> = []

    package struct Call: Equatable, Sendable {
        package var address: CameraAddress
        package var at: Duration
    }

    struct Key: Hashable, Sendable {
        var generation: LinkGeneration
        var link: LinkID
    }

    /// Whether the daemon has no connection and opens none.
    package var isEmpty: Bool { opening.isEmpty && openKeys.isEmpty }

    /// The times of the attempts to an address.
    package func times(of address: CameraAddress) -> [Duration] {
        calls.filter { $0.address == address }.map(\.at)
    }

    mutating func noteOpening(_ key: Key, _ address: CameraAddress, at now: Duration) {
        precondition(!opening.contains(key) && !openKeys.contains(key), "a connection is opened once")
        let isKnown = { (other: Key) in other.generation == key.generation }
        if !opening.contains(where: isKnown), !openKeys.contains(where: isKnown) {
            calls.append(Call(address: address, at: now))
        }
        opening.insert(key)
        openingMax = max(openingMax, opening.count)
    }

    mutating func note(_ event: LinkEvent, of generation: LinkGeneration) {
        switch event {
        case .opened(let link):
            guard opening.remove(Key(generation: generation, link: link)) != nil else { break }
            openKeys.insert(Key(generation: generation, link: link))
        case .openFailed(let link, _, _): opening.remove(Key(generation: generation, link: link))
        case .closed(let link, _): openKeys.remove(Key(generation: generation, link: link))
        case .received: break
        }
    }

    mutating func noteClosed(_ key: Key) {
        opening.remove(key)
        openKeys.remove(key)
    }

    /// Removes all connections after the end of the process.
    mutating func forgetOpen() {
        opening.removeAll()
        openKeys.removeAll()
    }
}
