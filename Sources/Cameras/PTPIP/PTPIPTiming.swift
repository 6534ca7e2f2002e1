import PTP

/// How long the steps that all PTP/IP bodies share may take, with their sources.
package struct PTPIPTiming: Hashable, Sendable {
    /// Connections and the Init handshake.
    package var session = InitiatorSession.Timing()
    /// Until the Ack of a camera that knows us: only a first pairing waits for a person. A camera that holds an old
    /// session probes it first, for up to 10 s (DC5).
    package var laterCommandAck: Duration = .seconds(15)
    /// Until the answer to an ordinary operation (airnef waits 5 s; shorter limits only cause more reconnects).
    package var answer: Duration = .seconds(5)
    /// Without a byte during a picture's transfer.
    package var transferSilence: Duration = .seconds(10)
    /// For a whole picture: 120 MB at 200 kB/s.
    package var transferTotal: Duration = .seconds(600)
    /// What the command connection may take on top of an exposure that is going on.
    package var exposureMargin: Duration = .seconds(10)

    /// Between attempts at a step of the set-up that the body is too busy for.
    package var setUpPause: Duration = .milliseconds(500)
    /// How often a step of the set-up is tried.
    package var setUpAttemptMax = 10

    /// A transaction at least this often while nothing is going on, for a body of which nothing else is known. rocc
    /// asks every 30 s and keeps its bodies; four fifths of that leave time for an answer. One that leaves earlier has
    /// a quirk in its maker's table, or is learned of when it does so.
    package var keepAlive: Duration = .seconds(24)
    /// No body is asked more often than this just to be kept.
    package var keepAliveMin: Duration = .seconds(2)

    /// For the ordered end, altogether.
    package var leave: Duration = .milliseconds(2500)
    /// Of this, how long a file that is on its way may still come.
    package var leaveTransfer: Duration = .seconds(1)

    /// The values that the sources support.
    package init() {}

    /// For the answer to an operation, during an exposure that may last until `end`. An exposure is not silence: bodies
    /// answer all the while, but none is declared dead for not doing so.
    package func patience(exposureEnd end: Duration?, at now: Duration) -> Operation.Patience {
        guard let end, end > now else { return Operation.Patience(answer) }
        return Operation.Patience(max(answer, end - now + exposureMargin))
    }
}

/// Bounds that hold for all makers.
package enum PTPIPLimits {
    /// No picture has this many bytes.
    package static let objectMax: UInt64 = 1 << 30
    /// Session ids tried when a body does not like the first (libgphoto2 library.c).
    static let sessionIDMax: UInt32 = 10
    /// Bodies that are remembered; the one that was not met for the longest time goes first.
    static let bodiesMax = 8
}
