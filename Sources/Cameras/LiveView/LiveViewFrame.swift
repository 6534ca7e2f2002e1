import NIOCore

/// One picture of a body's live view.
package struct LiveViewFrame: Hashable, Sendable {
    /// The JPEG, from its start marker to its end marker.
    package var jpeg: ByteBuffer
    /// The size in pixels, as the JPEG declares it.
    package var width: Int
    package var height: Int
    package var exposure: LiveViewExposure

    package init(_ jpeg: LiveViewJPEG, exposure: LiveViewExposure = .unknown) {
        self.jpeg = jpeg.bytes
        width = jpeg.width
        height = jpeg.height
        self.exposure = exposure
    }
}

/// Whether the brightness of live view is that of the next picture.
package enum LiveViewExposure: String, CaseIterable, Hashable, Sendable {
    case shown
    /// The body shows its standard brightness, whatever its settings are.
    case notShown = "not-shown"
    /// The body does not report it.
    case unknown
}

/// A size of live view that a client requests.
package enum LiveViewSize: String, CaseIterable, Codable, Hashable, Sendable {
    /// About 640 pixels wide.
    case small
    /// About 1024 pixels wide.
    case large
}

/// The answer to `.liveView`.
///
/// Both cases answer the command. So a replay, whose recording has no pictures, has the same transitions.
package enum LiveViewAnswer: Hashable, Sendable {
    case frame(LiveViewFrame)
    /// The body sent bytes without a valid frame.
    case unreadable(LiveViewError)

    /// Reads a frame in a body's data.
    init(
        of data: ByteBuffer,
        exposure: LiveViewExposure = .unknown,
        by read: (ByteBuffer) throws(LiveViewError) -> LiveViewJPEG
    ) {
        do throws(LiveViewError) {
            self = .frame(LiveViewFrame(try read(data), exposure: exposure))
        } catch {
            self = .unreadable(error)
        }
    }
}

/// A running `.liveView`, for all drivers.
struct TakingLiveView: Sendable {
    let ticket: Ticket
    let size: LiveViewSize?
    let since: Duration
    /// The end of the wait for a body that works on a picture.
    let gateUntil: Duration
    /// The end of the wait for a frame; nil: the wait has not begun.
    private(set) var until: Duration?
    /// The earliest time of the next request.
    var notBefore: Duration = .zero
    /// The event that the driver reports when live view is off again.
    var outcome: CameraEvent?

    init(_ ticket: Ticket, size: LiveViewSize? = nil, since: Duration, gateUntil: Duration) {
        self.ticket = ticket
        self.size = size
        self.since = since
        self.gateUntil = gateUntil
    }

    mutating func begin(at now: Duration) { until = now + LiveViewLimits.frame }

    /// The time at which the driver gives up.
    var end: Duration { until ?? gateUntil }

    /// The answer if no frame came in time.
    var late: CameraEvent { until == nil ? .busy : .failed(.other(LiveViewSentences.noFrame)) }
}

/// The end of live view that a driver switched on.
struct LiveViewEnd: Sendable {
    private(set) var tries = 0
    var notBefore: Duration = .zero
    /// The time at which the body accepted the end; nil: it has not. Only a later report confirms it.
    var acceptedAt: Duration?

    mutating func tryAgain(notBefore time: Duration) {
        tries += 1
        notBefore = time
        acceptedAt = nil
    }
}

/// Limits of live view.
package enum LiveViewLimits {
    /// The greatest number of bytes that a body may send for a frame. The longest known frame has 468 kB (EOS 1300D).
    package static let byteCountMax = 8 << 20
    /// How long a frame is awaited. An EOS 100D opens its live view in 1.2 s (libgphoto2).
    package static let frame: Duration = .seconds(3)
    /// The pause before another request, if no frame is ready (libgphoto2: 10 to 50 ms).
    static let again: Duration = .milliseconds(30)
    /// How often a driver tries to switch live view off.
    static let endsMax = 5
    /// The greatest size of a picture in bytes. In Base64 it fits in the longest message of Varlink.
    package static let jpegMax = 720 << 10
}
