import PTP

/// One row of a table: a neutral property, its sources on Sony bodies and its notation.
package struct SonyPropertyRow: Sendable {
    /// How a body accepts a new value.
    package enum Change: Sendable {
        /// By 0x9205, with a value of the property's type.
        case value
        /// By 0x9207 with the property's code and one signed byte, the number of notches (PTP 2 p.80).
        case notches
    }

    /// One of Sony's properties as the source of a neutral property.
    package struct Source: Sendable {
        let code: PropertyCode
        let versions: [SonyExtensionVersion]
        let words: SonyPropertyText
        let change: Change
        let detail: Detail?

        init(
            _ code: PropertyCode,
            _ versions: SonyExtensionVersion...,
            words: SonyPropertyText,
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

    /// A second property that adds detail to some values of the first.
    package struct Detail: Sendable {
        let code: PropertyCode
        let words: SonyPropertyText
        let applies: @Sendable (Int64) -> Bool
    }

    /// The neutral property.
    package let property: CameraProperty
    /// The sources. The first one that a body lists is used.
    let sources: [Source]

    /// All rows, in the order of the reports.
    ///
    /// Version 2 bodies show shutter speed, ISO, aperture and compensation, but move them only by notches. There is one
    /// exception: the speed can be written if 0xD229 is listed (libgphoto2 config.c).
    package static let table: [SonyPropertyRow] = [
        Self(
            property: .shutterSpeed,
            sources: [
                Source(.sonyShutterSpeed, .version3, words: .shutterSpeed),
                Source(.sonyShutterSpeedVersion2, .version2, words: .shutterSpeed),
                Source(.sonyShutterSpeed, .version2, words: .shutterSpeed, change: .notches),
            ]
        ),
        notched(.iso, .sonyISO, .iso),
        notched(.aperture, .fNumber, .aperture),
        notched(.exposureCompensation, .exposureBiasCompensation, .exposureCompensation),
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

    /// A property that version 2 bodies move by notches.
    private static func notched(_ property: CameraProperty, _ code: PropertyCode, _ words: SonyPropertyText) -> Self {
        let sources = [
            Source(code, .version3, words: words), Source(code, .version2, words: words, change: .notches),
        ]
        return Self(property: property, sources: sources)
    }

    private static let jpegQuality = Detail(code: .sonyJPEGQuality, words: .jpegQuality) { format in
        UInt8(exactly: format).map { SonyFileFormat(rawValue: $0).hasJPEG } ?? false
    }
}
