import PTP

/// Durations and intervals with their sources. Tests and unusual networks can change them.
package struct SonyTiming: Hashable, Sendable {
    /// The pause between attempts at 0x9202 while it returns no data: 60 times 50 ms (pysonycam).
    package var extDeviceInfoPause: Duration = .milliseconds(50)
    /// The greatest number of requests of 0x9202.
    package var extDeviceInfoAttemptMax = 60
    /// The interval between readings of a new speed, which shows after 100 to 800 ms. alpha-fairy polls every 100 ms.
    package var speedPoll: Duration = .milliseconds(100)
    /// The time in which a body may still show the previous speed after a new one was set.
    package var speedMove: Duration = .seconds(1)
    /// The time after which a value is written again if the property does not show it: alpha-fairy ends after 800 ms.
    package var propertyAgain: Duration = .milliseconds(800)
    /// The time limit until a property shows its new value. It also applies to one notch of a version 2 body, which
    /// takes up to 0.7 s (libgphoto2 waits 3 s).
    package var propertyGiveUp: Duration = .seconds(3)
    /// The time limit for one property in total: an ISO change by thirty notches of 0.7 s each, with their readings.
    package var propertySteppingLimit: Duration = .seconds(60)
    /// The interval between readings while the shutter is open. It also keeps the session alive.
    package var exposurePoll: Duration = .seconds(2)
    /// The interval between readings that check for the picture after the exposure, on a body that sends events.
    package var picturePoll: Duration = .seconds(1)
    /// Replaces `picturePoll` on a body without events: events before 2019 are not reliable (PTP 3 p.37).
    package var picturePollWithoutEvents: Duration = .milliseconds(250)
    /// The interval between readings while files are in the buffer or in preparation.
    package var bufferPoll: Duration = .milliseconds(200)
    /// The pause between two readings that follow property events, because one change of a setting causes several
    /// events. VIEW reads after 800 ms without an event.
    package var eventPause: Duration = .milliseconds(100)
    /// Replaces `eventPause` while the driver waits for a new speed, which any reading may show.
    package var speedEventPause: Duration = .milliseconds(20)
    /// Replaces `eventPause` while the driver is idle.
    package var idleEventPause: Duration = .milliseconds(500)

    /// The time limit of a stepping, without the time of its notches. A jump and two notches without effect take 9 s.
    package var stepping: Duration = .seconds(20)
    /// The time of one notch on a body without jumps: 30″ to 1/4000 took an A6400 40 s that way (libgphoto2#527).
    package var singleNotch: Duration = .milliseconds(750)
    /// The time after which a step without effect counts as failed (libgphoto2 waits 3 s).
    package var stepMove: Duration = .seconds(3)
    /// How long the driver trusts an end of the range where the speed was seen to stop.
    package var stepEnd: Duration = .seconds(60)
    /// The time after which an unchanged speed counts as the end of a step that missed its destination: two polls.
    package var stepSettle: Duration = .milliseconds(400)

    /// The time limit for focusing (libgphoto2, rocc).
    package var focus: Duration = .seconds(1)
    /// The interval between readings while the body focuses.
    package var focusPoll: Duration = .milliseconds(100)
    /// How long the shutter button is pressed. With 50 ms an SLT-A58 missed shots; other clients use 100 to 250 ms
    /// (libgphoto2#88).
    package var hold: Duration = .milliseconds(200)
    /// The pause between attempts to release a button.
    package var releasePause: Duration = .milliseconds(200)
    /// How long a body can reject readings before the session counts as broken.
    package var failingReadings: Duration = .seconds(20)
    /// The greatest age of a reading that allows the shutter to be released, if nothing has happened since.
    package var freshness: Duration = .milliseconds(200)
    /// The greatest age of the last reading when the shutter is pressed. That reading is from before the half press,
    /// whose answer may take time.
    package var pressFreshness: Duration = .seconds(1)
    /// How long a body can prevent the setting of its speed before the driver reports the failure.
    package var lockedSpeed: Duration = .seconds(2)
    /// How long the shutter or a setting waits for a busy body, if no file leaves the body's buffer.
    package var gate: Duration = .seconds(10)
    /// How long a picture can wait for disk space before a command that waits for the picture is ended.
    package var room: Duration = .seconds(5)
    /// The time from a captured picture until its file appears in the buffer: 2.5 to 4.5 s by model (VIEW).
    package var fileGrace: Duration = .seconds(5)
    /// The time from the latest end of a frame until the driver stops waiting for its picture.
    package var noPicture: Duration = .seconds(12)
    /// Replaces `noPicture` if the body could not focus.
    package var noPictureAfterFocusFailure: Duration = .seconds(6)
    /// The time until the last picture of a full buffer is written to a slow card.
    package var written: Duration = .seconds(120)
    /// The time from the latest end of a frame until it is certain that nothing was fired.
    package var doubt: Duration = .seconds(3)

    /// The interval between two reports about a running transfer.
    package var savingReport: Duration = .seconds(2)

    /// Uses values that the sources support.
    package init() {}
}

enum SonyLimits {
    /// The greatest size of a dataset in bytes. An RX100 VII sends 3.5 kB; newer bodies list a few hundred properties.
    static let datasetMax = 256 << 10
    /// After this number of failed fetches of one file, fetches become slower, and a file that breaks off is discarded.
    static let failedFetchesMax = 20
    /// A file is discarded after it broke this number of sessions in a row without a further byte. The limit is high,
    /// because a bad link has the same effect and the picture may exist only in the camera.
    static let lostFetchesMax = 4
    /// After this number of frames in a row without a file, a body that delivered files counts as one without files.
    static let framesWithoutFileMax = 3
    /// How many files the driver recognizes when the body delivers them again.
    static let knownFilesMax = 8
    /// The greatest number of remarks about readings in one session.
    static let remarksMax = 16
    /// The greatest number of notches for one value. No scale of a property has more.
    static let notchesMax = 100
}
