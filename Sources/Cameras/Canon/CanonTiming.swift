/// Durations, intervals and their sources. Tests and unusual networks can change them.
package struct CanonTiming: Hashable, Sendable {
    /// The pause after the first empty event list. Each further empty list adds this pause again (libgphoto2: 50 ms,
    /// growing to 200 ms).
    package var poll: Duration = .milliseconds(50)
    /// The longest pause between two event lists during a command. EOS Utility requests five lists per second.
    package var pollMax: Duration = .milliseconds(200)
    /// The pause between event lists while a result is near. A list takes 45 to 207 ms over WiFi (R6 Mark II), so this
    /// pause adds little load. A frame waits for two results, and each wait takes half of the pause longer on average.
    package var nearPoll: Duration = .milliseconds(10)
    /// How long a result is near: after a write, and after the end of an exposure.
    package var near: Duration = .seconds(1)
    /// The longest pause between two event lists without a command. A turned dial shows after this time.
    package var idlePollMax: Duration = .seconds(1)
    /// The interval between event lists while the shutter is open. They also show that the body still answers.
    package var exposurePoll: Duration = .seconds(1)
    /// The interval of KeepDeviceOn, which delays the automatic power-off (libgphoto2: about 10 s).
    package var keepOn: Duration = .seconds(10)
    /// The shortest interval of KeepDeviceOn when the body announces its power-off.
    package var keepOnMin: Duration = .seconds(2)
    /// The pause before another event list, if the body rejected the last request of one.
    package var rejectedPoll: Duration = .milliseconds(200)
    /// How long a body can reject the requests of event lists before the session counts as broken.
    package var failingPolls: Duration = .seconds(20)

    /// How long the set-up waits for the mode and the speed after the first list (libgphoto2: 10 times 50 ms).
    package var firstValues: Duration = .milliseconds(500)
    /// The time limit for the list of the files in a folder. A folder can have thousands of files.
    package var fileList: Duration = .seconds(15)
    /// How long the lens of the EOS M family moves (libgphoto2 waits 1 s).
    package var lens: Duration = .seconds(1)

    /// The time after which a value is written again if the body does not report it. After this time the driver also
    /// announces the space on this computer again to a body that was busy.
    package var writeAgain: Duration = .seconds(1)
    /// The pause before a value is written again that the body rejected as busy.
    package var busyWrite: Duration = .milliseconds(100)
    /// How long a body can be busy with a capture or a card, before a command ends with `busy`.
    package var gate: Duration = .seconds(10)
    /// How long the list of speeds can be empty before the speed counts as not writable.
    package var lockedSpeed: Duration = .seconds(2)
    /// The greatest age of an event list that still shows the present state.
    package var freshness: Duration = .milliseconds(200)

    /// The time limit for the answer to a half press, which ends when focusing is over (8 s with slow lenses).
    package var focusAnswer: Duration = .seconds(15)
    /// How long the focus result can follow the answer to the half press (libgphoto2: 500 ms).
    package var focus: Duration = .milliseconds(500)
    /// How long the result of the button can follow the answer on bodies of the EOS M family.
    package var button: Duration = .seconds(2)
    /// How long the button stays pressed. libgphoto2 releases it at once. Another client waits 200 ms on a 5D Mark IV.
    package var hold: Duration = .zero
    /// The pause between attempts to release the button.
    package var releasePause: Duration = .milliseconds(200)
    /// The time after which a body that reports its status must have reported the beginning of an exposure.
    package var exposureBegin: Duration = .seconds(2)
    /// The time from the end of an exposure until the status or the shot counter alone prove the picture. The object
    /// is the better proof, so it gets this time.
    package var weakProof: Duration = .seconds(2)
    /// The time from the latest end of a frame until the driver stops waiting for its picture. Simple cards write for
    /// several seconds.
    package var noPicture: Duration = .seconds(12)
    /// How long a body can stay busy after a captured frame.
    package var writing: Duration = .seconds(30)
    /// The time from the end of a frame until its missing signs prove that nothing was exposed.
    package var doubt: Duration = .seconds(3)

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

/// Limits of Canon's part.
enum CanonLimits {
    /// The greatest size of an event list in bytes. The longest known list has 13.4 kB.
    static let eventListMax = 1 << 20
    /// The greatest size of a list of files in bytes. A folder has at most 9999 pictures.
    static let fileListMax = 1 << 20
    /// How many lists in a row the driver requests without a pause, if they are not empty.
    static let drainMax = 16
    /// How many lists the set-up requests until one is empty.
    static let setUpListsMax = 64
    /// How often a value is written before the command fails: once, and three times again.
    static let writesMax = 4
    /// How many different remarks about event lists are reported in a session.
    static let remarksMax = 16
    /// How many files can wait for their transfer.
    static let filesMax = 200
    /// The size of the pieces of a transfer. An EOS R failed with 5 MB (libgphoto2).
    static let pieceMax: UInt32 = 1 << 20
    /// How often the transfer of a file can fail.
    static let failedTransfersMax = 5
    /// How many handles of announced files the driver remembers.
    static let handlesMax = 64
}
