import Cameras
import Exposure
import Statecharts

// Frames whose shutter may have fired.

// Only the functions that the chart names; a test compares both lists.
extension ShootingModel {
    package mutating func reportDoubt(_ effects: inout [ShootingEffect]) {
        if !isPictureExpected() { shoot?.note(.unknown) }
        let advice = "The shutter may have fired. The camera is asked when it is connected again."
        note(isAway() ? .wifiSwitched : .linkLost, "\(interruptionSentence ?? "") \(advice)", &effects)
    }

    package mutating func noteUnclear(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.note(.unknown)
        // A file that arrived may be of the previous frame.
        if let frame = shoot?.current { pictures.discard(frame) }
        let message =
            "The shutter may have fired. The camera's report may belong to the previous frame. The camera is asked."
        note(.noPicture, message, &effects)
    }

    package mutating func recordDoubt(_ effects: inout [ShootingEffect]) {
        fail("The shoot was cancelled before the camera could be asked.")
    }

    package mutating func askWhetherFired(_ effects: inout [ShootingEffect]) {
        effects.append(.camera(.resolveCapture(shotsLeftBefore: shoot?.shotsLeftBefore)))
    }

    package mutating func fireAgain(_ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.unknown)
        let sign = isPictureExpected() ? "The camera no longer has its picture" : "No sign that the shutter fired"
        planAgain(sign, "the frame is fired again", &effects)
    }

    package mutating func replacePicture(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        guard resolution == .fired, !isPictureExpected() else { return fireAgain(&effects) }
        shoot?.resolveDoubt(.fired)
        planAgain("The shutter fired, but its picture was not received", "the frame is fired again", &effects)
    }

    package mutating func noteNotFired(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.notFired)
        planAgain("The shutter did not fire", "the frame is planned again", &effects)
    }

    package mutating func recordUnresolved(_ effects: inout [ShootingEffect]) {
        if hasEveryFrame() { return effects.append(staysSuspect("The shoot was cancelled")) }
        fail("The shoot was cancelled before it was certain that its picture is stored.")
    }
}
