import Cameras
import Controller
import NIOCore

/// Selects the bytes of an input that the recording leaves out, as the camera's driver marked them. The recording keeps
/// only the parts of a link's bytes that ``Effect/record(_:)`` names. It leaves out the body of an HTTP reply if the
/// request was marked as one for a picture.
struct PictureMask: Sendable {
    private struct PictureRequest: Equatable, Sendable {
        let generation: LinkGeneration
        let id: HTTPRequestID
    }

    /// The maximum number of requests. The core never has more.
    private static let requestsMax = 256

    /// The HTTP requests whose replies are pictures.
    private var pictures: [PictureRequest] = []

    init() {}

    /// - Parameter effects: The effects of the input.
    /// - Returns: the ranges to leave out, in ascending order.
    mutating func blanks(in input: Input, _ effects: [Effect]) -> [Range<Int>] {
        switch input {
        case .link(_, .received(_, let bytes)): Self.gaps(effects, in: bytes.readableBytes)
        case .http(let generation, let id, let event):
            blanks(in: event, of: PictureRequest(generation: generation, id: id))
        default: []
        }
    }

    /// The gaps between the parts to keep.
    private static func gaps(_ effects: [Effect], in count: Int) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var end = 0
        for case .record(let parts) in effects {
            for part in parts where part.lowerBound >= end && part.upperBound <= count {
                if part.lowerBound > end { gaps.append(end..<part.lowerBound) }
                end = part.upperBound
            }
        }
        if end < count { gaps.append(end..<count) }
        return gaps
    }

    private mutating func blanks(in event: HTTPEvent, of request: PictureRequest) -> [Range<Int>] {
        guard pictures.contains(request) else { return [] }
        if event.isLast { pictures.removeAll { $0 == request } }
        switch event {
        case .reply(let reply): return [0..<reply.body.readableBytes]
        case .body(let bytes): return [0..<bytes.readableBytes]
        case .head, .end, .failed: return []
        }
    }

    /// Remembers a request whose reply is a picture. After a cancellation the request stays, because an event may still
    /// follow.
    mutating func performs(_ action: HTTPAction, _ id: HTTPRequestID, of generation: LinkGeneration) {
        guard case .perform(let request) = action, request.isPicture else { return }
        if pictures.count >= Self.requestsMax { pictures.removeFirst() }
        pictures.append(PictureRequest(generation: generation, id: id))
    }
}
