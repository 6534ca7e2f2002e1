import Exposure
import PTP

extension NikonValueError {
    /// The text of the journal.
    package var sentence: String {
        switch self {
        case .dataset(let code, let error): "\(Self.subject(code)) cannot be read: \(error)"
        case .wrongProperty(let code, let found):
            "\(Self.subject(code)) cannot be read: the camera answered with that of \(found.nikonName)"
        case .tooManyValues(let code, let count, let limit):
            "\(Self.subject(code)) cannot be read: \(count) values are more than \(limit)"
        case .notANumber(let code, let type): "\(Self.subject(code)) cannot be read: \(type) is not a known type for it"
        }
    }

    private static func subject(_ code: PropertyCode?) -> String {
        code.map { "the camera's description of \($0.nikonName)" } ?? "the camera's list of properties"
    }
}

extension NikonEventList.Damage: CustomStringConvertible {
    /// A short text for messages.
    package var description: String {
        switch self {
        case .countMissing(let left): "the count is missing, \(left) bytes are left"
        case .countBeyondData(let count, let left): "\(count) events are more than the \(left) bytes left"
        case .tooManyEvents(let count): "\(count) events are more than \(NikonEventList.eventsMax)"
        case .tooManyParameters(let code, let count):
            "event \(code.rawValue.hexadecimal) declares \(count) parameters"
        case .eventBeyondData(let left): "the data end within an event, \(left) bytes are left"
        }
    }
}

/// The texts of the journal about the values of a Nikon body.
enum NikonValueSentences {
    static func quirk(_ row: NikonQuirks.Row, of model: String) -> String { "\(model): \(row.source)" }

    /// The speeds that the body cannot distinguish.
    static func substitutions(_ substitutions: [NikonSpeedList.Substitution]) -> String {
        let pairs = substitutions.map { "\($0.shown.label) for \($0.hidden.label)" }
        return "the camera writes its speeds in tenths of a millisecond and cannot distinguish all of them; "
            + "the plan uses \(pairs.joined(separator: ", "))"
    }

    static func liveViewProhibited(_ prohibition: NikonLiveViewProhibition) -> String {
        "live view cannot start: \(prohibition.reasons.joined(separator: ", "))"
    }
}

/// The texts of replies and the journal for a failed shutter command of a Nikon body.
enum NikonCaptureSentences {
    static let noCard = "The camera has no card that it can use. Insert a card."
    static let hardwareError = "The camera reports a hardware error. Switch it off and on again."
    static let untimedSpeed = "The camera's shutter speed is Bulb or Time. Choose another speed."
    static let mirrorUp = "The camera's release mode is mirror-up. Choose another release mode."
    static let apertureRing = "The aperture ring of the lens is not at its greatest f-number. Turn it there."
    static let cardError = "The camera cannot write to its card. Check the card or change it."
    static let cardUnformatted = "The camera's card is not formatted. Format the card in the camera."
}
