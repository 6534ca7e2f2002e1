import Cameras
import Exposure
import Statecharts

// The handling of frames whose shutter may have fired.

/// The finding that decides about a frame whose shutter may have fired.
enum DoubtFinding {
    /// The body no longer has the picture.
    case pictureGone
    case pictureNotReceived
    /// The body reports nothing from which to decide whether the shutter fired.
    case noSign
    case notFired
    /// The user cancelled the shoot.
    case cancelled
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel {
    package mutating func reportDoubt(_ effects: inout [ShootingEffect]) {
        if !isPictureExpected() { shoot?.note(.unknown) }
        let message = ShootSentences.inDoubt(interruptionSentence)
        note(isAway() ? .wifiSwitched : .linkLost, message, &effects)
    }

    package mutating func noteUnclear(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.note(.unknown)
        // A file that has arrived may belong to the previous frame.
        if let frame = shoot?.current { pictures.discard(frame) }
        note(.noPicture, ShootSentences.reportUnclear, &effects)
    }

    package mutating func recordDoubt(_ effects: inout [ShootingEffect]) {
        fail(ShootSentences.cancelledBeforeAsking)
    }

    package mutating func askWhetherFired(_ effects: inout [ShootingEffect]) {
        effects.append(.camera(.resolveCapture(shotsLeftBefore: shoot?.shotsLeftBefore)))
    }

    package mutating func fireAgain(_ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.unknown)
        planAgain(isPictureExpected() ? .pictureGone : .noSign, &effects)
    }

    package mutating func replacePicture(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        guard resolution == .fired, !isPictureExpected() else { return fireAgain(&effects) }
        shoot?.resolveDoubt(.fired)
        planAgain(.pictureNotReceived, &effects)
    }

    package mutating func noteNotFired(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.notFired)
        planAgain(.notFired, &effects)
    }

    package mutating func recordUnresolved(_ effects: inout [ShootingEffect]) {
        if hasEveryFrame() { return effects.append(staysSuspect(.cancelled)) }
        fail(ShootSentences.cancelledBeforeStored)
    }
}
