import Cameras
import NIOCore

/// The reason why a device's description could not be read.
enum DescriptionFetchError: Error {
    case failed(HTTPFailure)
    case status(UInt16)
    case unreadable(DescriptionFault)
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
