import Cameras
import Statecharts

// The inputs of the network's chart, and the handling of its effects.

extension ChartRun where B == NetworkModel {
    /// Handles a new connection, or a user's request for a camera.
    ///
    /// - Parameters:
    ///   - cameraAddress: the address of the connected camera.
    ///   - linkSnapshot: the network over which this camera answers; nil: not known.
    mutating func receive(
        _ message: Message,
        cameraAddress: CameraAddress?,
        linkSnapshot: NetworkSnapshot?,
        by rules: SearchRules,
        in turn: inout Turn
    ) {
        if case .cameraChosen = message {
            deliver(.cameraChosen, in: &turn)
        } else {
            inform { ($0.cameraAddress, $0.linkSnapshot) = (cameraAddress, linkSnapshot) }
            deliver(.cameraConnected, in: &turn)
            // In `joined` the chart already knows that this computer is on the camera's network, unless this computer
            // left that network after the link was opened.
            if isActive(.joined), machine.behavior.isLinkStanding { return }
        }
        // The chart assesses the known facts again, because the camera's network may differ now.
        if let snapshot = machine.behavior.snapshot { receive(snapshot, by: rules, in: &turn) }
    }

    /// After a user's request for a camera, reports again that this computer is not on the camera's network.
    mutating func receive(_ message: TurnMessage, in turn: inout Turn) {
        guard case .connectionRestarted = message, let departure = machine.behavior.departure(in: machine.mainState)
        else {
            return
        }
        turn.append(.enqueue(.networkLeft(departure)))
    }

    /// Handles a new snapshot of the network.
    mutating func receive(_ snapshot: NetworkSnapshot, by rules: SearchRules, in turn: inout Turn) {
        let before = machine.behavior.snapshot.map { rules.interfaces(of: $0) }
        switch inform({ $0.assess(snapshot, by: rules) }) {
        case .down: deliver(.networkDown, in: &turn)
        case .joined(let ssid): deliver(.networkJoined(NetworkName(ssid: ssid)), in: &turn)
        case .moved(let ssid): deliver(.networkMoved(NetworkName(ssid: ssid)), in: &turn)
        case .noRoute: deliver(.networkNoRoute, in: &turn)
        }
        if rules.interfaces(of: snapshot).map(\.place) != before?.map(\.place) { turn.send(.interfacesChanged) }
    }

    private mutating func deliver(_ input: Network.Input, in turn: inout Turn) {
        turn.perform(handle(input, at: turn.now))
    }
}
