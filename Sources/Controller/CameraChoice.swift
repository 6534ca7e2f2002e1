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
        let exact = list.filter { $0.name.lowercased() == text.lowercased() }
        let entries = exact.isEmpty ? list.filter { $0.matches(by: text) } : exact
        if entries.count > 1 {
            let names = entries.map { $0.id ?? $0.address ?? $0.name }
            return .failure(noSuchCamera(text, RequestSentences.severalCameras(match: text, names)))
        }
        if let entry = entries.first {
            if entry.state == .unfit, let remark = entry.remark {
                return .failure(noSuchCamera(text, RequestSentences.unfitCamera(entry.name, remark)))
            }
            let address = entry.address.flatMap { try? CameraAddress.parse($0).get() }
            let wanted = entry.id.map { WantedCamera(id: $0, name: entry.name) }
            return .success(CameraChoice(wanted: wanted, address: address))
        }
        let isAddress = text.contains { ".:".contains($0) }
        switch CameraAddress.parse(text) {
        case .success(let address) where isAddress: return .success(CameraChoice(address: address))
        case .failure(let fault) where isAddress: return .failure(noSuchCamera(text, fault.reason))
        default:
            // The error lists each camera in its shortest unambiguous form.
            let names = list.map(\.name)
            let known = list.map { entry in
                names.count { $0 == entry.name } == 1 ? entry.name : entry.id ?? entry.address ?? entry.name
            }
            return .failure(noSuchCamera(text, RequestSentences.noCamera(matches: text), known: known))
        }
    }

    private static func noSuchCamera(_ text: String, _ sentence: String, known: [String] = []) -> RequestError {
        .noSuchCamera(text: text, known: known, sentence: sentence)
    }
}

extension CameraEntry {
    /// Whether the text is the id, the name, a word of the name, or the address of this camera.
    fileprivate func matches(by text: String) -> Bool {
        let text = text.lowercased()
        guard !text.isEmpty else { return false }
        let (words, wanted) = (name.lowercased().split(separator: " "), text.split(separator: " "))
        let isNamed = !wanted.isEmpty && wanted.allSatisfy(words.contains)
        // Early versions of bracketd used the id without the maker.
        let isID = id.map { $0.lowercased() == text || $0.lowercased().hasSuffix(":\(text)") } ?? false
        return isID || isNamed || address == text
            || address == CameraAddress(host: text).description
    }
}
