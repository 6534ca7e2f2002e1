@testable import Controller

extension Examples {
    /// What is reported of the button.
    static let button: [String] = [
        ButtonSentences.edge(isPressed: true, at: .milliseconds(81_200)),
        ButtonSentences.edge(isPressed: false, at: .milliseconds(81_350)),
        ButtonSentences.tooShort(.milliseconds(4)),
        ButtonSentences.heldAgain,
        ButtonSentences.lineLost,
        ButtonSentences.daemonStops,
        ButtonSentences.pressDoesNothing,
        ButtonSentences.holdDoesNothing,
        ButtonSentences.shootChanged(since: .retry),
        ButtonSentences.meaningChanged(from: .fire, to: .pause),
        ButtonSentences.meaningChanged(from: .goOn, to: .resume),
        ButtonSentences.meaningChanged(from: .pause, to: .nothing),
        ButtonSentences.hasNoEffect(isHold: false, ShootSentences.alreadyStops),
        ButtonSentences.hasNoEffect(isHold: true, nil),
        ButtonSentences.firesMissingFrames(of: ShootFixture.partial),
    ]
}
