import Statecharts

// What is wrong with the daemon and with what it runs on, as far as it can tell without a camera.

extension Core {
    /// Has the host look; whoever asks meanwhile gets the same answer.
    mutating func inspect(_ id: RequestID, in turn: inout Turn) {
        guard subscriptions.hasRoom(for: .inspection, id, in: &turn) else { return }
        if !subscriptions.contains(.inspection) { turn.append(.inspect) }
        subscriptions.add(id, to: .inspection)
    }

    mutating func answerInspectors(_ findings: HostFindings, in turn: inout Turn) {
        let checks = findings.machine + [records.check] + findings.network + cameraChecks
        subscriptions.answer(.inspection, .checks(checks), in: &turn)
    }

    /// What a connected camera is set to is asked by preflight; what a paused shoot lacks of it is known here alone.
    private var cameraChecks: [Check] {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let status = model.status else {
            // After `disconnect` the user wants none.
            let isMissing = !connection.isActive(.released)
            return [Check("camera", isMissing ? .fail : .warn, absenceSentence, advice: cameraAdvice)]
        }
        let isConnected = Check("camera", .pass, "\(model.name ?? "The camera") is connected.")
        guard shooting.chart.isActive(.cameraNotFit), Preflight.unfitness(status).isEmpty else {
            return [isConnected]
        }
        return [isConnected]
            + model.hindrances.map {
                Check("shoot", .fail, "The paused shoot cannot continue: \($0.sentence)", advice: $0.advice)
            }
    }

    private var cameraAdvice: String {
        if connection.machine.behavior.isInUse {
            return
                "Close the app that uses the camera, often on a phone. The daemon then connects by itself."
        }
        return switch connection.machine.mainState {
        case .discovering where isAimless: "Set address or search under [camera] and restart bracketd."
        case .released where !hasCameraToReturnTo:
            "Name its address: bracketctl connect ADDRESS."
        case .released: "Connect to it again: bracketctl connect --last."
        case .offNetwork: "Join the camera's WiFi."
        case .refused: "See to the camera, then ask for a shoot: bracketctl shoot."
        default: "Switch the camera on, with remote control by PC allowed, and join its WiFi."
        }
    }
}
