import Cameras

/// A frame that a simulated body has exposed: what a person would find on the card afterwards, and what tests compare
/// with the plan.
package struct CardFrame: Hashable, Sendable {
    /// Counts from 1 over the life of the body.
    package var number: Int
    /// The speed that the shutter really had.
    package var speed: BodySpeed
    /// When the shutter opened.
    package var at: Duration
    /// How long it was open.
    package var exposure: Duration
    /// What else the body was set to when the shutter opened.
    package var settings: FrameSettings
    /// When the picture had been written to the card; nil before, and when pictures go to the host only.
    package var written: Duration?
    /// Whether the body writes it to its card.
    package var isForCard = true
    /// The kinds of files that the body hands over of it.
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

    /// The speed as plans write it.
    package var label: String { speed.label }
}
