import PTP

/// Time limits of the steps that all PTP/IP bodies share, with their sources.
package struct PTPIPTiming: Hashable, Sendable {
    /// Connections and the Init handshake.
    package var session = InitiatorSession.Timing()
    /// Until the Ack of a camera that knows this computer: only a first pairing waits for the user. A camera that holds
    /// an old session probes it first, for up to 10 s (DC5).
    package var laterCommandAck: Duration = .seconds(15)
    /// Until the answer to an ordinary operation (airnef waits 5 s; shorter limits only cause more reconnects).
    package var answer: Duration = .seconds(5)
    /// Without a byte during a picture's transfer.
    package var transferSilence: Duration = .seconds(10)
    /// For a whole picture: 120 MB at 200 kB/s.
    package var transferTotal: Duration = .seconds(600)
    /// Added to the limit of the command connection during an exposure.
    package var exposureMargin: Duration = .seconds(10)

    /// Between attempts at a step of the set-up while the body is busy.
    package var setUpPause: Duration = .milliseconds(500)
    /// How often a step of the set-up is tried.
    package var setUpAttemptMax = 10

    /// The longest pause between transactions on an idle body without other data. rocc sends one every 30 s and keeps
    /// its bodies; four fifths of that leave time for an answer. A body that disconnects earlier has a quirk in its
    /// maker's table, or the driver learns its limit.
    package var keepAlive: Duration = .seconds(24)
    /// The shortest keep-alive interval for any body.
    package var keepAliveMin: Duration = .seconds(2)

    /// For closing in order, in total.
    package var close: Duration = .milliseconds(2500)
    /// Of this, the time for a file in transfer to arrive.
    package var leaveTransfer: Duration = .seconds(1)

    /// Values that the sources support.
    package init() {}

    /// For the answer to an operation, during an exposure that may last until `end`. Bodies answer during an exposure,
    /// but silence then does not count as a lost link.
    package func timeout(exposureEnd end: Duration?, at now: Duration) -> Operation.Timeout {
        guard let end, end > now else { return Operation.Timeout(answer) }
        return Operation.Timeout(max(answer, end - now + exposureMargin))
    }
}

/// Limits that hold for all makers.
package enum PTPIPLimits {
    /// Larger than any picture.
    package static let objectMax: UInt64 = 1 << 30
    /// How many session ids are tried when a body rejects the first (libgphoto2 library.c).
    static let sessionIDMax: UInt32 = 10
    /// How many bodies are remembered; the one that was connected longest ago is forgotten first.
    static let bodiesMax = 8
}
