/// A frame that was fired and read.
package struct MeteredFrame: Hashable, Sendable {
    /// The speed that the picture reports.
    package let speed: ShutterSpeed
    package let ends: FrameEnds
    /// The median luma.
    package let medianCode: Int
    /// The share of pixels that are too bright, 0 to 1.
    package let clippedShare: Double
    /// The share of pixels that are too dark, 0 to 1.
    package let darkShare: Double

    package init(speed: ShutterSpeed, light: PictureLight, options: MeteringOptions = MeteringOptions()) {
        self.speed = speed
        ends = FrameEnds(brightest: light.brightest, luma: light.luma, options: options)
        medianCode = light.luma.median
        clippedShare = light.brightest.share(from: options.highlightCodeMax)
        darkShare = 1 - light.luma.share(from: options.shadowCodeMin)
    }
}
