import Cameras
import Exposure
import Statecharts

// Functions for several actions of the shooting chart.

extension ShootingModel {
    /// Whether the earlier run's shoot has frames that are still to be fired.
    package func isAnythingMissing(_ recovery: Recovery) -> Bool {
        guard let shoot = recovery.shoot else { return false }
        return !shoot.isDone || shoot.isWantedAgain || firesSuspectsAgain && shoot.isSuspectLeft
    }

    func isRedoWanted(of shoot: Shoot) -> Bool {
        shoot.isWantedAgain || firesSuspectsAgain && shoot.isAtSetEnd && shoot.isSuspectLeft
    }

    /// Counts a frame without a picture as captured once all its files are stored.
    mutating func settle(_ frame: Int) {
        // Without a status, the number of files of a picture is not known.
        guard camera != nil, pictures.state(of: frame, kinds: camera?.fileKinds) == .stored else { return }
        let isOnlyCopy = isOnlyCopyHere
        shoot?.settle(frame, isOnlyCopy: isOnlyCopy)
    }

    mutating func lose(_ reason: String, _ effects: inout [ShootingEffect]) {
        guard let shoot, let frame = shoot.frame else { preconditionFailure("no frame is in work") }
        let sentence = shoot.isAgain ? frame.secondLossSentence(reason) : frame.lossSentence(reason)
        self.shoot?.note(.lost(reason))
        record(isDurable: false, &effects)
        effects.append(entry(shoot.isAgain ? .warning : .error, .note, sentence))
    }

    var isCardFull: Bool { camera?.shotsLeft == 0 }

    /// Selects a frame, and counts its tries from 0.
    mutating func take(_ turn: (inout Shoot) -> Void) {
        guard var shoot else { preconditionFailure("no shoot") }
        turn(&shoot)
        if shoot.current != self.shoot?.current { tries.beginFrame() }
        self.shoot = shoot
        tries.note(nil)
    }

    mutating func arm(_ effects: inout [ShootingEffect]) {
        let shotsLeft = shots.certain(saying: camera?.shotsLeft)
        shoot?.arm(shotsLeft: shotsLeft)
        record(isDurable: true, &effects)
    }

    /// Records the next frame ahead, if setting its speed takes no time: otherwise its shutter would wait for the sync.
    /// The sync runs while the body processes the picture of the current frame.
    ///
    /// With transfer, that picture may still be in the body's buffer. A later run could count it for the next frame, so
    /// the next frame is then recorded only when the body is idle.
    ///
    /// - Returns: whether the row of the next frame must be synced now.
    mutating func armNext() -> Bool {
        guard !keepsPictures else { return false }
        let shotsLeft = shots.certain(saying: camera?.shotsLeft)
        return shoot?.armNextAtSameSpeed(shotsLeft: shotsLeft) ?? false
    }

    /// Notes the shot counter before the armed frame, once it is certain. The counter may lag behind the pictures, so
    /// the frame's row is written again, without a sync. If a crash loses the count, at most one frame is fired twice.
    mutating func noteCount(_ effects: inout [ShootingEffect]) {
        guard shoot?.isArmed == true, shoot?.shotsLeftBefore == nil,
            let shotsLeft = shots.certain(saying: camera?.shotsLeft)
        else { return }
        shoot?.noteShotsLeft(shotsLeft)
        effects.append(.record(mark: marks.last, isDurable: false))
    }

    /// Plans the frame in doubt again. A frame that already has a picture stays suspect: it is fired again only once.
    mutating func planAgain(_ finding: DoubtFinding, _ effects: inout [ShootingEffect]) {
        shots.doubt()
        if shoot?.isAgain == true, shoot?.isWantedAgain == false { return effects.append(staysSuspect(finding)) }
        shoot?.note(.planned)
        effects.append(entry(.warning, .note, ShootSentences.plannedAgain(finding)))
    }

    func staysSuspect(_ finding: DoubtFinding) -> ShootingEffect {
        entry(.warning, .note, ShootSentences.staysSuspect(finding))
    }

    mutating func record(isDurable: Bool, _ effects: inout [ShootingEffect]) {
        effects.append(.record(mark: marks.next(), isDurable: isDurable))
    }

    var wrongSpeed: String { tries.mismatch(speed) }

    func end(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind) -> ShootingEffect {
        guard let shoot else { preconditionFailure("a shoot ends") }
        guard let remark = shoot.remark else { return entry(level, kind, shoot.sentence) }
        return entry(level, kind, "\(shoot.fullSentence) \(remark)")
    }

    mutating func pause(
        _ reason: Incident.Reason,
        level: JournalEntry.Level = .warning,
        _ message: String,
        _ effects: inout [ShootingEffect]
    ) {
        shoot?.note(.paused, reason)
        effects.append(entry(level, .shootPaused, message, reason: reason.rawValue))
    }

    mutating func note(_ doubt: Incident.Reason, _ message: String, _ effects: inout [ShootingEffect]) {
        shoot?.noteDoubt(doubt)
        record(isDurable: false, &effects)
        effects.append(entry(.warning, .shutterInDoubt, message, reason: doubt.rawValue))
    }
}
