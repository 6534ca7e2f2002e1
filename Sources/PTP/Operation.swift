import NIOCore

/// One operation to be carried out by an `InitiatorSession`.
package struct Operation: Hashable, Sendable {
    /// What becomes of the data that the camera sends.
    package enum DataIn: Hashable, Sendable {
        /// Kept in memory, at most so many bytes; more ends the session.
        case collect(atMost: Int)
        /// Counted and dropped as it arrives, at most so many bytes; more ends the session.
        case discard(atMost: UInt64)
        /// Handed on piece by piece as it arrives, by `.data`, and never collected; at most so many bytes, more ends
        /// the session. Whether all of it came says the result.
        case stream(atMost: UInt64)

        /// The most bytes that may come.
        package var limit: UInt64 {
            switch self {
            case .collect(let limit): UInt64(limit)
            case .discard(let limit), .stream(let limit): limit
            }
        }
    }

    /// How long the camera may take.
    package struct Patience: Hashable, Sendable {
        /// Without any packet of this transaction.
        package var silence: Duration
        /// Altogether.
        package var total: Duration

        /// `total` is at least `silence`, and both are more than nothing.
        package init(silence: Duration, total: Duration) {
            precondition(silence > .zero && total >= silence)
            self.silence = silence
            self.total = total
        }

        /// For answers that come in one piece.
        package init(_ silence: Duration) {
            self.init(silence: silence, total: silence * 4)
        }
    }

    /// What is asked.
    package var code: OperationCode
    /// At most 5.
    package var parameters: [UInt32]
    /// What we send; nil: nothing.
    package var dataOut: ByteBuffer?
    /// What becomes of the camera's data.
    package var dataIn: DataIn
    /// How long it may take.
    package var patience: Patience
    /// Whether the camera's data is known to be no part of a picture, so that recordings keep it.
    package var hasRecordableData: Bool

    /// The most bytes of an answer for which no more is asked.
    package static let smallAnswerMax = 64 << 10

    /// See the fields.
    package init(
        _ code: OperationCode,
        _ parameters: [UInt32] = [],
        dataOut: ByteBuffer? = nil,
        dataIn: DataIn = .collect(atMost: Self.smallAnswerMax),
        patience: Patience,
        hasRecordableData: Bool? = nil
    ) {
        precondition(parameters.count <= OperationRequest.parameterCountMax)
        self.code = code
        self.parameters = parameters
        self.dataOut = dataOut
        self.dataIn = dataIn
        self.patience = patience
        self.hasRecordableData = hasRecordableData ?? Self.recordableCodes.contains(code)
    }

    /// The operations of PTP that return a dataset, which is no part of a picture. A vendor's own are named by its
    /// driver.
    private static let recordableCodes: Set<OperationCode> = [
        .getDeviceInfo, .getStorageIDs, .getStorageInfo, .getObjectHandles, .getObjectInfo, .getDevicePropDesc,
        .getDevicePropValue,
    ]
}

/// How an operation came out.
package struct OperationResult: Hashable, Sendable {
    /// What the camera answered.
    package var code: ResponseCode
    /// At most 5.
    package var parameters: [UInt32]
    /// What the camera sent; empty when it was dropped or handed on, or there was nothing.
    package var data: ByteBuffer
    /// How many bytes the camera sent, kept or not.
    package var byteCount: UInt64
    /// Whether all the announced data came. Without it the data is worthless, whatever the code says.
    package var isComplete: Bool

    /// See the fields.
    package init(
        code: ResponseCode,
        parameters: [UInt32] = [],
        data: ByteBuffer = ByteBuffer(),
        byteCount: UInt64 = 0,
        isComplete: Bool = true
    ) {
        self.code = code
        self.parameters = parameters
        self.data = data
        self.byteCount = byteCount
        self.isComplete = isComplete
    }

    /// The camera said OK and all of its data came.
    package var isSuccess: Bool { code == .ok && isComplete }
}
