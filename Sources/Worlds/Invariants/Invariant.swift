import Controller

/// What must hold at every step of every world, whatever goes wrong in it. The doc comments are the table in
/// `docs/simulation.md`.
package enum Invariant: String, CaseIterable, Sendable {
    // The shutter.
    /// The shutter is released only when the speed that the body showed last, in this session, is the planned one.
    case confirmedBeforeShutter
    /// The shutter is released only for a frame in work, and on the shoot's own camera.
    case firedOnlyWhenAsked
    /// Where the ledger is required: before the shutter is released it is on disk that this frame is about to be fired.
    case recordedBeforeShutter
    /// A frame counts as captured, in the core and in the ledger, only when the body exposed it: at the planned speed,
    /// unless the speed changed between the body's last reading and the shutter.
    case capturedWasExposed
    /// A frame that was exposed at another speed than the planned one only is never called verified.
    case verifiedIsRight
    /// A frame counts as captured, in the core and in the ledger, only when its picture is on the card, or a file of it
    /// is stored here, where pictures are taken over.
    case capturedIsKept
    /// A completed shoot has an exposure of every planned frame.
    case completedIsWhole
    /// A captured frame is fired again only when a person, or the doubt about its picture, asks for it.
    case capturedStaysFired
    /// A frame is exposed once, and once more at the most for each time that it was unknown whether it was.
    case doubledOncePerDoubt
    /// Neither a pause nor a cancel touches an exposure: the shoot rests when the shutter is closed, and the link
    /// stands until then, as far as it is the daemon's doing. A stop waits for it as long as it may take, unless it is
    /// asked for twice.
    case exposureIsNeverCut
    /// A shoot accepts two busy answers in a row, asks again after a while, and ends at the third: no later, no sooner.
    case triedThriceWhenBusy
    // The charts.
    /// Each active state that has a timeout has it armed, and no other state waits for anything but the world.
    case waitingIsTimed
    /// A timeout ends with the state that it is of.
    case timerEndsWithItsState
    /// Every chart is in a legal configuration: of a compound state one child is active, of a parallel state all are,
    /// and around an active state so is every other.
    case configurationIsLegal
    // The record.
    /// After the end of a process the ledger has every row that was acknowledged, and none that was never handed over;
    /// what is read when it is opened is the same.
    case ledgerKeepsItsWord
    /// What a shoot changed on the camera is as it was, or as a person left it, or is known to be put back yet.
    case settingsComeBack
    // The loop.
    /// Every list and queue stays within its bound.
    case queuesAreBounded
    /// Each request is answered once and in its time, each stream ends once, and no answer follows.
    case answeredOnce
    /// The time that the core wants to be woken at has not passed, and it comes to rest at each instant.
    case timeGoesOn
    /// After the end of the ordered stop nothing more is done.
    case silentAfterTheEnd
    // The person.
    /// There is always one sentence; a report that a shoot ended early or pauses says why.
    case endsAreExplained
    /// After an ordered stop the session is closed in order, no button is held and no request waits for an answer.
    case cameraLeftInOrder
    // The button.
    /// A press means something once, at its end or when the tripod has come to rest after it, if the kernel's times say
    /// that it was long enough and it began when nothing rested; what means nothing then means nothing later.
    case pressMeansOnce
    /// A button that is held stops the shoot while it is still down: no other frame than the one that is being taken is
    /// fired after that, and the shoot comes to an end.
    case holdCancels
    // The whole run.
    /// Once nothing goes wrong any more, and a person does what the daemon's sentences ask for, a shoot is completed.
    case comesToItsEnd
    /// The ordered stop ends in its time.
    case stopsInOrder
    /// What a client asks for and what it is answered comes through Varlink unchanged and fits the interface.
    case callsPassUnchanged
    /// Two runs of a seed do the same.
    case sameEachTime
}

/// Where an invariant did not hold.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package var name: Invariant
    /// By the world's clock.
    package var at: Duration
    package var sentence: String

    package init(_ name: Invariant, at time: Duration, _ sentence: String) {
        self.name = name
        at = time
        self.sentence = sentence
    }

    package var description: String { "\(name.rawValue) at \(at): \(sentence)" }
}
