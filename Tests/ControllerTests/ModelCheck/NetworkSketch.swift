import Statecharts

@testable import Controller

/// The network's chart with hardly any data. A name is that of the camera's network, or another one.
///
/// The sketch leaves out which snapshot causes which report (`NetworkJudgement`), so every report may come at any time.
/// It also leaves out the number of other networks, so a change from one to another may be reported or not.
struct NetworkSketch: ChartSketch, NetworkBehavior {
    struct Notes: Hashable {
        /// Whether a camera was connected, so that its network is stored.
        var knowsCamera = false
    }

    enum Effect: Hashable {
        case left
        case back
    }

    enum News: Int, CaseIterable {
        case down
        case joinedCameras
        case joinedOther
        case moved
        case noRoute
        case cameraConnected
        case cameraChosen
    }

    var notes = Notes()
    let oracle: Oracle

    init(_ oracle: Oracle) { self.oracle = oracle }

    private static let home = NetworkName(ssid: "camera")
    private static let other = NetworkName(ssid: "other")

    static func input(_ news: News) -> Network.Input {
        switch news {
        case .down: .networkDown
        case .joinedCameras: .networkJoined(home)
        case .joinedOther: .networkJoined(other)
        case .moved: .networkMoved(home)
        case .noRoute: .networkNoRoute
        case .cameraConnected: .cameraConnected
        case .cameraChosen: .cameraChosen
        }
    }

    func isCamerasNetwork(_ name: NetworkName) -> Bool { !notes.knowsCamera || name == Self.home }
    func isSameNetwork(_ name: NetworkName) -> Bool { isCamerasNetwork(name) }

    func isSameElsewhere(_ name: NetworkName) -> Bool {
        !isCamerasNetwork(name) && oracle.ask("the other network is the same")
    }

    mutating func adoptNetwork(_ name: NetworkName, _ effects: inout [Effect]) {}
    mutating func adoptMove(_ name: NetworkName, _ effects: inout [Effect]) {}
    mutating func reportMoved(_ name: NetworkName, _ effects: inout [Effect]) { effects.append(.left) }
    mutating func rememberNetwork(_ effects: inout [Effect]) { notes.knowsCamera = true }
    mutating func forgetNetwork(_ effects: inout [Effect]) { notes.knowsCamera = false }
    mutating func reportBack(_ effects: inout [Effect]) { effects.append(.back) }
    mutating func reportElsewhere(_ effects: inout [Effect]) { effects.append(.left) }
    mutating func reportDown(_ effects: inout [Effect]) { effects.append(.left) }
    mutating func reportNoRoute(_ effects: inout [Effect]) { effects.append(.left) }
}
