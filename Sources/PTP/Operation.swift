import NIOCore

/// One operation for an `InitiatorSession`.
package struct Operation: Hashable, Sendable {
    /// What happens to the data that the camera sends.
    package enum DataIn: Hashable, Sendable {
        /// The session collects the data in memory. If more bytes arrive, the session ends.
        case collect(atMost: Int)
        /// The session counts the data and discards it. If more bytes arrive, the session ends.
        case discard(atMost: UInt64)
        /// The session delivers the data in pieces by `.data`. If more bytes arrive, the session ends. The result says
        /// whether all data arrived.
        case stream(atMost: UInt64)

        /// The maximum number of bytes that are allowed to arrive.
        package var limit: UInt64 {
            switch self {
            case .collect(let limit): UInt64(limit)
            case .discard(let limit), .stream(let limit): limit
            }
        }
    }

    /// The time limits for the camera's answer.
    package struct Timeout: Hashable, Sendable {
        /// The longest time without a packet of this transaction.
        package var silence: Duration
        /// The longest time in total.
        package var total: Duration

        /// `total` is at least `silence`, and both are positive.
        package init(silence: Duration, total: Duration) {
            precondition(silence > .zero && total >= silence)
            self.silence = silence
            self.total = total
        }

        /// A timeout for an answer that arrives in one piece.
        package init(_ silence: Duration) {
            self.init(silence: silence, total: silence * 4)
        }
    }

    package var code: OperationCode
    /// At most 5 parameters.
    package var parameters: [UInt32]
    /// Data for the camera; nil: no data.
    package var dataOut: ByteBuffer?
    /// What happens to the data that the camera sends.
    package var dataIn: DataIn
    /// The time limits of the operation.
    package var timeout: Timeout
    /// Whether the camera's data contains no part of a picture. Recordings keep such data.
    package var hasRecordableData: Bool

    /// The default limit of the data of an answer.
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

    /// The standard operations that return a dataset without any part of a picture. The maker's driver names other
    /// operations.
    private static let recordableCodes: Set<OperationCode> = [
        .getDeviceInfo, .getStorageIDs, .getStorageInfo, .getObjectHandles, .getObjectInfo, .getDevicePropDesc,
        .getDevicePropValue,
    ]
}

/// The result of an operation.
package struct OperationResult: Hashable, Sendable {
    package var code: ResponseCode
    /// At most 5 parameters.
    package var parameters: [UInt32] = []
    /// The camera's data; empty when the session discarded the data, delivered it in pieces, or received none.
    package var data = ByteBuffer()
    /// The number of bytes that the camera sent, including discarded bytes.
    package var byteCount: UInt64 = 0
    /// Whether all announced data arrived. Incomplete data is useless, even if the code is OK.
    package var isComplete = true

    package var isSuccess: Bool { code == .ok && isComplete }
}
