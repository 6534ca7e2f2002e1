import Cameras

/// A frame that a simulated body has exposed, as the user finds it on the card. Tests compare the frames with the plan.
package struct CardFrame: Hashable, Sendable {
    /// The number of the frame, from 1 over the life of the body.
    package var number: Int
    /// The speed at which the shutter really opened.
    package var speed: BodySpeed
    /// When the shutter opened.
    package var at: Duration
    package var exposure: Duration
    /// The other settings of the body when the shutter opened.
    package var settings: FrameSettings
    /// When the body wrote the picture to the card; nil before that, and when pictures go only to the host.
    package var written: Duration?
    /// Whether the body writes the picture to its card.
    package var isForCard = true
    /// The kinds of files that the body delivers for the frame.
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

    /// The speed as in plans.
    package var label: String { speed.label }
}
