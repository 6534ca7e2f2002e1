import Controller

/// The rules that hold at every step of every world, whatever goes wrong. `docs/simulation.md` lists the rules.
package enum Invariant: String, CaseIterable, Sendable {
    // The shutter.
    /// The shutter is released only if the last speed that the body showed in this session is the planned speed.
    case confirmedBeforeShutter
    /// The shutter is released only for the frame that is being fired, and on the shoot's own camera.
    case firedOnlyWhenAsked
    /// If the ledger is required, the disk shows before the release that this frame is about to be fired.
    case recordedBeforeShutter
    /// The core and the ledger count a frame as captured only if the body exposed it at the planned speed. Another
    /// speed is allowed if the speed changed after the daemon last read the speed.
    case capturedWasExposed
    /// A frame is never verified if all of its exposures had another speed than the planned one.
    case verifiedIsRight
    /// The core and the ledger count a frame as captured only if its picture is on the card. With transfer, a file on
    /// the computer's disk counts too.
    case capturedIsKept
    /// A completed shoot has at least one exposure of every planned frame.
    case completedIsWhole
    /// A captured frame is fired again only if the user requests that, or if its picture is suspect.
    case capturedStaysFired
    /// A frame is exposed once, and at most once more for each doubt about its exposure.
    case doubledOncePerDoubt
    /// No pause and no cancel interrupts an exposure: the shoot pauses after the shutter has closed. The daemon keeps
    /// the link until then. A stop waits for the exposure up to a time limit; a second stop request ends the wait.
    case exposureIsNeverCut
    /// After each of two busy answers in a row, a shoot waits and tries again. The third busy answer ends the shoot.
    case triedThriceWhenBusy
    /// A bracket that found its own range covers the light of its scene, unless its report names what it lacks.
    case foundRangeIsWhole
    // The charts.
    /// Every active state with a timeout has an armed timer. A state without a timeout waits only for the world.
    case waitingIsTimed
    /// A timer ends when the chart leaves the timer's state.
    case timerEndsWithItsState
    /// The configuration of every chart is legal. A compound state has one active child, and in a parallel state all
    /// children are active. All ancestors of an active state are active.
    case configurationIsLegal
    // The ledger and the settings.
    /// After the end of a process the ledger has every acknowledged row, and no row that was never submitted. When the
    /// ledger opens, the daemon reads the same rows.
    case ledgerIsDurable
    /// If the ledger is required, the disk has the camera's speed before a press of the button changes this speed.
    case recordedBeforeChange
    /// Each setting that a shoot changed is restored, has a value from the user, or has a pending restore in the
    /// ledger.
    case settingsComeBack
    // The event loop.
    /// Every list and queue stays within its limit.
    case queuesAreBounded
    /// Each request is answered once and in time, and each stream ends once. No answer follows the last one.
    case answeredOnce
    /// The core's next deadline is never in the past, and the core's work at each instant ends.
    case timeAdvances
    /// The daemon has no effect after the end of the ordered stop.
    case silentAfterTheEnd
    // The user.
    /// Every report has a sentence. The report of an early end or of a pause gives the reason.
    case endsAreExplained
    /// After an ordered stop the session is closed in order, the shutter button is released, and no request waits.
    case cameraClosedOrderly
    // The button.
    /// A press has one effect, at its end or after the settle time of the tripod. The press must be long enough by the
    /// kernel's times, and begin outside a rest. A press without an effect at that time has no effect later.
    case pressMeansOnce
    /// A hold stops the shoot while the button is still down. The daemon then fires at most the current frame, and the
    /// shoot ends.
    case holdCancels
    // The whole run.
    /// When all faults have ended and the user follows the daemon's sentences, a shoot is completed.
    case reachesEnd
    /// The ordered stop ends within its time limit.
    case stopsInOrder
    /// Requests and answers pass through Varlink unchanged and match the interface.
    case callsStayEqual
    /// Two runs of a seed are identical.
    case sameEachTime
}

/// A broken rule.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package var name: Invariant
    /// The time of the violation, by the world's clock.
    package var at: Duration
    package var sentence: String

    package init(_ name: Invariant, at time: Duration, _ sentence: String) {
        self.name = name
        at = time
        self.sentence = sentence
    }

    package var description: String { "\(name.rawValue) at \(at): \(sentence)" }
}
