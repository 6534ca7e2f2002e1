import Cameras

/// The camera that the user named.
package struct CameraChoice: Equatable, Sendable {
    /// The named camera; nil: any camera at the address.
    package var wanted: WantedCamera?
    /// The named address; nil: the camera can have any address.
    package var address: CameraAddress?

    /// The name for users.
    var name: String { wanted?.name ?? address?.description ?? "The camera" }

    /// Whether this camera, at this address, is the named one.
    func isMet(by identity: CameraIdentity?, at present: CameraAddress?) -> Bool {
        wanted.map { $0.id == identity?.id } ?? (address.map { $0 == present } ?? true)
    }
}

/// The camera that the user wants.
package enum CameraGoal: Equatable, Sendable {
    /// The configured camera, or any that is found.
    case any
    case this(CameraChoice)
    case none
}

extension CameraChoice {
    /// The camera that a client named.
    ///
    /// - Parameter last: the camera that was connected most recently; nil: none was ever connected.
    static func named(
        by target: ConnectTarget,
        among entries: [CameraEntry],
        last: CameraRow?,
        _ goal: SearchGoal
    ) -> Result<CameraChoice, RequestError> {
        switch target {
        case .last:
            if let last { return .success(CameraChoice(wanted: WantedCamera(id: last.id, name: last.name))) }
            guard let address = goal.configuredAddress else {
                return .failure(noSuchCamera("", RequestSentences.noCameraBefore))
            }
            return .success(CameraChoice(address: address))
        case .text(let text):
            return named(text, among: entries)
        }
    }

    private static func named(_ text: String, among list: [CameraEntry]) -> Result<CameraChoice, RequestError> {
        // An exact name has priority, because it can be a part of another camera's name.
        let exact = list.filter { $0.isNamed(exactly: text) }
        let typed = text.contains { ".:".contains($0) } ? CameraAddress.parse(text) : nil
        if exact.isEmpty, case .success(let address)? = typed { return named(address, text, among: list) }
        let entries = exact.isEmpty ? list.filter { $0.matches(by: text) } : exact
        if entries.count > 1 {
            let names = entries.map { $0.id ?? $0.address ?? $0.name }
            return .failure(noSuchCamera(text, RequestSentences.severalCameras(match: text, names)))
        }
        if let entry = entries.first {
            if let refusal = refusal(of: entry, text) { return .failure(refusal) }
            let address = entry.address.flatMap { try? CameraAddress.parse($0).get() }
            return .success(CameraChoice(wanted: entry.wanted, address: address))
        }
        if case .failure(let fault)? = typed { return .failure(noSuchCamera(text, fault.reason)) }
        // The error lists each camera in its shortest unambiguous form.
        let names = list.map(\.name)
        let known = list.map { entry in
            names.count { $0 == entry.name } == 1 ? entry.name : entry.id ?? entry.address ?? entry.name
        }
        return .failure(noSuchCamera(text, RequestSentences.noCamera(matches: text), known: known))
    }

    /// The choice by an address: any camera there, because many cameras have the same address.
    private static func named(
        _ address: CameraAddress,
        _ text: String,
        among list: [CameraEntry]
    ) -> Result<CameraChoice, RequestError> {
        let entries = list.filter { $0.address == text || $0.address == address.description }
        let refusals = entries.compactMap { refusal(of: $0, text) }
        if let refusal = refusals.first, refusals.count == entries.count { return .failure(refusal) }
        // The connected camera is certainly there.
        let wanted = entries.first { $0.state == .connected }?.wanted
        return .success(CameraChoice(wanted: wanted, address: address))
    }

    /// The error for a camera that no driver supports in its present mode; nil: the camera can be chosen.
    private static func refusal(of entry: CameraEntry, _ text: String) -> RequestError? {
        guard entry.state == .unfit, let remark = entry.remark else { return nil }
        return noSuchCamera(text, RequestSentences.unfitCamera(entry.name, remark))
    }

    private static func noSuchCamera(_ text: String, _ sentence: String, known: [String] = []) -> RequestError {
        .noSuchCamera(text: text, known: known, sentence: sentence)
    }
}

extension CameraEntry {
    fileprivate var wanted: WantedCamera? { id.map { WantedCamera(id: $0, name: name) } }

    /// Whether the text is the whole name or the whole id of this camera.
    fileprivate func isNamed(exactly text: String) -> Bool {
        [name, id].contains { $0?.lowercased() == text.lowercased() }
    }

    /// Whether the text is the id, the name or a word of the name of this camera.
    fileprivate func matches(by text: String) -> Bool {
        let text = text.lowercased()
        guard !text.isEmpty else { return false }
        let (words, wanted) = (name.lowercased().split(separator: " "), text.split(separator: " "))
        let isNamed = !wanted.isEmpty && wanted.allSatisfy(words.contains)
        // Early versions of bracketd used the id without the maker.
        return isNamed || id.map { $0.lowercased().hasSuffix(":\(text)") } ?? false
    }
}
