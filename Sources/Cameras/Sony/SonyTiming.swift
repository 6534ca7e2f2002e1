import PTP

/// How long things take and how often they are asked for, with their sources. All of it in one place, so that tests and
/// unusual networks can change it.
package struct SonyTiming: Hashable, Sendable {
    /// Between attempts at 0x9202 while it comes back empty: 60 times 50 ms (pysonycam).
    package var extDeviceInfoPause: Duration = .milliseconds(50)
    /// How often 0x9202 is asked for.
    package var extDeviceInfoAttemptMax = 60
    /// A new speed shows after 100 to 800 ms, and is asked for every 100 ms (alpha-fairy).
    package var speedPoll: Duration = .milliseconds(100)
    /// So long after a body was told to take another speed it may still show the one from before.
    package var speedMove: Duration = .seconds(1)
    /// A property that does not show its new value after this long is written again: alpha-fairy gives up after 800 ms.
    package var propertyAgain: Duration = .milliseconds(800)
    /// When a property that does not show its new value is given up; also for one notch of a version 2 body, which
    /// takes up to 0.7 s (libgphoto2 waits 3 s).
    package var propertyGiveUp: Duration = .seconds(3)
    /// For the setting of one property altogether: a sensitivity by thirty notches of 0.7 s and their readings.
    package var propertyWalk: Duration = .seconds(60)
    /// While the shutter is open; also keeps the session alive.
    package var exposurePoll: Duration = .seconds(2)
    /// For the picture, once the shutter must be closed and events come.
    package var picturePoll: Duration = .seconds(1)
    /// For the picture, from a body that sends no events: before 2019 they are not reliable (PTP 3 p.37).
    package var picturePollWithoutEvents: Duration = .milliseconds(250)
    /// While files wait in the buffer or are being made.
    package var bufferPoll: Duration = .milliseconds(200)
    /// Between readings that property events ask for: each setting brings several (VIEW waits 800 ms for quiet).
    package var eventPause: Duration = .milliseconds(100)
    /// The same while a new speed is waited for: every reading may be the one that shows it.
    package var speedEventPause: Duration = .milliseconds(20)
    /// The same while nothing is going on.
    package var idleEventPause: Duration = .milliseconds(500)

    /// For a way in steps, on top of what its notches take: a jump and two notches without effect are 9 s of it.
    package var stepping: Duration = .seconds(20)
    /// A single notch of a body that takes no jumps: 30″ to 1/4000 took an A6400 40 s that way (libgphoto2#527).
    package var singleNotch: Duration = .milliseconds(750)
    /// Until a step without effect is believed to have none (libgphoto2 waits 3 s).
    package var stepMove: Duration = .seconds(3)
    /// So long the end of a range that a body was seen to stop at is believed.
    package var stepEnd: Duration = .seconds(60)
    /// A speed that is not where the step was to lead, and stays so for so long, is where the step ended: two polls.
    package var stepSettle: Duration = .milliseconds(400)

    /// For focus (libgphoto2, rocc).
    package var focus: Duration = .seconds(1)
    /// Between readings while the body focuses.
    package var focusPoll: Duration = .milliseconds(100)
    /// The shutter button is held this long: 50 ms made an SLT-A58 miss shots, 100 to 250 ms are in use
    /// (libgphoto2#88).
    package var hold: Duration = .milliseconds(200)
    /// Between attempts to release a button.
    package var releasePause: Duration = .milliseconds(200)
    /// How long a body may refuse to be read before the session counts as broken.
    package var failingReadings: Duration = .seconds(20)
    /// How old a reading may be that lets the shutter go, if nothing happened since.
    package var freshness: Duration = .milliseconds(200)
    /// How old the last reading may be as the shutter is pressed: it is from before the half press, whose answer may
    /// take its time.
    package var pressFreshness: Duration = .seconds(1)
    /// How long a body may keep its speed from being set before that is taken for its answer.
    package var lockedSpeed: Duration = .seconds(2)
    /// How long a body may stay busy before the shutter or a setting, without any file leaving its buffer.
    package var gate: Duration = .seconds(10)
    /// How long a picture may wait for room on our disk before a command that it holds up is ended.
    package var room: Duration = .seconds(5)
    /// From a captured picture until its file shows in the buffer: 2.5 to 4.5 s by model (VIEW).
    package var fileGrace: Duration = .seconds(5)
    /// After the body's last possible work on a frame, until its picture is given up.
    package var noPicture: Duration = .seconds(12)
    /// The same when focus was not found.
    package var noPictureAfterFocusFailure: Duration = .seconds(6)
    /// Until the last picture of a full buffer is on a slow card.
    package var written: Duration = .seconds(120)
    /// After the body's last possible work on a frame, until "nothing was fired" is believed.
    package var doubt: Duration = .seconds(3)

    /// Between two words about a transfer that goes on.
    package var savingReport: Duration = .seconds(2)

    /// The values that the sources support.
    package init() {}
}

/// Bounds.
enum SonyLimits {
    /// 3.5 kB on an RX100 VII; newer bodies list a few hundred properties.
    static let datasetMax = 256 << 10
    /// Failures to fetch one file before its pace is slowed down, and before one that breaks off is not kept.
    static let failedFetchesMax = 20
    /// Sessions in a row that a file ends without a byte more of it, until it is not kept. A picture may be nowhere
    /// else, and a bad link does the same.
    static let lostFetchesMax = 4
    /// Frames in a row without a file, until a body that has handed files over is believed to do so no more.
    static let framesWithoutFileMax = 3
    /// Files that are recognised when they come again.
    static let knownFilesMax = 8
    /// Status questions that may wait for one reading.
    static let statusTicketsMax = 16
    /// Remarks about readings that are told in one session.
    static let remarksMax = 16
    /// Notches on the way to a value: more than the scale of any property has.
    static let notchesMax = 100
}
