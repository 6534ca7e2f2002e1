import PTP

/// Time limits of the steps that all PTP/IP bodies share, with their sources.
package struct PTPIPTiming: Hashable, Sendable {
    /// The time limits for the connections and the Init handshake.
    package var session = InitiatorSession.Timing()
    /// The time limit for the Ack of a camera that knows this computer and so does not ask its user. A camera with an
    /// old session first probes that session, for up to 10 s (DC5).
    package var laterCommandAck: Duration = .seconds(15)
    /// The time limit for the answer to an ordinary operation (airnef waits 5 s). Shorter limits cause more reconnects.
    package var answer: Duration = .seconds(5)
    /// The time limit for the answer to the probe before the first operation. Without an answer the pause helps the
    /// same bodies (airnef).
    package var firstProbe: Duration = .seconds(1)
    /// The time limit for the answer to a later probe (DC5).
    package var laterProbe: Duration = .seconds(10)
    /// The longest time without a byte during a picture's transfer.
    package var transferSilence: Duration = .seconds(10)
    /// The time limit for a whole picture: 120 MB at 200 kB/s.
    package var transferTotal: Duration = .seconds(600)
    /// The time that is added to the limit for an answer during an exposure.
    package var exposureMargin: Duration = .seconds(10)

    /// The pause between attempts at a step of the set-up, while the body is busy.
    package var setUpPause: Duration = .milliseconds(500)
    /// The greatest number of attempts at a step of the set-up.
    package var setUpAttemptMax = 10

    /// The longest pause between transactions on an idle body, if nothing else is known of the body. rocc sends a
    /// transaction every 30 s and stays connected. The value is four fifths of 30 s, which leaves time for an answer.
    /// For a body that disconnects earlier, the maker's table has a quirk, or the driver learns the limit.
    package var keepAlive: Duration = .seconds(24)
    /// The shortest keep-alive interval for any body.
    package var keepAliveMin: Duration = .seconds(2)

    /// The time limit for closing a session in order.
    package var close: Duration = .milliseconds(2500)
    /// The part of `close` in which a running file transfer can still end by itself.
    package var leaveTransfer: Duration = .seconds(1)

    /// Uses values that the sources support.
    package init() {}

    /// The time limit for an answer during an exposure that may last until `end`. Bodies answer during an exposure, but
    /// a silent body does not count as lost before `end`.
    package func timeout(exposureEnd end: Duration?, at now: Duration) -> Operation.Timeout {
        guard let end, end > now else { return Operation.Timeout(answer) }
        return Operation.Timeout(max(answer, end - now + exposureMargin))
    }
}

/// Limits that hold for all makers.
package enum PTPIPLimits {
    /// The greatest size of an object in bytes. Every picture is smaller.
    package static let objectMax: UInt64 = 1 << 30
    /// How many session ids the driver tries when a body rejects the first one (libgphoto2 library.c).
    static let sessionIDMax: UInt32 = 10
    /// How many bodies the driver remembers. It first forgets the body that was connected longest ago.
    static let bodiesMax = 8
}
