/// A PTP response code. From 0xA000 up, each vendor defines its own meanings.
package struct ResponseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The body has accepted the operation. On many bodies the operation is not complete yet.
    package static let ok = Self(rawValue: 0x2001)
    /// An error without a code of its own.
    package static let generalError = Self(rawValue: 0x2002)
    /// No session is open.
    package static let sessionNotOpen = Self(rawValue: 0x2003)
    /// Initiator and responder have different transaction ids.
    package static let invalidTransactionID = Self(rawValue: 0x2004)
    package static let operationNotSupported = Self(rawValue: 0x2005)
    package static let parameterNotSupported = Self(rawValue: 0x2006)
    /// The data phase was incomplete.
    package static let incompleteTransfer = Self(rawValue: 0x2007)
    /// The storage does not exist.
    package static let invalidStorageID = Self(rawValue: 0x2008)
    /// The object does not exist, or it was deleted.
    package static let invalidObjectHandle = Self(rawValue: 0x2009)
    /// The property does not exist.
    package static let devicePropNotSupported = Self(rawValue: 0x200A)
    /// The card is full.
    package static let storeFull = Self(rawValue: 0x200C)
    /// The body's mode does not allow the operation.
    package static let accessDenied = Self(rawValue: 0x200F)
    /// The initiator did not send SendObjectInfo first.
    package static let noValidObjectInfo = Self(rawValue: 0x2015)
    /// A temporary state: a later retry may succeed.
    package static let deviceBusy = Self(rawValue: 0x2019)
    /// The value has the wrong type.
    package static let invalidDevicePropFormat = Self(rawValue: 0x201B)
    /// The body does not offer this value now.
    package static let invalidDevicePropValue = Self(rawValue: 0x201C)
    /// A parameter has an invalid value.
    package static let invalidParameter = Self(rawValue: 0x201D)
    /// A session is already open. The initiator counts this as success.
    package static let sessionAlreadyOpen = Self(rawValue: 0x201E)
    package static let transactionCanceled = Self(rawValue: 0x201F)

    /// The name of a standard response (libgphoto2 ptp.h); nil for a vendor's response or an unknown response.
    package var name: String? { Self.names[rawValue] }

    /// The name and the code, or the code alone.
    package var description: String { name.map { "\($0) (\(rawValue.hexadecimal))" } ?? rawValue.hexadecimal }

    private static let names: [UInt16: String] = [
        0x2001: "OK", 0x2002: "GeneralError", 0x2003: "SessionNotOpen", 0x2004: "InvalidTransactionID",
        0x2005: "OperationNotSupported", 0x2006: "ParameterNotSupported", 0x2007: "IncompleteTransfer",
        0x2008: "InvalidStorageID", 0x2009: "InvalidObjectHandle", 0x200A: "DevicePropNotSupported",
        0x200B: "InvalidObjectFormatCode", 0x200C: "StoreFull", 0x200D: "ObjectWriteProtected",
        0x200E: "StoreReadOnly", 0x200F: "AccessDenied", 0x2010: "NoThumbnailPresent", 0x2012: "PartialDeletion",
        0x2013: "StoreNotAvailable", 0x2014: "SpecificationByFormatUnsupported", 0x2015: "NoValidObjectInfo",
        0x2018: "CaptureAlreadyTerminated", 0x2019: "DeviceBusy", 0x201A: "InvalidParentObject",
        0x201B: "InvalidDevicePropFormat", 0x201C: "InvalidDevicePropValue", 0x201D: "InvalidParameter",
        0x201E: "SessionAlreadyOpen", 0x201F: "TransactionCanceled",
        0x2020: "SpecificationOfDestinationUnsupported",
    ]
}
