import PTP

/// The kind of a body by the operations that it advertises, never by its model name.
///
/// The rows are those of OpenZCine and libgphoto2. A D780 advertises the operations of the second Z generation.
package enum NikonGeneration: Hashable, Sendable {
    /// D-SLR bodies and Nikon 1: neither 0x941C nor 0x9435.
    case dslr
    /// Z 5, Z 6, Z 7, Z 50: 0x941C.
    case firstZ
    /// Z 6II, Z 7II, Z fc, Z 30: 0x9435.
    case secondZ
    /// Z 8, Z 9, Z 6III, Z f, ZR: 0x9439, and four-byte property codes beside the two-byte codes.
    case thirdZ

    package init(_ operations: [OperationCode]) {
        let row = Self.table.first { operations.contains($0.operation) }
        self = row?.generation ?? .dslr
    }

    /// The first row whose operation a body advertises holds.
    private static let table: [(operation: OperationCode, generation: NikonGeneration)] = [
        (.nikonGetVendorCodes, .thirdZ), (.nikonChangeApplicationMode, .secondZ), (.nikonGetEventEx, .firstZ),
    ]
}

/// What a body can do, and by which operations: decided by the operations that it advertises and by its quirks.
package struct NikonAbilities: Hashable, Sendable {
    package let generation: NikonGeneration
    /// How the body lists its own properties; nil: it has no list, or it must not be asked.
    package let vendorList: NikonVendorList?
    /// How the body reports its events; nil: by packets alone.
    package let events: NikonEventForm?
    /// How the shutter is released; nil: the body cannot be released.
    package let release: NikonRelease?
    /// The operations that read a part of a file, in the order in which to try them. A Z 6II that is connected as to a
    /// PC denies 0x101B and accepts 0x9431 (libgphoto2#976).
    package let partialReads: [OperationCode]
    /// Whether the body has ChangeCameraMode.
    package let hasCameraMode: Bool
    /// Whether the body can be paired. A Z 5 lacks the operations, and shows an error if it is asked (OpenZCine#292).
    package let canPair: Bool
    /// Whether the body has ChangeApplicationMode.
    private let hasApplicationMode: Bool

    package init(operations: [OperationCode] = [], quirks: NikonQuirks = NikonQuirks()) {
        let has = Set(operations)
        generation = NikonGeneration(operations)
        vendorList = quirks.skipsVendorList ? nil : NikonVendorList.allCases.first { has.contains($0.operation) }
        events = NikonEventForm.allCases.first { has.contains($0.operation) }
        release = NikonRelease.allCases.first { has.contains($0.operation) }
        partialReads = [.getPartialObject, .nikonGetPartialObjectEx].filter(has.contains)
        hasCameraMode = has.contains(.nikonChangeCameraMode)
        canPair = has.contains(.nikonGetPairingInfo) && has.contains(.nikonConfirmPairing)
        hasApplicationMode = has.contains(.nikonChangeApplicationMode)
    }

    /// How the application mode is set on a body with these properties. D-SLR bodies list 0xD1F0 too, but no source
    /// sets it there.
    package func applicationMode(properties: [PropertyCode]) -> NikonApplicationMode {
        if hasApplicationMode { return .operation }
        return generation == .firstZ && properties.contains(.nikonApplicationMode) ? .property : .none
    }
}

/// How a body lists its own properties. DeviceInfo does not contain them. The first one that a body advertises is used.
package enum NikonVendorList: CaseIterable, Hashable, Sendable {
    /// A list of four-byte codes. A Z 9 has this list alone (LGD nikon-z9).
    case fourByte
    /// A list of two-byte codes.
    case twoByte

    package var operation: OperationCode {
        switch self {
        case .fourByte: .nikonGetVendorCodes
        case .twoByte: .nikonGetVendorPropCodes
        }
    }

    /// The parameters of the operation: 0x0D requests the properties (OpenZCine).
    package var parameters: [UInt32] {
        switch self {
        case .fourByte: [0x0D]
        case .twoByte: []
        }
    }
}

/// How a body reports its events. The first one that a body advertises is used: a P1100 has 0x941C alone, and a request
/// for the other list would never report anything (a measurement protocol of SnapBridge).
package enum NikonEventForm: CaseIterable, Hashable, Sendable {
    /// 0x941C: events with up to five parameters.
    case extended
    /// 0x90C7: events with one parameter.
    case short

    package var operation: OperationCode {
        switch self {
        case .extended: .nikonGetEventEx
        case .short: .nikonGetEvent
        }
    }
}

/// How the shutter is released to the card. The first one that a body advertises is used. The operations that release
/// to the memory of the body are not used, because an unread picture there is lost with the connection.
package enum NikonRelease: CaseIterable, Hashable, Sendable {
    /// 0x9207.
    case toMedia
    /// 0x100E.
    case standard

    package var operation: OperationCode {
        switch self {
        case .toMedia: .nikonCapture
        case .standard: .initiateCapture
        }
    }
}

/// How an application takes control of a body and leaves the controls of the body usable (OpenZCine).
package enum NikonApplicationMode: Hashable, Sendable {
    /// By 0x9435.
    case operation
    /// By property 0xD1F0.
    case property
    case none
}
