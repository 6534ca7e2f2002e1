import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// A world in which a bracket of three frames is fired on a body of any maker, and the JPEG files are transferred.
extension World {
    static let threeFrames = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    static func transferring(from camera: SimulatedCamera) -> World {
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
            identity: InitiatorIdentity(guid: Array(1...16), name: "world"),
            transfer: TransferConfiguration(policy: .jpeg)
        )
        return World(core: Core(configuration: configuration), camera: camera).checked
    }

    /// Fires the bracket, and waits for the end of the transfers.
    mutating func fireThreeFrames() throws -> (end: Progress, photos: PhotosReport) {
        pass { $0.daemon.state("connection") == "connected" }
        let id = ask(.shoot(Self.threeFrames, streams: true))
        pass { $0.daemon.progress(of: id).last?.outcome != nil }
        pass(.seconds(60))
        let list = ask(.getPhotos)
        return (try #require(daemon.progress(of: id).last), try #require(daemon.photos(of: list)))
    }
}
