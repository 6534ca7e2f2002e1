import Cameras
import NIOCore

/// Why a device's description is not known.
enum DescriptionFetchError: Error, CustomStringConvertible {
    case failed(HTTPFailure)
    case status(UInt16)
    case unreadable(DescriptionFault)

    var description: String {
        switch self {
        case .failed(let failure): "\(failure)"
        case .status(let status) where (300..<400).contains(status):
            "the description moved, and the redirect is not followed (status \(status))"
        case .status(let status): "the server answered with status \(status)"
        case .unreadable(let fault): "\(fault)"
        }
    }
}

extension DeviceDescription {
    private static let timeout = Duration.seconds(3)

    /// The request for a description.
    static func request(at url: DescriptionURL) -> HTTPRequest {
        HTTPRequest(
            .get,
            CameraAddress(host: url.host.description, port: url.port),
            path: url.path,
            replyBytesMax: byteCountMax,
            timeout: timeout
        )
    }

    /// Reads the description from the answer.
    static func read(_ event: HTTPEvent) throws(DescriptionFetchError) -> DeviceDescription {
        switch event {
        case .reply(let reply):
            guard reply.head.status == 200 else { throw .status(reply.head.status) }
            do throws(DescriptionFault) { return try read(reply.body) } catch { throw .unreadable(error) }
        case .failed(let failure): throw .failed(failure)
        case .head, .body, .end: throw .failed(.notHTTP)
        }
    }
}
