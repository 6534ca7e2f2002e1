import Cameras
import JSON

/// The events: one poll waits for changes, and each change is sent once.
extension SonyHTTPBody {
    /// The time after which a poll without changes ends: 15 s up to version 1.1, 60 s later (SR 4.x; the time of
    /// version 1.2 is not known).
    private static func limit(ofVersion version: String) -> Duration {
        ["1.0", "1.1"].contains(version) ? .seconds(15) : .seconds(60)
    }

    /// Notes a changed value for the next event.
    mutating func note(_ type: String) {
        if let position = SonyHTTPEventSlot.position(of: type) { changed.insert(position) }
        repeatsLeft = faults.first { if case .eventStorm(let times) = $0 { times - 1 } else { nil } } ?? 0
    }

    mutating func noteAll() { changed.formUnion(SonyHTTPEventSlot.types.indices) }

    // MARK: Calls

    mutating func takePoll(_ waiter: Waiter, at now: Duration) {
        guard let isLong = waiter.call.params.first?.boolValue else {
            return reply(.illegalArgument, to: waiter, at: now)
        }
        openSession(at: now)
        guard isLong else { return send(Array(SonyHTTPEventSlot.types.indices), to: waiter, at: now) }
        // A second poll displaces the first one (SR).
        if let poll { reply(.doublePolling, to: poll, at: now) }
        poll = Waiter(id: waiter.id, call: waiter.call, until: now + Self.limit(ofVersion: waiter.call.version))
    }

    /// Answers the poll if something has changed, or if its time is over.
    mutating func answerPoll(at now: Duration) {
        guard let waiter = poll else { return }
        let isSilent = faults.first { if case .eventsSilent = $0 { true } else { nil } } ?? false
        let places = count(ofVersion: waiter.call.version)
        let news = isSilent ? [] : changed.filter { $0 < places }.sorted()
        guard news.isEmpty else {
            poll = nil
            return send(news, to: waiter, at: now)
        }
        guard waiter.until <= now else { return }
        poll = nil
        calledAt = now
        switch faults.first({ if case .pollEnd(let end) = $0 { end } else { nil } }) ?? model.pollEnd {
        case .nulls: send([], to: waiter, at: now)
        case .timeout: reply(.timedOut, to: waiter, at: now)
        case .unknown: reply(.unknown, to: waiter, at: now)
        }
    }

    private func count(ofVersion version: String) -> Int {
        SonyHTTPEventSlot.counts.first { $0.version == version }?.count ?? SonyHTTPEventSlot.types.count
    }

    private mutating func send(_ positions: [Int], to waiter: Waiter, at now: Duration) {
        calledAt = now
        let places = count(ofVersion: waiter.call.version)
        let speedPosition = SonyHTTPEventSlot.position(of: "shutterSpeed") ?? 0
        if positions.contains(speedPosition), hasSetting("ShutterSpeed") {
            noteReadSpeed(isPolled: waiter.call.params.first == true)
            if let fault = confirmFault(at: now) { return outputs.append(.link(fault)) }
        }
        let wanted = Set(positions)
        let slots = (0..<places).map { position -> JSONValue in
            let isList = SonyHTTPEventSlot.listPositions.contains(position)
            let value = wanted.contains(position) ? slot(SonyHTTPEventSlot.types[position]) : nil
            return value ?? (isList ? [] : .null)
        }
        if repeatsLeft > 0 { repeatsLeft -= 1 } else { changed.removeAll() }
        newURLs.removeAll()
        functionResult = nil
        (continuousURLs, bulbURLs) = ([], [])
        reply(slots, to: waiter, at: now)
    }

    private func hasSetting(_ stem: String) -> Bool { model.settings.contains { $0.stem == stem } }

    // MARK: Values

    /// The status as the body reports it.
    var status: SonyHTTPCameraStatus {
        switch function {
        case .none, .entering, .changing: return .notReady
        case .contents: return .contentsTransfer
        case .shooting: break
        }
        return switch shutter {
        case .ready: .idle
        case .focusing, .releasing, .open, .darkFrame, .stuck: .stillCapturing
        case .saving: model.reportsSaving ? .stillSaving : .stillCapturing
        case .settling(let isUnready): isUnready ? .notReady : .stillCapturing
        }
    }

    /// The object of a type; nil: the body does not report the type, or not now.
    private func slot(_ type: String) -> JSONValue? {
        switch type {
        case "availableApiList": return ["type": .string(type), "names": .strings(availableMethods)]
        case "cameraStatus": return ["type": .string(type), "cameraStatus": .string(status.rawValue)]
        case "liveviewStatus": return ["type": .string(type), "liveviewStatus": .bool(isLiveViewOn)]
        case "cameraFunction":
            guard model.hasContents else { return nil }
            let current = function == .contents ? "Contents Transfer" : "Remote Shooting"
            return [
                "type": .string(type), "currentCameraFunction": .string(current),
                "cameraFunctionCandidates": .strings(model.functions),
            ]
        case "cameraFunctionResult":
            return functionResult.map { ["type": .string(type), "cameraFunctionResult": .string($0)] }
        default: return isShooting ? shootingSlot(type) : nil
        }
    }

    /// Before the recording mode, the body reports only its methods, its status and its live view (SR 4.x).
    private var isShooting: Bool {
        switch function {
        case .shooting, .contents: true
        case .none, .entering, .changing: false
        }
    }

    private func shootingSlot(_ type: String) -> JSONValue? {
        switch type {
        case "zoomInformation":
            return model.hasPowerZoom
                ? [
                    "type": .string(type), "zoomPosition": 0, "zoomNumberBox": 1, "zoomIndexCurrentBox": 0,
                    "zoomPositionCurrentBox": 0,
                ] : nil
        case "liveviewOrientation": return ["type": .string(type), "liveviewOrientation": "0"]
        case "takePicture":
            return .array(newURLs.map { ["type": .string(type), "takePictureUrl": .strings($0)] })
        case "storageInformation":
            guard case .object(var members) = storage else { return nil }
            members["type"] = .string(type)
            return [.object(members)]
        case "focusStatus":
            return model.hasHalfPress ? ["type": .string(type), "focusStatus": .string(focusStatus)] : nil
        case "contShooting":
            let urls = continuousURLs.map { ["postviewUrl": .string($0), "thumbnailUrl": ""] as JSONValue }
            return urls.isEmpty ? nil : ["type": .string(type), "contShootingUrl": .array(urls)]
        case "bulbShooting":
            let urls = bulbURLs.map { ["postviewUrl": .string($0)] as JSONValue }
            return urls.isEmpty ? nil : ["type": .string(type), "bulbShootingUrl": .array(urls)]
        case "programShift": return ["type": .string(type), "isShifted": false]
        case "touchAFPosition": return ["type": .string(type), "currentSet": false, "currentTouchCoordinates": []]
        case "batteryInfo": return ["type": .string(type), "batteryInfo": [battery]]
        default: return settingSlot(type)
        }
    }

    private func settingSlot(_ type: String) -> JSONValue? {
        guard let setting = model.settings.first(where: { $0.type == type }) else { return nil }
        let value = value(of: setting)
        let list = JSONValue.array(candidates(of: setting))
        switch setting.form {
        case .value:
            return [
                "type": .string(type), "current\(setting.stem)": value, "\(type)Candidates": list,
            ]
        case .object(let key): return ["type": .string(type), key: value, "candidate": list]
        case .compensation:
            let limits = compensation
            return [
                "type": .string(type), "currentExposureCompensation": value, "maxExposureCompensation": limits[1],
                "minExposureCompensation": limits[2], "stepIndexOfExposureCompensation": limits[3],
            ]
        case .whiteBalance:
            let kelvin = value == "Color Temperature" ? temperature : -1
            return [
                "type": .string(type), "checkAvailability": true, "currentWhiteBalanceMode": value,
                "currentColorTemperature": .int(kelvin),
            ]
        }
    }

    /// The card. Sony's reference calls the numbers texts, but its examples and the smart remote app send numbers.
    var storage: JSONValue {
        [
            "storageID": "Memory Card 1", "recordTarget": true, "numberOfRecordableImages": .int(shotsShown),
            "recordableTime": -1, "storageDescription": "Storage Media",
        ]
    }

    /// The battery in quarters (SR 4.x); −1: unknown.
    private var battery: JSONValue {
        let level =
            switch batteryPercent {
            case ..<0: -1
            case ..<5: 0
            case ..<20: 1
            case ..<50: 2
            case ..<80: 3
            default: 4
            }
        return [
            "batteryID": "externalBattery1", "status": level < 0 ? "unknown" : "active",
            "additionalStatus": level == 0 ? "batteryNearEnd" : "", "levelNumer": .int(level), "levelDenom": 4,
            "description": "",
        ]
    }
}
