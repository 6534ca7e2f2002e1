import Cameras

/// A frame that a simulated body has exposed: what the user finds on the card afterwards. Tests compare it with the
/// plan.
package struct CardFrame: Hashable, Sendable {
    /// Counts from 1 over the life of the body.
    package var number: Int
    /// The true speed of the shutter.
    package var speed: BodySpeed
    /// When the shutter opened.
    package var at: Duration
    package var exposure: Duration
    /// The other settings of the body when the shutter opened.
    package var settings: FrameSettings
    /// When the picture was written to the card; nil before that, and when pictures go only to the host.
    package var written: Duration?
    /// Whether the body writes it to its card.
    package var isForCard = true
    /// The kinds of files that the body delivers for it.
    package var fileKinds: [PictureInfo.Kind] = [.jpeg]
    /// Whether the initiator has fetched the picture.
    package var isFetched = false

    package init(
        number: Int,
        speed: BodySpeed,
        at time: Duration,
        exposure: Duration,
        settings: FrameSettings
    ) {
        self.number = number
        self.speed = speed
        self.at = time
        self.exposure = exposure
        self.settings = settings
    }

    /// The speed in the form of plans.
    package var label: String { speed.label }
}
