import Cameras
import Exposure
import Statecharts

// The pauses of a shoot: their reasons, and the actions when the shoot continues.

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel {
    package mutating func noteLoss(_ absence: Absence, _ effects: inout [ShootingEffect]) {
        interruption = .absent(absence)
    }

    package mutating func noteNotReady(_ sentence: String, _ effects: inout [ShootingEffect]) {
        interruption = .unfit(sentence)
    }

    package mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [ShootingEffect]) {
        interruption = .left(departure)
    }

    package mutating func reportPausedByCommand(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        switch pauseCommander {
        case .person: pause(.command, level: .notice, ShootSentences.pausedByCommand, &effects)
        case .stop:
            effects.append(entry(.notice, .shootPaused, ShootSentences.pausedByStop, reason: "stopping"))
        }
    }

    package mutating func reportPausedByLoss(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        pause(.linkLost, ShootSentences.pausedByLoss(interruptionSentence), &effects)
    }

    package mutating func reportPausedByNetwork(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        pause(.wifiSwitched, ShootSentences.pausedByNetwork(interruptionSentence), &effects)
    }

    package mutating func reportPausedByCamera(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        pause(.cameraNotFit, ShootSentences.pausedByCamera(interruptionSentence), &effects)
    }

    package mutating func reportPausedByDisk(_ effects: inout [ShootingEffect]) {
        pause(.notRecorded, ShootSentences.pausedByDisk(refusalSentence), &effects)
    }

    package mutating func reportResumed(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, ShootSentences.continuedByCommand))
    }

    package mutating func reportRecorded(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, ShootSentences.ledgerWritable))
    }

    package mutating func noteReturn(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, ShootSentences.cameraConnected))
    }

    package mutating func noteReady(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, ShootSentences.cameraReady))
    }

    package mutating func adoptReadiness(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        camera = status
        wasSeenIdle = false
        if case .left(let departure) = interruption { interruption = .returned(from: departure) }
    }

    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        camera = status
        noteCount(&effects)
    }
}
