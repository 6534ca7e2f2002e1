import Cameras
import Controller

// The button on the tripod.

extension Invariants {
    /// Checks the button after an input. `wasActive`: whether a shoot was running before the input.
    mutating func checkButton(
        _ input: Input,
        _ performed: ArraySlice<Effect>,
        _ core: Core,
        wasActive: Bool,
        at now: Duration
    ) {
        // If the daemon was killed during an input, the daemon receives no later input.
        if let meaning = unheard { checkUnhandled(meaning, at: now) }
        checkMeanings(button.take(input, isShootActive: core.isShootActive, at: now), performed, at: now)
        checkPress(input, performed, core, wasActive: wasActive, at: now)
        if !core.isShootActive { hold = nil }
        if let end = hold?.end, now > end {
            note(.holdCancels, at: now, "The button was held, but the shoot has not ended since.")
            hold = nil
        }
        // A daemon that is stopping ignores the button, because the user can resume the shoot later.
        if input == .message(.buttonHeld), wasActive, core.isShootActive, stop == .none, hold == nil {
            let last = shutters.last
            let frame = core.isCapturing ? FrameKey(shoot: last.shoot, index: last.frame) : nil
            hold = (now + Self.holdTimeMax, frame)
        }
    }

    /// Checks the effect of a press against the state when the press began. A press during a shoot starts no new
    /// shoot. A press without a shoot does not pause a shoot that a client started afterwards.
    private mutating func checkPress(
        _ input: Input,
        _ performed: ArraySlice<Effect>,
        _ core: Core,
        wasActive: Bool,
        at now: Duration
    ) {
        guard case .message(.buttonPressed) = input else { return }
        if !wasActive { checkChange(core, at: now) }
        if button.isPressOfShoot, !wasActive, core.isShootActive {
            note(.pressMeansOnce, at: now, "The button was pressed during a shoot, but fires another one now.")
        }
        if !button.isPressOfShoot, wasActive, performed.contains(where: \.isPauseOrResume) {
            note(.pressMeansOnce, at: now, "The button was pressed before the start of the shoot that it pauses now.")
        }
    }

    /// Checks that a press changes the camera's speed only after the disk has the speed from before.
    private mutating func checkChange(_ core: Core, at now: Duration) {
        guard mode == .required, core.isSettingSpeed, let camera = core.shoot?.camera.id else { return }
        let key = SettingKey(cameraID: camera, property: CameraProperty.shutterSpeed.rawValue)
        guard core.isPending(key), !ledger.isRowDurable(key) else { return }
        note(.recordedBeforeChange, at: now, "A press changes the speed of \(camera), which is not on disk.")
    }

    /// Checks that the daemon reacts to each meaning of the button's edges at once and only once.
    private mutating func checkMeanings(
        _ meanings: [ExpectedButton.Meaning],
        _ performed: ArraySlice<Effect>,
        at now: Duration
    ) {
        var left = meanings
        for case .enqueue(let message) in performed {
            guard let meaning = ExpectedButton.Meaning(message) else { continue }
            if meaning == .hold, !button.isHeldLongEnough(at: now) {
                note(.holdCancels, at: now, "The button counts as held, but was not down for the hold time.")
            }
            if let index = left.firstIndex(of: meaning) {
                left.remove(at: index)
            } else if meaning == .press {
                note(.pressMeansOnce, at: now, "The button counts as pressed, but was not, or had no effect.")
            } else {
                note(.holdCancels, at: now, "The button counts as held, but was not.")
            }
        }
        unheard = left.first
    }

    private mutating func checkUnhandled(_ meaning: ExpectedButton.Meaning, at now: Duration) {
        unheard = nil
        switch meaning {
        case .press: note(.pressMeansOnce, at: now, "The button was pressed without an effect.")
        case .hold: note(.holdCancels, at: now, "The button was held without an effect.")
        }
    }

    /// The maximum time from a hold to the end of the frame. It covers all time limits of the body twice, because a
    /// body can report that it is saving.
    private static let holdTimeMax = Duration.seconds(180)
}

extension ExpectedButton.Meaning {
    fileprivate init?(_ message: Message) {
        switch message {
        case .buttonPressed: self = .press
        case .buttonHeld: self = .hold
        default: return nil
        }
    }
}

extension Effect {
    /// Whether the shooting chart reports an accepted pause, or the end of a pause.
    fileprivate var isPauseOrResume: Bool {
        guard case .journal(let entry) = self, entry.kind == .transition else { return false }
        let events = ["pause", "resume"].map { JournalEntry.Field("EVENT", $0) }
        return entry.fields.contains(JournalEntry.Field("CHART", "shooting"))
            && events.contains(where: entry.fields.contains)
    }
}
