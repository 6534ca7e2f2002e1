import Cameras
import Controller

/// What the daemon opened, as a test wants to know it.
package struct CallLog: Sendable {
    /// Each call of an address: the first connection of a session, in order.
    package private(set) var calls: [Call] = []
    /// How many connections were being opened at once, at the most.
    package private(set) var openingMax = 0
    private var opening: Set<Key> = []
    private var standing: Set<Key> = []

    package struct Call: Equatable, Sendable {
        package var address: CameraAddress
        package var at: Duration
    }

    struct Key: Hashable, Sendable {
        var generation: LinkGeneration
        var link: LinkID
    }

    /// Whether no connection is open, or being opened.
    package var isEmpty: Bool { opening.isEmpty && standing.isEmpty }

    /// When an address was called.
    package func times(of address: CameraAddress) -> [Duration] {
        calls.filter { $0.address == address }.map(\.at)
    }

    mutating func noteOpening(_ key: Key, _ address: CameraAddress, at now: Duration) {
        precondition(!opening.contains(key) && !standing.contains(key), "a connection is opened once")
        let isKnown = { (other: Key) in other.generation == key.generation }
        if !opening.contains(where: isKnown), !standing.contains(where: isKnown) {
            calls.append(Call(address: address, at: now))
        }
        opening.insert(key)
        openingMax = max(openingMax, opening.count)
    }

    mutating func note(_ event: LinkEvent, of generation: LinkGeneration) {
        switch event {
        case .opened(let link):
            guard opening.remove(Key(generation: generation, link: link)) != nil else { break }
            standing.insert(Key(generation: generation, link: link))
        case .openFailed(let link, _, _): opening.remove(Key(generation: generation, link: link))
        case .closed(let link, _): standing.remove(Key(generation: generation, link: link))
        case .received: break
        }
    }

    mutating func noteClosed(_ key: Key) {
        opening.remove(key)
        standing.remove(key)
    }

    /// The process is gone.
    mutating func forgetOpen() {
        opening.removeAll()
        standing.removeAll()
    }
}
