import Cameras
import Exposure
import Statecharts

// The steps of a frame, from the command for its speed until the camera is idle.

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel {
    package mutating func selectNextFrame(_ effects: inout [ShootingEffect]) {
        take { $0.takeNext() }
        if shoot?.isArmed == true { noteCount(&effects) } else { shoot?.note(.planned) }
    }

    package mutating func requestChoice(_ effects: inout [ShootingEffect]) { effects.append(.chooseFrame) }

    package mutating func addFrame(_ frame: ChosenFrame, _ effects: inout [ShootingEffect]) {
        shoot?.addFrame(frame.speed)
        effects.append(entry(.info, .note, ShootSentences.nextFrame(frame.speed)))
    }

    package mutating func noteRange(_ range: FoundRange, _ effects: inout [ShootingEffect]) {
        shoot?.range = range
        for warning in range.warnings { effects.append(entry(.warning, .note, warning.sentence)) }
    }

    package mutating func recordUnknownRange(_ reason: String, _ effects: inout [ShootingEffect]) {
        fail(reason)
    }

    package mutating func selectRedo(_ effects: inout [ShootingEffect]) {
        // The frame that was recorded ahead comes later. Its record must not say that this exposure may be its own.
        shoot?.disarm()
        if shoot?.isWantedAgain == true {
            take { $0.selectRequested() }
            effects.append(entry(.notice, .note, ShootSentences.firedAgainByRequest))
        } else {
            take { $0.takeSuspect() }
            effects.append(entry(.notice, .note, ShootSentences.suspectFiredAgain))
        }
        if let frame = shoot?.current { pictures.discard(frame) }
    }

    package mutating func selectInDoubt(_ effects: inout [ShootingEffect]) {
        shoot?.takeNext()
        shoot?.noteDoubt(.interrupted)
        tries.note(nil)
    }

    package mutating func requestSpeed(_ effects: inout [ShootingEffect]) {
        // The frame's row must be on disk before the shutter is released. The speed can be set before that.
        if wasSeenIdle, shoot?.isArmed == false { arm(&effects) }
        effects.append(.camera(.setSpeed(speed)))
    }

    package mutating func requestReading(_ effects: inout [ShootingEffect]) {
        // A body accepts a speed only when its buffer is empty. Until then the buffer may hold a picture of an earlier
        // frame. The frame's row is recorded only now, so that no later run counts that picture for this frame.
        if shoot?.isArmed == false { arm(&effects) }
        effects.append(.camera(.readSpeed))
    }

    package mutating func noteReading(_ reading: SpeedReading, _ effects: inout [ShootingEffect]) {
        tries.note(reading)
    }

    package mutating func releaseShutter(_ effects: inout [ShootingEffect]) {
        shoot?.note(.attempting)
        shots.release(saying: camera?.shotsLeft)
        wasSeenIdle = false
        tries.confirm(speed)
        if let frame = shoot?.current { pictures.expect(frame, kinds: camera?.fileKinds) }
        effects.append(.camera(.capture(speed)))
    }

    package mutating func noteRelease(_ effects: inout [ShootingEffect]) {
        shoot?.note(.exposing)
        effects.append(entry(.debug, .note, ShootSentences.shutterAccepted))
    }

    package mutating func recordCaptured(_ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.fired)
        let isExpected = isOnlyCopyHere || isPictureExpected()
        shoot?.note(isExpected ? .exposed : .captured)
        // Only the next frame depends on this row. Its durable commit is this one, or includes this one.
        record(isDurable: armNext(), &effects)
        effects.append(entry(.debug, .note, ShootSentences.pictureReported))
    }

    package mutating func requestIdle(_ effects: inout [ShootingEffect]) {
        effects.append(.camera(.awaitIdle))
    }

    package mutating func noteSaving(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.debug, .note, ShootSentences.cameraSaves))
    }

    package mutating func finishFrame(_ effects: inout [ShootingEffect]) {
        tries.beginFrame()
        wasSeenIdle = true
    }

    package mutating func countBusy(_ effects: inout [ShootingEffect]) {
        tries.countBusy()
        shoot?.note(.planned)
        effects.append(entry(.info, .note, ShootSentences.busy(askingIn: busyDelay())))
    }

    package mutating func countSetting(_ effects: inout [ShootingEffect]) {
        tries.countSetting()
        shoot?.note(.planned)
        let attempt = tries.settingCount + 1
        let message = ShootSentences.speedSetAgain(wrongSpeed, attempt: attempt, of: Self.settingAttemptsMax)
        effects.append(entry(.warning, .note, message))
    }

    package mutating func recordBusy(_ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        fail(ShootSentences.busyTooOften(Self.busyAttemptsMax))
    }

    package mutating func recordWrongSpeed(_ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        fail(ShootSentences.speedNotKept(wrongSpeed, times: Self.settingAttemptsMax))
    }

    package mutating func recordFailure(_ failure: CameraFailure, _ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        fail(isCardFull ? CameraFailure.storageFull.sentence : failure.sentence)
    }

    package mutating func recordTimeout(_ effects: inout [ShootingEffect]) {
        guard let attempt = shoot?.attempt else { preconditionFailure("no frame is in work") }
        // The shutter may have fired, even if the camera did not report that it accepted the command.
        if attempt == .attempting { shoot?.note(.unknown) }
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        if !attempt.isCaptured, !isPictureExpected(), isCardFull { return fail(CameraFailure.storageFull.sentence) }
        switch attempt {
        case .captured, .verified, .suspect, .exposed, .lost:
            fail(ShootSentences.notIdle(within: idleLimit()))
        case .attempting, .exposing, .unknown, .failed:
            fail(ShootSentences.noPicture(within: captureDeadline()))
        case .planned, .preparing:
            fail(ShootSentences.speedNotAnswered)
        }
    }
}
