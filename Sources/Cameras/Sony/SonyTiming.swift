import PTP

/// Durations and intervals, with their sources. All are here, so that tests and unusual networks can change them.
package struct SonyTiming: Hashable, Sendable {
    /// Between attempts at 0x9202 while it returns nothing: 60 times 50 ms (pysonycam).
    package var extDeviceInfoPause: Duration = .milliseconds(50)
    /// How often 0x9202 is requested.
    package var extDeviceInfoAttemptMax = 60
    /// A new speed shows after 100 to 800 ms; it is polled every 100 ms (alpha-fairy).
    package var speedPoll: Duration = .milliseconds(100)
    /// For this time after a body was ordered to take another speed, it may still show the previous one.
    package var speedMove: Duration = .seconds(1)
    /// A property that does not show its new value after this time is written again: alpha-fairy ends after 800 ms.
    package var propertyAgain: Duration = .milliseconds(800)
    /// The time limit until a property shows its new value; also for one notch of a version 2 body, which takes up to
    /// 0.7 s (libgphoto2 waits 3 s).
    package var propertyGiveUp: Duration = .seconds(3)
    /// The time limit for one property in total: an ISO change by thirty notches of 0.7 s and their readings.
    package var propertySteppingLimit: Duration = .seconds(60)
    /// While the shutter is open; also keeps the session alive.
    package var exposurePoll: Duration = .seconds(2)
    /// For the picture, when the shutter must be closed and the body sends events.
    package var picturePoll: Duration = .seconds(1)
    /// For the picture, from a body without events: before 2019 they are not reliable (PTP 3 p.37).
    package var picturePollWithoutEvents: Duration = .milliseconds(250)
    /// While files wait in the buffer or are in preparation.
    package var bufferPoll: Duration = .milliseconds(200)
    /// Between readings because of property events: each setting causes several (VIEW waits 800 ms for quiet).
    package var eventPause: Duration = .milliseconds(100)
    /// The same while a new speed is awaited: any reading may show it.
    package var speedEventPause: Duration = .milliseconds(20)
    /// The same while idle.
    package var idleEventPause: Duration = .milliseconds(500)

    /// For a stepping, in addition to its notches: a jump and two notches without effect take 9 s of it.
    package var stepping: Duration = .seconds(20)
    /// A single notch of a body that supports no jumps: 30″ to 1/4000 took an A6400 40 s that way (libgphoto2#527).
    package var singleNotch: Duration = .milliseconds(750)
    /// After this time a step without effect counts as failed (libgphoto2 waits 3 s).
    package var stepMove: Duration = .seconds(3)
    /// How long an end of the range is trusted where a body was seen to stop.
    package var stepEnd: Duration = .seconds(60)
    /// A speed that is not the step's destination, and unchanged for this time, is where the step ended: two polls.
    package var stepSettle: Duration = .milliseconds(400)

    /// For focus (libgphoto2, rocc).
    package var focus: Duration = .seconds(1)
    /// Between readings while the body focuses.
    package var focusPoll: Duration = .milliseconds(100)
    /// How long the shutter button is pressed: with 50 ms an SLT-A58 missed shots, 100 to 250 ms are in use
    /// (libgphoto2#88).
    package var hold: Duration = .milliseconds(200)
    /// Between attempts to release a button.
    package var releasePause: Duration = .milliseconds(200)
    /// How long a body may reject readings before the session counts as broken.
    package var failingReadings: Duration = .seconds(20)
    /// The greatest age of a reading that allows the release, if nothing happened since.
    package var freshness: Duration = .milliseconds(200)
    /// The greatest age of the last reading when the shutter is pressed: it is from before the half press, whose answer
    /// may take time.
    package var pressFreshness: Duration = .seconds(1)
    /// How long a body may not allow its speed to be set before that counts as its answer.
    package var lockedSpeed: Duration = .seconds(2)
    /// How long a body may stay busy before the shutter or a setting, without any file leaving its buffer.
    package var gate: Duration = .seconds(10)
    /// How long a picture may wait for disk space before a command that waits for it is ended.
    package var room: Duration = .seconds(5)
    /// From a captured picture until its file shows in the buffer: 2.5 to 4.5 s by model (VIEW).
    package var fileGrace: Duration = .seconds(5)
    /// From the body's last possible work on a frame until the driver stops waiting for its picture.
    package var noPicture: Duration = .seconds(12)
    /// The same when focus was not found.
    package var noPictureAfterFocusFailure: Duration = .seconds(6)
    /// Until the last picture of a full buffer is written to a slow card.
    package var written: Duration = .seconds(120)
    /// From the body's last possible work on a frame until "nothing was fired" counts as certain.
    package var doubt: Duration = .seconds(3)

    /// Between two reports about a running transfer.
    package var savingReport: Duration = .seconds(2)

    /// Values that the sources support.
    package init() {}
}

enum SonyLimits {
    /// 3.5 kB on an RX100 VII; newer bodies list a few hundred properties.
    static let datasetMax = 256 << 10
    /// Failures to fetch one file before its pace is slowed down, and before a file that breaks off is dropped.
    static let failedFetchesMax = 20
    /// The number of sessions in a row that a file breaks without one byte more, until it is dropped. A picture may
    /// exist only there, and a bad link has the same effect.
    static let lostFetchesMax = 4
    /// Frames in a row without a file, until a body that has delivered files counts as one that does not.
    static let framesWithoutFileMax = 3
    /// How many files are recognized when they are delivered again.
    static let knownFilesMax = 8
    /// How many status questions may wait for one reading.
    static let statusTicketsMax = 16
    /// How many remarks about readings are reported in one session.
    static let remarksMax = 16
    /// Notches for one value: more than the scale of any property has.
    static let notchesMax = 100
}
