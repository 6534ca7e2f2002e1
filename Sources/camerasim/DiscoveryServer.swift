import Bodies
import Cameras
import NIOCore
import NIOPosix

/// Makes the camera visible to clients, by SSDP and by the description that SSDP announces.
final class DiscoveryServer {
    struct Settings {
        /// The body, which decides how clients find it.
        var body: any SimulatedBody
        /// The interface for SSDP; nil: the interface with the camera's address.
        var interface: String?
        /// The delay of answers to searches.
        var delay = Duration.milliseconds(100)
        /// The port of the description; 0: any port.
        var descriptionPort = 64321
        var faults: [Fault] = []
    }

    /// The URL of the description; nil: the description is not served yet.
    private(set) var location: DescriptionURL?

    private var settings: Settings
    private let eventLoop: any EventLoop
    private let announcements: AnnouncementServer
    private let descriptions: DescriptionServer

    init(_ settings: Settings, on eventLoop: any EventLoop, note: @escaping (String) -> Void) {
        self.settings = settings
        self.eventLoop = eventLoop
        announcements = AnnouncementServer(on: eventLoop, note: note)
        let fault = settings.faults.lazy.compactMap { if case .description(let fault) = $0 { fault } else { nil } }
        descriptions = DescriptionServer(fault: fault.first, on: eventLoop, note: note)
    }

    /// Serves the description and announces it. Stops both if one of them fails.
    ///
    /// - Parameter address: The address and port of the camera's service.
    func appear(at address: ListenAddress) -> EventLoopFuture<Void> {
        let host = address.host
        let ear: AnnouncementServer.SSDPEndpoint
        do throws(StartFailure) {
            ear = try AnnouncementServer.SSDPEndpoint(at: host, interface: settings.interface)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let own = settings.body.discovery(at: ear.address, port: 0, service: UInt16(truncatingIfNeeded: address.port))
        if own?.isServedByBody == true { return announce(ear, address.port, service: address.port) }
        return descriptions.listen(host: host, port: settings.descriptionPort).assumeIsolated()
            .flatMap { port in
                // The system replaced port 0 by a real port. After an absence, the camera uses the same port.
                self.settings.descriptionPort = port
                return self.announce(ear, port, service: address.port)
            }
            .flatMapErrorThrowing { error in
                self.descriptions.stop()
                throw error
            }
            .nonisolated()
    }

    private func announce(
        _ ear: AnnouncementServer.SSDPEndpoint,
        _ port: Int,
        service: Int
    ) -> EventLoopFuture<Void> {
        let port = UInt16(truncatingIfNeeded: port)
        let service = UInt16(truncatingIfNeeded: service)
        guard let discovery = settings.body.discovery(at: ear.address, port: port, service: service) else {
            return eventLoop.makeFailedFuture(StartFailure(StartSentences.noDiscovery))
        }
        let location = discovery.announcement.location
        self.location = location
        descriptions.discovery = discovery
        if announcements.announcer == nil {
            announcements.announcer = SSDPAnnouncer(
                discovery.announcement,
                delay: settings.delay,
                faults: settings.faults
            )
        }
        announcements.announcer?.move(to: location)
        return announcements.start(ear)
    }

    /// The camera leaves the network. It sends byebye if `isOrderly` is true.
    func disappear(isOrderly: Bool) {
        announcements.stop(isOrderly: isOrderly)
        descriptions.stop()
    }
}
