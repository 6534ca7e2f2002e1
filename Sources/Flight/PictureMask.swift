import Cameras
import Controller
import NIOCore

/// Tells which bytes of an input are left out, by what the camera's driver said. Of what a link received, all but the
/// parts of ``Effect/record(_:)``. Of the bodies of replies of HTTP, those of requests that are marked as pictures.
struct PictureMask: Sendable {
    private struct PictureRequest: Equatable, Sendable {
        let generation: LinkGeneration
        let id: HTTPRequestID
    }

    /// More requests than the core ever has.
    private static let requestsMax = 256

    /// The requests of HTTP whose replies are pictures.
    private var pictures: [PictureRequest] = []

    init() {}

    /// - Parameter effects: What the input led to.
    /// - Returns: the parts that are left out, in order.
    mutating func blanks(in input: Input, _ effects: [Effect]) -> [Range<Int>] {
        switch input {
        case .link(_, .received(_, let bytes)): Self.gaps(effects, in: bytes.readableBytes)
        case .http(let generation, let id, let event):
            blanks(in: event, of: PictureRequest(generation: generation, id: id))
        default: []
        }
    }

    /// What lies between the parts that may be kept.
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

    /// Notes a request whose reply is a picture. Of one that was cancelled an event may still come.
    mutating func performs(_ action: HTTPAction, _ id: HTTPRequestID, of generation: LinkGeneration) {
        guard case .perform(let request) = action, request.isPicture else { return }
        if pictures.count >= Self.requestsMax { pictures.removeFirst() }
        pictures.append(PictureRequest(generation: generation, id: id))
    }
}
