import PTP

/// Where Sony bodies keep a neutral property, and in which words: one row of a table for each.
package struct SonyPropertyRow: Sendable {
    /// How a body takes a new value.
    package enum Change: Sendable {
        /// By 0x9205, in the property's own type.
        case value
        /// By 0x9207 with the property's code, one signed byte of notches (PTP 2 p.80).
        case notches
    }

    /// One of Sony's properties.
    package struct Source: Sendable {
        let code: PropertyCode
        let versions: [SonyExtensionVersion]
        let words: SonyPropertyWords
        let change: Change
        let detail: Detail?

        init(
            _ code: PropertyCode,
            _ versions: SonyExtensionVersion...,
            words: SonyPropertyWords,
            change: Change = .value,
            detail: Detail? = nil
        ) {
            self.code = code
            self.versions = versions
            self.words = words
            self.change = change
            self.detail = detail
        }
    }

    /// A second property that says more of some values of the first.
    package struct Detail: Sendable {
        let code: PropertyCode
        let words: SonyPropertyWords
        let applies: @Sendable (Int64) -> Bool
    }

    /// The neutral property.
    package let property: CameraProperty
    /// The first that a body lists counts.
    let sources: [Source]

    /// All of them, in the order in which they are reported.
    ///
    /// Version 2 bodies show shutter speed, sensitivity, aperture and compensation, and move them by notches only,
    /// except that the speed can be written where 0xD229 is listed (libgphoto2 config.c).
    package static let table: [SonyPropertyRow] = [
        Self(
            property: .shutterSpeed,
            sources: [
                Source(.sonyShutterSpeed, .version3, words: .shutterSpeed),
                Source(.sonyShutterSpeedVersion2, .version2, words: .shutterSpeed),
                Source(.sonyShutterSpeed, .version2, words: .shutterSpeed, change: .notches),
            ]
        ),
        Self(
            property: .iso,
            sources: [
                Source(.sonyISO, .version3, words: .iso),
                Source(.sonyISO, .version2, words: .iso, change: .notches),
            ]
        ),
        Self(
            property: .aperture,
            sources: [
                Source(.fNumber, .version3, words: .aperture),
                Source(.fNumber, .version2, words: .aperture, change: .notches),
            ]
        ),
        Self(
            property: .exposureCompensation,
            sources: [
                Source(.exposureBiasCompensation, .version3, words: .exposureCompensation),
                Source(.exposureBiasCompensation, .version2, words: .exposureCompensation, change: .notches),
            ]
        ),
        Self(property: .whiteBalance, sources: [Source(.whiteBalance, .version3, .version2, words: .whiteBalance)]),
        Self(property: .drive, sources: [Source(.stillCaptureMode, .version3, .version2, words: .drive)]),
        Self(property: .focusMode, sources: [Source(.focusMode, .version3, .version2, words: .focusMode)]),
        Self(
            property: .quality,
            sources: [
                Source(.sonyFileFormat, .version3, words: .fileFormat, detail: jpegQuality),
                Source(.compressionSetting, .version2, words: .compression),
            ]
        ),
        Self(property: .saveTarget, sources: [Source(.sonySaveTarget, .version3, .version2, words: .saveTarget)]),
    ]

    private static let jpegQuality = Detail(code: .sonyJPEGQuality, words: .jpegQuality) { format in
        UInt8(exactly: format).map { SonyFileFormat(rawValue: $0).hasJPEG } ?? false
    }
}
