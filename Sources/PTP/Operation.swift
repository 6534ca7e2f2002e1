import NIOCore

/// One operation for an `InitiatorSession`.
package struct Operation: Hashable, Sendable {
    /// What happens to the data that the camera sends.
    package enum DataIn: Hashable, Sendable {
        /// Kept in memory, at most so many bytes; more ends the session.
        case collect(atMost: Int)
        /// Counted and dropped as it arrives, at most so many bytes; more ends the session.
        case discard(atMost: UInt64)
        /// Delivered in pieces by `.data` as it arrives, and never collected; at most so many bytes, more ends the
        /// session. The result says whether all of it arrived.
        case stream(atMost: UInt64)

        /// The most bytes that may arrive.
        package var limit: UInt64 {
            switch self {
            case .collect(let limit): UInt64(limit)
            case .discard(let limit), .stream(let limit): limit
            }
        }
    }

    /// How long the camera may take.
    package struct Timeout: Hashable, Sendable {
        /// Without any packet of this transaction.
        package var silence: Duration
        /// In total.
        package var total: Duration

        /// `total` is at least `silence`, and both are positive.
        package init(silence: Duration, total: Duration) {
            precondition(silence > .zero && total >= silence)
            self.silence = silence
            self.total = total
        }

        /// For answers that arrive in one piece.
        package init(_ silence: Duration) {
            self.init(silence: silence, total: silence * 4)
        }
    }

    package var code: OperationCode
    /// At most 5.
    package var parameters: [UInt32]
    /// Data for the camera; nil: none.
    package var dataOut: ByteBuffer?
    /// What happens to the camera's data.
    package var dataIn: DataIn
    /// How long it may take.
    package var timeout: Timeout
    /// Whether the camera's data is known to contain no part of a picture, so that recordings keep it.
    package var hasRecordableData: Bool

    /// The limit of an answer for which no larger one is given.
    package static let smallAnswerMax = 64 << 10

    package init(
        _ code: OperationCode,
        _ parameters: [UInt32] = [],
        dataOut: ByteBuffer? = nil,
        dataIn: DataIn = .collect(atMost: Self.smallAnswerMax),
        timeout: Timeout,
        hasRecordableData: Bool? = nil
    ) {
        precondition(parameters.count <= OperationRequest.parameterCountMax)
        self.code = code
        self.parameters = parameters
        self.dataOut = dataOut
        self.dataIn = dataIn
        self.timeout = timeout
        self.hasRecordableData = hasRecordableData ?? Self.recordableCodes.contains(code)
    }

    /// The operations of PTP that return a dataset, which contains no part of a picture. The maker's driver names its
    /// own.
    private static let recordableCodes: Set<OperationCode> = [
        .getDeviceInfo, .getStorageIDs, .getStorageInfo, .getObjectHandles, .getObjectInfo, .getDevicePropDesc,
        .getDevicePropValue,
    ]
}

/// The result of an operation.
package struct OperationResult: Hashable, Sendable {
    package var code: ResponseCode
    /// At most 5.
    package var parameters: [UInt32] = []
    /// The camera's data; empty when it was dropped, delivered in pieces, or absent.
    package var data = ByteBuffer()
    /// How many bytes the camera sent, kept or not.
    package var byteCount: UInt64 = 0
    /// Whether all announced data arrived. Incomplete data is useless, whatever the code says.
    package var isComplete = true

    package var isSuccess: Bool { code == .ok && isComplete }
}
