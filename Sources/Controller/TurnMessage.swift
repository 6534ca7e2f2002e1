import Cameras

/// A message that the parts of the core deliver within one input: it does not pass the queue.
///
/// A ``Message`` of the queue is a turn of its own, and other inputs may come before it. These must not wait: a row
/// belongs in the same ledger commit as the shoot's, a command in the same input as the state that leads to it, and a
/// client's answer after whatever it asked for. As with the queue, no part calls another one: what a part sends is
/// delivered when it returns, and before the message that it received goes to the next receiver.
enum TurnMessage: Equatable, Sendable {
    /// Send this to the clients that watch.
    indirect case publish(Reply, to: Subscriptions.Topic)

    // MARK: The camera

    /// The driver is to do this; and: it received it, as the command with this ticket.
    case command(CameraCommand, from: CommandSource)
    case commandGiven(CameraCommand, Ticket, from: CommandSource)
    /// Another session begins.
    case sessionBegins
    /// The driver has something for a picture.
    case pictureAction(PictureAction, of: PictureID)
    /// The camera reports, before any chart acts on it.
    case cameraShows(CameraEvent, Ticket?)
    /// The camera answered the last command of the settings chart; no other part receives it.
    case settingsAnswered(CameraEvent)
    /// The camera answered the last command of the shooting chart, or reports without being asked: for the timing.
    case shootAnswered(CameraEvent)
    case cameraReported(CameraEvent, to: EventReaders)
    /// The camera refused the connection that was tried.
    case cameraRefused(Refusal)

    // MARK: Finding a camera

    /// The connection waits for an address; and: this is one.
    case addressWanted
    case addressFound(CameraAddress)
    /// Cameras are to be searched for, or no more, where a search is configured.
    case searchWanted(Bool)
    /// The only camera that there is refused the connection.
    case onlyCameraRefused(Refusal)
    /// Whether other cameras can be called in place of the one that refused.
    case othersLeft(Bool)
    /// The session that is being opened is not wanted any more; and: it is closed on its own.
    case sessionReleased(at: CameraAddress)
    case sessionToClose(OpenSession)
    /// A search opened this session: it is the camera's.
    case sessionMet(OpenSession)
    /// This camera was connected.
    case cameraNoted(CameraRow)
    /// The ledger has these cameras.
    case camerasRecalled([CameraRow])
    /// A client watches the list of cameras; or: none does any more.
    case camerasWatched(Bool)
    /// The interfaces that cameras are searched for by are others now.
    case interfacesChanged
    /// The user wants another camera.
    case goalChanged

    // MARK: The connection

    /// The connection's chart came to another state.
    case connectionMoved
    /// The connection's chart received that the user wants a camera.
    case connectionCalled
    case connectionStopped
    /// The daemon's stop begins: what goes on for clients ends.
    case stopping
    /// The stop has put the settings back, as far as it can.
    case settingsOver

    // MARK: Clients

    /// A client wants a property set, and nothing is against it.
    case propertyRequested(PropertyRequest)
    case wait(RequestID, for: Subscriptions.Topic)
    indirect case answer(Subscriptions.Topic, Reply)
    indirect case fail(Subscriptions.Topic, RequestError)
    /// The same, because no camera is connected.
    case failWithoutCamera(Subscriptions.Topic)
    case refuseWithoutCamera(RequestID)
    /// The clients get the report of the connected camera.
    case describeCamera(to: Subscriptions.Topic)
    /// The clients that wait for the end of the session get it.
    case answerReleases
}

extension TurnMessage {
    /// The receivers of a message, in order: with ``Message/receivers`` the whole table.
    var receivers: [Receiver] {
        switch self {
        case .publish, .wait, .answer, .fail, .failWithoutCamera, .refuseWithoutCamera, .describeCamera,
            .answerReleases:
            [.subscriptions]
        case .command, .sessionReleased: [.session]
        case .commandGiven: [.pictures, .shooting]
        case .sessionBegins, .pictureAction: [.pictures]
        case .cameraShows: [.connection, .pictures]
        case .settingsAnswered: [.settings]
        case .shootAnswered: [.shooting]
        case .cameraReported: [.connection, .settings, .shooting]
        case .cameraRefused, .addressWanted, .searchWanted, .sessionToClose, .camerasRecalled, .camerasWatched,
            .interfacesChanged, .goalChanged:
            [.finder]
        case .addressFound, .onlyCameraRefused, .othersLeft, .settingsOver: [.connection]
        case .sessionMet: [.session, .connection]
        case .cameraNoted: [.records]
        case .connectionMoved: [.publisher, .requests]
        case .connectionCalled: [.network]
        case .connectionStopped: [.records, .finder]
        case .stopping: [.session, .requests]
        case .propertyRequested: [.settings, .session]
        }
    }
}
