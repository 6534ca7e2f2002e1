import Statecharts

// What is wrong with the daemon and with what it runs on, as far as it can tell without a camera.

extension Core {
    /// Has the host look; whoever asks meanwhile gets the same answer.
    mutating func inspect(_ id: RequestID, into effects: inout Effects) {
        guard inspectors?.count ?? 0 < Self.streamsMax else {
            return effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        }
        if inspectors == nil { effects.append(.inspect) }
        inspectors = (inspectors ?? []) + [id]
    }

    mutating func answerInspectors(_ findings: HostFindings, into effects: inout Effects) {
        let checks = findings.machine + [ledgerCheck] + findings.network + cameraChecks
        for id in inspectors ?? [] { effects.append(.reply(id, .checks(checks), continues: false)) }
        inspectors = nil
    }

    private var ledgerCheck: Check {
        let chart = recording.machine
        if chart.isActive(.off) {
            return Check(
                "ledger",
                .warn,
                "No ledger is kept: a shoot does not survive the daemon.",
                advice: "Set mode = \"required\" or \"best-effort\" under [ledger]."
            )
        }
        if chart.isActive(.opening) {
            return Check("ledger", .warn, "The ledger is being opened.", advice: "Ask again in a moment.")
        }
        guard let ledgerSentence else { return Check("ledger", .pass, "The ledger takes what happens.") }
        guard configuration.ledger == .required else {
            return Check(
                "ledger",
                .warn,
                "\(ledgerSentence) Shoots go on without it: mode = \"best-effort\" under [ledger].",
                advice: "See to the disk that [storage] directory is on."
            )
        }
        return Check(
            "ledger",
            .fail,
            "\(ledgerSentence) Nothing is fired without it: mode = \"required\" under [ledger].",
            advice: "See to the disk that [storage] directory is on."
        )
    }

    /// What a connected camera is set to is asked by preflight; what a paused shoot lacks of it is known here alone.
    private var cameraChecks: [Check] {
        let model = connection.machine.behavior
        guard connection.machine.isActive(.online), let status = model.status else {
            // After `disconnect` the user wants none.
            let isMissing = !connection.machine.isActive(.released)
            return [Check("camera", isMissing ? .fail : .warn, absenceSentence, advice: cameraAdvice)]
        }
        let isConnected = Check("camera", .pass, "\(model.name ?? "The camera") is connected.")
        guard shooting.machine.isActive(.cameraNotFit), Preflight.unfitness(status).isEmpty else {
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
