/// Durations, intervals and their sources. Tests and unusual networks can change them.
package struct SonyHTTPTiming: Hashable, Sendable {
    /// The time limit for a call. A call can wait for another one for 15 s before the body rejects it (Smart Remote).
    package var call: Duration = .seconds(20)
    /// The time limit for the first call. A host without a camera must not delay the search.
    package var firstCall: Duration = .seconds(5)
    /// The time limit for the description of the body.
    package var description: Duration = .seconds(3)
    /// The time limit for a long poll. Bodies hold it for 15 s or 60 s (Smart Remote 2 and 4).
    package var poll: Duration = .seconds(75)
    /// The time limit for a shutter call and for the wait for its picture, after the longest exposure. A body answers
    /// when the picture is complete. During a long exposure it answers 40403 earlier, after 15 s (Smart Remote) or
    /// "several tens of seconds" (API Reference).
    /// The limit must be longer than the 15 s.
    package var picture: Duration = .seconds(20)
    /// The time limit for a call about the files on the card. The flat view gets very slow on full cards.
    package var list: Duration = .seconds(60)
    /// The time limit for the calls that switch live view on and off.
    package var liveView: Duration = .seconds(5)
    /// The time limit for `startRecMode`, which takes up to 20 s (Smart Remote).
    package var recMode: Duration = .seconds(30)
    /// How long the set-up waits until the body can shoot, after `startRecMode` or a change of its function.
    package var ready: Duration = .seconds(20)
    /// The pause before a call is repeated that the body was not ready for (40401 right after the connection).
    package var again: Duration = .milliseconds(250)
    /// The pause before another poll, if another client polls too. The body gives it up to 5 s to end.
    package var displacedPoll: Duration = .seconds(5)
    /// The shortest time between the beginnings of two polls that brought no news.
    package var emptyPoll: Duration = .milliseconds(500)

    /// How long a written value can take to appear in the poll before the driver reads it.
    package var confirm: Duration = .milliseconds(150)
    /// The time after which a value is written again if the body does not show it.
    package var writeAgain: Duration = .seconds(1)
    /// How long a body can be busy before a command ends with `busy`.
    package var gate: Duration = .seconds(10)
    /// The longest time from a capture command to its result, apart from the exposure. The body can be busy for 10 s.
    /// Then follow four searches for the focus, or a shutter call of 20 s and the judgement of its answer.
    package var capture: Duration = .seconds(45)
    /// How long a setter can be missing before the value counts as not writable.
    package var locked: Duration = .seconds(2)
    /// The greatest age of a request whose answer still shows the speed before the shutter is released.
    package var readingAge: Duration = .seconds(2)
    /// The greatest age of a report that still shows the present state.
    package var freshness: Duration = .milliseconds(200)
    /// The pause between two reads of a state that the driver waits for, besides the poll.
    package var read: Duration = .milliseconds(500)

    /// How long the driver waits for the focus of a half press. Autofocus takes about 350 ms (an ILCE-6600).
    package var focus: Duration = .milliseconds(350)
    /// How long a body that reports its focus can search for it.
    package var focusSearch: Duration = .seconds(5)
    /// The time from the latest end of an exposure until the driver stops waiting for its picture.
    package var noPicture: Duration = .seconds(30)
    /// How long a body can stay busy after a captured frame. One client allows 25 s for the saving of a burst.
    package var writing: Duration = .seconds(30)
    /// The time from the end of a frame until its missing signs prove that nothing was exposed.
    package var doubt: Duration = .seconds(3)
    /// The interval of `.saving` reports while the body is busy.
    package var savingReport: Duration = .seconds(2)

    /// The time limit for a picture.
    package var transfer: Duration = .seconds(60)
    /// The pause before a failed transfer begins again.
    package var transferAgain: Duration = .milliseconds(500)
    /// The time limit for the end of the session.
    package var close: Duration = .seconds(2)

    /// Uses values that the sources support.
    package init() {}
}

/// Limits of the driver.
enum SonyHTTPLimits {
    /// How often a value is written before the command fails: once, and three times again.
    static let writesMax = 4
    /// How often a body can be unable to report its state, in a row. At the usual pause this takes about 10 s.
    static let failedStatesMax = 40
    /// How often the shutter is called again after 40400. Each call is after another half press.
    static let pressesMax = 4
    /// How often all places of the description are tried, if a port both refuses and answers.
    static let descriptionTriesMax = 8
    /// How often a poll can fail in a row before the session is lost.
    static let failedPollsMax = 3
    /// How many pictures can wait for their transfer.
    static let picturesMax = 200
    /// How often the transfer of a picture can fail.
    static let failedTransfersMax = 3
    /// The greatest size of a picture in bytes.
    static let pictureBytesMax = 128 << 20
    /// How many different remarks about events are reported in a session.
    static let remarksMax = 16
    /// How many bodies the driver remembers.
    static let bodiesMax = 16
    /// The most names in a list of a body.
    static let namesMax = 512
    /// How often the driver writes the post-view size.
    static let postviewTriesMax = 3
    /// How often the driver tries to end the half press.
    static let releasesMax = 3
    /// The longest URL of a picture in bytes.
    static let urlLengthMax = 1024
    /// How many URLs of earlier pictures the driver remembers of a body.
    static let lastURLsMax = 8
    /// The longest name or text of a body in bytes.
    static let textLengthMax = 256
}
