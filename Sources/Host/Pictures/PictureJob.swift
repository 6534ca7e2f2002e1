import Cameras
import Controller
import NIOCore

extension PictureWorker {
    enum Job: Sendable {
        case begin(PictureID, PictureDestination, offset: UInt64)
        case bytes(PictureID, ByteBuffer)
        case finish(PictureID)
        case interrupt(PictureID)
        case abandon(PictureID)
        case manifest(Manifest)
        case readLight(String)
        case readCoverage(CoverageWork)
        case checkRoom
        case clearLeftovers
        case abandonAll

        var picture: PictureID? {
            switch self {
            case .begin(let id, _, _), .bytes(let id, _), .finish(let id), .interrupt(let id), .abandon(let id): id
            case .manifest, .readLight, .readCoverage, .checkRoom, .clearLeftovers, .abandonAll: nil
            }
        }
    }

    enum Report: Sendable {
        case input(Input)
        case drained
    }
}
