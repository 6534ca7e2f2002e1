import PTP

/// The steps from open connections to the body's device description, which names the maker.
extension PTPIP {
    func decide(_ handshake: PTPIPHandshake, at now: Duration) -> PTPIPNextAction {
        if now < handshake.notBefore { return .wait(until: handshake.notBefore) }
        if let until = probe.operationsFrom, now < until { return .wait(until: until) }
        let timeout = Operation.Timeout(timing.answer)
        switch handshake.step {
        case .pausing(let until): return .wait(until: until)
        case .openSession(let id):
            return .perform(Operation(.openSession, [id], timeout: timeout), name: "OpenSession")
        case .getDeviceInfo:
            return .perform(Operation(.getDeviceInfo, timeout: timeout), name: "GetDeviceInfo")
        }
    }

    mutating func finish(
        _ handshake: PTPIPHandshake,
        _ name: String,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        var next = handshake
        switch (handshake.step, result.code) {
        case (_, .deviceBusy) where handshake.attempts + 1 < timing.setUpAttemptMax:
            next.attempts += 1
            next.notBefore = turn.now + timing.setUpPause
            maker.common.stage = .handshake(next)
        case (.openSession, .ok), (.openSession, .sessionAlreadyOpen):
            next.step = .getDeviceInfo
            next.attempts = 0
            maker.common.stage = .handshake(next)
            maker.common.openedAt = turn.now
        case (.openSession(let id), .invalidTransactionID) where id < PTPIPLimits.sessionIDMax:
            next.step = .openSession(id: id + 1)
            next.attempts = 0
            maker.common.stage = .handshake(next)
        case (.getDeviceInfo, .ok) where result.isSuccess:
            identify(result, handshake.ticket, in: &turn)
        default:
            let refusal = Refusal(of: name, result, by: "camera", codeName: result.code.plainName)
            close(with: .refused(refusal), handshake.ticket, in: &turn)
        }
    }

    private mutating func identify(_ result: OperationResult, _ ticket: Ticket, in turn: inout DriverTurn) {
        let info: DeviceInfo
        do throws(DatasetError) {
            info = try DeviceInfo(decoding: result.data)
        } catch {
            let refusal = Refusal.protocolError(ConnectionSentences.descriptionUnreadable(error))
            return close(with: .refused(refusal), ticket, in: &turn)
        }
        guard let row = makers.first(where: { $0.isMakerOf(info) }) else {
            let names = makers.map(\.name)
            let sentence = ConnectionSentences.makerUnsupported(info.manufacturer, info.model, makers: names)
            return close(with: .refused(.unsupported(sentence)), ticket, in: &turn)
        }
        if makerPrefix != row.prefix {
            maker = row.make(common)
            makerPrefix = row.prefix
        }
        let identity = identity(info, row)
        maker.common.deviceInfo = info
        maker.common.identity = identity
        maker.common.stage = .settingUp(ticket)
        if probe == .unanswered { maker.common.knowledge.noteProbeUnanswered(identity.id) }
        maker.knowledge = common.knowledge.ofMaker(identity.id)
        maker.identify(in: &turn)
        conclude(in: &turn)
    }

    private func identity(_ info: DeviceInfo, _ row: PTPIPMakerRow) -> CameraIdentity {
        let guid = session.acknowledgement.map { "\($0.guid)" } ?? ""
        // A serial number of zeros identifies no body.
        let isSerialUseful = info.serialNumber.contains { $0 != "0" }
        return CameraIdentity(
            maker: info.manufacturer,
            model: info.model,
            firmware: info.deviceVersion,
            serial: info.serialNumber,
            id: "\(row.prefix):\(isSerialUseful ? info.serialNumber : guid)"
        )
    }
}

extension Refusal {
    /// The refusal for a step of the set-up that failed.
    ///
    /// - Parameters:
    ///   - model: the body's model.
    ///   - isInUse: whether the code means that another device uses the camera.
    package init(
        of step: String,
        _ result: OperationResult,
        by model: String,
        codeName: String,
        isInUse: Bool = false
    ) {
        switch result.code {
        case .deviceBusy:
            self = .inUse
        case _ where isInUse:
            self = .inUse
        case .operationNotSupported:
            self = .unsupported(ConnectionSentences.stepUnsupported(step, by: model))
        case .ok:
            self = .protocolError(ConnectionSentences.stepUnanswered(step))
        default:
            self = .protocolError(ConnectionSentences.stepFailed(step, codeName: codeName))
        }
    }
}

extension ResponseCode {
    /// The name of a standard response; the code for any other response.
    var plainName: String { name ?? rawValue.hexadecimal }
}
