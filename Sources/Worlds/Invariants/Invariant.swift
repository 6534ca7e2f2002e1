import Controller

/// The rules that hold at every step of every world, whatever goes wrong in it. `docs/simulation.md` lists them.
package enum Invariant: String, CaseIterable, Sendable {
    // The shutter.
    /// The shutter is released only when the speed that the body showed last, in this session, is the planned one.
    case confirmedBeforeShutter
    /// The shutter is released only for the frame that is being fired, and on the shoot's own camera.
    case firedOnlyWhenAsked
    /// Where the ledger is required: before the release, the disk shows that this frame is about to be fired.
    case recordedBeforeShutter
    /// A frame counts as captured, in the core and in the ledger, only if the body exposed it. The exposure has the
    /// planned speed, unless the speed changed between the body's last reading and the shutter.
    case capturedWasExposed
    /// A frame that was exposed only at another speed than the planned one is never verified.
    case verifiedIsRight
    /// A frame counts as captured, in the core and in the ledger, only if its picture is on the card. With transfer, a
    /// stored file counts too.
    case capturedIsKept
    /// A completed shoot has an exposure of every planned frame.
    case completedIsWhole
    /// A captured frame is fired again only if the user, or the doubt about its picture, asks for it.
    case capturedStaysFired
    /// A frame is exposed once, and at most once more for each time that its exposure was in doubt.
    case doubledOncePerDoubt
    /// Neither a pause nor a cancel interrupts an exposure: the shoot pauses after the shutter has closed, and the
    /// daemon keeps the link until then. A stop waits for it up to its time limit, unless it is requested twice.
    case exposureIsNeverCut
    /// A shoot accepts two busy answers in a row, retries after a pause, and ends at the third: no later, no sooner.
    case triedThriceWhenBusy
    // The charts.
    /// Each active state that has a timeout has it armed. Any other state waits only for the world.
    case waitingIsTimed
    /// A timer ends with its state.
    case timerEndsWithItsState
    /// Every chart is in a legal configuration: one active child in a compound state, all in a parallel state, and all
    /// ancestors of an active state are active.
    case configurationIsLegal
    // The ledger and the settings.
    /// After the end of a process the ledger has every acknowledged row, and no row that was never submitted. Opening
    /// it reads the same rows.
    case ledgerIsDurable
    /// Each setting that a shoot changed is restored, or as the user left it, or pending in the ledger.
    case settingsComeBack
    // The event loop.
    /// Every list and queue stays within its limit.
    case queuesAreBounded
    /// Each request is answered once and in time, each stream ends once, and no answer follows.
    case answeredOnce
    /// The core's next wake-up is never in the past, and its work at each instant ends.
    case timeAdvances
    /// After the end of the ordered stop no effect follows.
    case silentAfterTheEnd
    // The user.
    /// Every report has a sentence; a report of an early end or a pause says why.
    case endsAreExplained
    /// After an ordered stop the session is closed in order, no button is pressed and no request waits for an answer.
    case cameraClosedOrderly
    // The button.
    /// A press has one effect, at its end or after the tripod has settled. It must be long enough by the kernel's
    /// times, and begin outside a rest. A press without an effect then has none later.
    case pressMeansOnce
    /// A held button stops the shoot while it is still down. After that no frame is fired except the current one, and
    /// the shoot ends.
    case holdCancels
    // The whole run.
    /// When nothing goes wrong any more, and the user follows the daemon's sentences, a shoot is completed.
    case reachesEnd
    /// The ordered stop ends in time.
    case stopsInOrder
    /// Requests and answers pass through Varlink unchanged and fit the interface.
    case callsStayEqual
    /// Two runs of a seed are identical.
    case sameEachTime
}

/// A broken rule.
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
