import JSON

/// What a body reported about itself: the newest value of each part of its events.
///
/// A null in an event means "unchanged" (API Reference v2.40). A part in an unexpected form is ignored, and the rest of
/// the event is valid. The reader matches objects by their type and not by their position.
package struct SonyHTTPState: Sendable {
    /// The methods that can be called now.
    package private(set) var methods: Set<SonyHTTPMethod> = []
    package private(set) var status: SonyHTTPCameraStatus?
    /// The time at which the body reported its present status for the first time.
    package private(set) var statusSince: Duration = .zero
    /// `Remote Shooting`, `Contents Transfer`; nil: the body does not report it.
    package private(set) var function: String?
    package private(set) var shootMode: String?
    /// `Focused`, `Failed`; nil: the body does not report it.
    package private(set) var focus: String?
    /// The time of the last report that changed the focus, or of the last request for the whole state.
    package private(set) var focusSince: Duration = .zero
    /// Whether the body sends live view to a client.
    package private(set) var isLiveViewOn = false
    /// How many pictures still fit on the card; nil: not reported.
    package private(set) var shotsLeft: Int?
    /// Whether a card is inserted; nil: not reported.
    package private(set) var hasCard: Bool?
    package private(set) var batteryPercent: Int?
    /// The request times of the last answer with the whole state, and of the last answer to any call about the state.
    package private(set) var wholeAt: Duration?
    /// The time at which the present list of methods was reported for the first time.
    package private(set) var methodsSince: Duration = .zero
    /// The URLs of pictures that were reported and that the driver did not take yet.
    package private(set) var urls: [String] = []
    /// The parts in an unexpected form, by their type. Each is noted once.
    package private(set) var remarks: [String] = []
    /// The values in the order of ``SonyHTTPPropertyRow/table``; nil: not reported.
    private var entries: [Entry?] = SonyHTTPPropertyRow.table.map { _ in nil }

    private struct Entry: Sendable {
        var value: SonyHTTPPropertyValue
        /// The time at which the present value was reported for the first time.
        var since: Duration
        /// The time of the newest request whose answer had this value.
        var askedAt: Duration
    }

    package init() {}

    package func has(_ method: SonyHTTPMethod) -> Bool { methods.contains(method) }

    package subscript(_ property: CameraProperty) -> SonyHTTPPropertyValue? { entry(property)?.value }

    /// The time at which the present value was reported for the first time; nil: not reported.
    package func since(_ property: CameraProperty) -> Duration? { entry(property)?.since }

    /// The time of the newest request whose answer had the present value; nil: not reported.
    package func askedAt(_ property: CameraProperty) -> Duration? { entry(property)?.askedAt }

    private func entry(_ property: CameraProperty) -> Entry? {
        SonyHTTPPropertyRow.table.firstIndex { $0.property == property }.flatMap { entries[$0] }
    }

    /// Whether a call can fire a picture. While the body is busy or in a menu, it offers no such call and no setters.
    package var isReadyToShoot: Bool {
        status == .idle && [.actTakePicture, .startContShooting, .startBulbShooting].contains { has($0) }
    }

    /// Whether both have the same content, apart from times.
    package func isSame(as other: Self) -> Bool {
        methods == other.methods && status == other.status && function == other.function
            && shootMode == other.shootMode && focus == other.focus && shotsLeft == other.shotsLeft
            && hasCard == other.hasCard && batteryPercent == other.batteryPercent && urls == other.urls
            && entries.elementsEqual(other.entries) { $0?.value == $1?.value }
    }

    package mutating func takeURLs() -> [String] {
        defer { urls.removeAll() }
        return urls
    }
}

extension SonyHTTPState {
    // MARK: Answers

    /// Adopts the result of `getEvent`.
    ///
    /// - Parameters:
    ///   - askedAt: the time of the request.
    ///   - isWhole: whether the result has the whole state, and not only changes.
    package mutating func adopt(_ result: [JSONValue], askedAt: Duration, isWhole: Bool, at now: Duration) {
        if isWhole { wholeAt = askedAt }
        for (position, place) in result.prefix(SonyHTTPLimits.namesMax).enumerated() {
            switch place {
            case .null: continue
            case .object(let object): adopt(object, position, askedAt: isWhole ? askedAt : nil, at: now)
            case .array(let objects):
                let members = objects.prefix(SonyHTTPLimits.namesMax).compactMap(\.objectValue)
                adoptList(members, at: now)
                for object in members { adopt(object, position, askedAt: isWhole ? askedAt : nil, at: now) }
            case .bool, .int, .double, .string: note("place \(position)")
            }
        }
    }

    /// Adopts the result of `getAvailableApiList`.
    package mutating func adoptMethods(_ result: [JSONValue], at now: Duration) {
        adoptMethods(result.first, askedAt: nil, at: now)
    }

    /// Adopts the result of `getStorageInformation` or the storages of an event.
    package mutating func adoptStorages(_ storages: [[String: JSONValue]]) {
        let cards = storages.filter { $0["storageID"]?.stringValue.map { $0 != "No Media" } ?? false }
        guard !storages.isEmpty else { return }
        hasCard = !cards.isEmpty
        // Sony's text calls the field a string, and its examples send a boolean.
        let target = cards.first { $0["recordTarget"]?.boolValue == true || $0["recordTarget"]?.stringValue == "true" }
        let count = (target ?? cards.first)?["numberOfRecordableImages"]
        let number = count?.intValue ?? count?.stringValue.flatMap { Int($0) }
        shotsLeft = number.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Adopts the value in the result of a method that reads one property.
    package mutating func adopt(
        _ result: [JSONValue],
        of property: CameraProperty,
        by method: SonyHTTPMethod,
        askedAt: Duration,
        at now: Duration
    ) {
        guard let index = SonyHTTPPropertyRow.table.firstIndex(where: { $0.property == property }) else { return }
        let row = SonyHTTPPropertyRow.table[index]
        if method == .getSupported(row.setting) {
            entries[index]?.value.supported = row.supported(in: result)
            return
        }
        guard let value = row.value(in: result) else { return note(property.rawValue) }
        set(value, index, askedAt: askedAt, at: now)
    }

    private mutating func adopt(
        _ object: [String: JSONValue],
        _ position: Int,
        askedAt: Duration?,
        at now: Duration
    ) {
        guard let type = object["type"]?.stringValue ?? Self.type(at: position, of: object) else {
            return note("place \(position)")
        }
        if let index = SonyHTTPPropertyRow.table.firstIndex(where: { $0.type == type }) {
            guard let value = SonyHTTPPropertyRow.table[index].value(in: object) else { return note(type) }
            return set(value, index, askedAt: askedAt, at: now)
        }
        switch type {
        case "availableApiList": adoptMethods(object["names"], askedAt: askedAt, at: now)
        case "cameraStatus": adopt(status: object["cameraStatus"], askedAt: askedAt, at: now)
        case "cameraFunction": function = text(object["currentCameraFunction"], type) ?? function
        case "shootMode": shootMode = text(object["currentShootMode"], type) ?? shootMode
        case "focusStatus": adopt(focus: text(object["focusStatus"], type), askedAt: askedAt, at: now)
        case "liveviewStatus": isLiveViewOn = object["liveviewStatus"]?.boolValue ?? isLiveViewOn
        case "takePicture": adoptURLs(object["takePictureUrl"], type)
        case "batteryInfo": adoptBatteries(object["batteryInfo"])
        default: break
        }
    }

    /// The type of an object without one; nil: not known. The newest places are named after their member (a real
    /// ILCE-5000's `getMethodTypes`), but their types are UNSURE.
    private static func type(at position: Int, of object: [String: JSONValue]) -> String? {
        guard position < SonyHTTPEventSlot.types.count else { return nil }
        let type = SonyHTTPEventSlot.types[position]
        return object[type] == nil ? nil : type
    }

    private mutating func adoptList(_ objects: [[String: JSONValue]], at now: Duration) {
        let storages = objects.filter { $0["type"]?.stringValue == "storageInformation" }
        if !storages.isEmpty { adoptStorages(storages) }
    }

    // MARK: Parts

    // A change that an event reported while the whole state was requested is not replaced, see `set`.
    private mutating func adoptMethods(_ names: JSONValue?, askedAt: Duration?, at now: Duration) {
        guard let names = names?.arrayValue else { return note("availableApiList") }
        let news = Set(names.prefix(SonyHTTPLimits.namesMax).compactMap { $0.stringValue }.map(SonyHTTPMethod.init))
        guard news != methods, askedAt.map({ methodsSince <= $0 }) ?? true else { return }
        methodsSince = now
        methods = news
    }

    private mutating func adopt(status value: JSONValue?, askedAt: Duration?, at now: Duration) {
        guard let text = text(value, "cameraStatus") else { return }
        let news = SonyHTTPCameraStatus(rawValue: text)
        guard news != status, askedAt.map({ statusSince <= $0 }) ?? true else { return }
        statusSince = now
        status = news
    }

    /// An event can repeat the focus of an earlier half press.
    private mutating func adopt(focus text: String?, askedAt: Duration?, at now: Duration) {
        guard let text else { return }
        if text != focus { focusSince = now }
        if let askedAt { focusSince = max(focusSince, askedAt) }
        focus = text
    }

    private mutating func adoptURLs(_ value: JSONValue?, _ type: String) {
        guard let list = value?.arrayValue else { return note(type) }
        for url in list.compactMap(\.shownURL) where urls.count < SonyHTTPLimits.picturesMax { urls.append(url) }
    }

    /// The charge of the battery in use, or of the first one whose charge is known.
    private mutating func adoptBatteries(_ value: JSONValue?) {
        guard let list = value?.arrayValue?.prefix(SonyHTTPLimits.namesMax) else { return note("batteryInfo") }
        let active = list.filter { $0["status"]?.stringValue == "active" }
        batteryPercent = (active + list).lazy.compactMap(Self.percent).first
    }

    private static func percent(_ battery: JSONValue) -> Int? {
        guard let level = battery["levelNumer"]?.intValue, let full = battery["levelDenom"]?.intValue,
            (1...10_000).contains(full), (0...full).contains(level)
        else { return nil }
        return level * 100 / full
    }

    private mutating func text(_ value: JSONValue?, _ type: String) -> String? {
        guard let text = value?.shownText else {
            // An empty text means that the part is not valid now.
            if value?.stringValue != "" { note(type) }
            return nil
        }
        return text
    }

    private mutating func set(_ value: SonyHTTPPropertyValue, _ index: Int, askedAt: Duration?, at now: Duration) {
        var value = value
        // An event changed the value while this request ran. It is not known which of the two is newer.
        if let askedAt, let last = entries[index], last.value.current != value.current, last.since > askedAt { return }
        if let last = entries[index]?.value {
            value.candidates = value.candidates ?? last.candidates
            value.supported = last.supported
            value.step = value.step ?? last.step
            value.kelvin = value.kelvin ?? last.kelvin
        }
        let isSame = entries[index]?.value.current == value.current
        let since = isSame ? entries[index]?.since ?? now : now
        let asked = askedAt ?? (isSame ? entries[index]?.askedAt : nil) ?? .zero
        entries[index] = Entry(value: value, since: since, askedAt: asked)
    }

    private mutating func note(_ part: String) {
        guard remarks.count < SonyHTTPLimits.remarksMax, !remarks.contains(part) else { return }
        remarks.append(part)
    }
}
