/// Durations, intervals and their sources. Tests and unusual networks can change them.
package struct NikonTiming: Hashable, Sendable {
    // MARK: The set-up

    /// The pause between requests for the pairing number (OpenZCine).
    package var pairingPoll: Duration = .milliseconds(250)
    /// How long the number of a pairing is shown while its confirmation on the body is awaited.
    package var pairing: Duration = .seconds(120)
    /// The pause before the next connection while the user confirms the pairing.
    package var pairingPause: Duration = .seconds(10)
    /// The time limit for the list of all files. A card can have thousands of files.
    package var fileList: Duration = .seconds(15)
    /// The driver does not request the list again from a body that needed longer than this.
    package var slowFileList: Duration = .seconds(3)

    /// The part of the time for closing in which no step is tried again.
    package var leaveMargin: Duration = .milliseconds(500)

    // MARK: Events

    /// The pause after the first empty list of events. Each further empty list adds this pause again (sabaipics: 50 ms,
    /// growing to 200 ms).
    package var poll: Duration = .milliseconds(50)
    /// The longest pause between two lists during a command.
    package var pollMax: Duration = .milliseconds(200)
    /// The pause between lists while a picture is near.
    package var nearPoll: Duration = .milliseconds(10)
    /// How long a result is near.
    package var near: Duration = .seconds(1)
    /// The longest pause between two lists without a command. A turned dial shows after this time.
    package var idlePollMax: Duration = .seconds(1)
    /// The interval of requests while the shutter is open. They show that the body still answers.
    package var exposurePoll: Duration = .seconds(1)
    /// The pause before another list, if the body rejected the last request of one.
    package var rejectedPoll: Duration = .milliseconds(200)
    /// How long a body can reject the requests of lists before the session counts as broken.
    package var failingPolls: Duration = .seconds(20)
    /// The time in which the same event can arrive by a packet and by a list.
    package var eventTwin: Duration = .seconds(5)
    /// The interval in which an idle body is asked for one property, because not every body reports each change.
    package var refresh: Duration = .seconds(2)

    // MARK: Settings

    /// The time limit for a written value to show.
    package var confirm: Duration = .seconds(1)
    /// The pause between readings of a written value. The first reading follows the write at once.
    package var confirmPoll: Duration = .milliseconds(20)
    /// The interval of readings during `.readSpeed`.
    package var speedPoll: Duration = .milliseconds(100)
    /// The pause before a request that a busy body rejected, if the body has no DeviceReady.
    package var busyPause: Duration = .milliseconds(100)
    /// How long a body can be busy before a command ends with `busy`.
    package var gate: Duration = .seconds(10)
    /// The greatest age of a reading that still shows the present state.
    package var freshness: Duration = .milliseconds(200)
    /// The greatest age of a reading of the exposure mode before a press.
    package var modeFreshness: Duration = .seconds(1)

    // MARK: The shutter

    /// The pause before a rejected release is tried again. libgphoto2 waits 2 ms over USB.
    package var releasePause: Duration = .milliseconds(20)
    /// How long a release is tried.
    package var release: Duration = .seconds(5)
    /// The interval of DeviceReady while the end of the frame is near.
    package var nearReady: Duration = .milliseconds(10)
    /// The interval of DeviceReady otherwise (libgphoto2, OpenZCine).
    package var readyPoll: Duration = .milliseconds(100)
    /// How long "silent release busy" counts as busy after the exposure. Some bodies repeat it for ever (libgphoto2).
    package var silentRelease: Duration = .seconds(2)
    /// How long a body stays busy after a frame at most. libgphoto2 waits 70 s after a press.
    package var busy: Duration = .seconds(60)
    /// The time from the end of a frame until the driver stops waiting for its picture.
    package var noPicture: Duration = .seconds(12)
    /// The time in which "capture complete" can follow the object. Later the object alone proves the picture.
    package var complete: Duration = .milliseconds(500)
    /// The time in which the object can follow "capture complete". Nikon 1 bodies are late (libgphoto2).
    package var object: Duration = .seconds(2)
    /// How long a file can follow its frame.
    package var writing: Duration = .seconds(30)
    /// The time from the end of a frame until its missing signs prove that nothing was exposed.
    package var doubt: Duration = .seconds(3)

    // MARK: Files

    /// The pause before another request for a description. For about a second after a picture, bodies reject the
    /// request (airnef).
    package var objectInfoAgain: Duration = .milliseconds(250)
    /// How long the description is requested.
    package var objectInfo: Duration = .seconds(5)
    /// The interval of `.saving` reports while a file is fetched or the body is busy.
    package var savingReport: Duration = .seconds(2)
    /// How long a picture can wait for disk space before a command that waits for the picture is ended.
    package var room: Duration = .seconds(5)
    /// The pause before a failed transfer continues.
    package var transferAgain: Duration = .milliseconds(500)
    /// The pause before another attempt, if a file that is the only copy could not be fetched.
    package var onlyCopyAgain: Duration = .seconds(10)

    /// Uses values that the sources support.
    package init() {}
}

/// Limits of Nikon's part.
enum NikonLimits {
    /// The greatest size of a list of events in bytes.
    static let eventListMax = 1 << 16
    /// The greatest size of a descriptor in bytes. The longest list of a real body has 72 values.
    static let descriptorMax = 1 << 16
    /// The greatest size of the list of all files in bytes: 50,000 files.
    static let fileListMax = 200_004
    /// How often the pairing number is requested (OpenZCine).
    static let pairingRequestsMax = 10
    /// How often a value is written before the command fails.
    static let writesMax = 3
    /// How many different remarks about data of the body are reported in a session.
    static let remarksMax = 16
    /// How many properties can wait to be read again.
    static let unreadMax = 64
    /// How many lists of events are read before a press, until one is empty.
    static let drainMax = 8
    /// How many events the driver remembers, to recognize the second report of each.
    static let eventsMax = 64
    /// How many cards are listed one by one.
    static let cardsMax = 4
    /// How many files of a frame the driver remembers: NEF, JPEG and a new folder, with a reserve.
    static let filesOfFrameMax = 4
    /// How many files can wait for their transfer.
    static let filesMax = 200
    /// How many handles of announced files the driver remembers besides the list of all files.
    static let handlesMax = 64
    /// The size of the pieces of a transfer (airnef, SnapBridge).
    static let pieceMax: UInt32 = 1 << 20
    /// How many bytes show the kind of a file without a description.
    static let headSize: UInt32 = 16
    /// How often the transfer of a file can fail.
    static let failedTransfersMax = 5
}
