import Cameras

/// A message that the parts of the core deliver within one input: it does not pass the queue.
///
/// A ``Message`` of the queue is a turn of its own, and other inputs may come before it. These messages must not wait.
/// A row belongs in the same ledger commit as the shoot's. A command belongs in the same input as the state that leads
/// to it. A client's answer follows what it requested.
///
/// As with the queue, no part calls another one. A part's messages are delivered when it returns, before its own
/// message goes to the next receiver.
enum TurnMessage: Equatable, Sendable {
    // MARK: The camera

    /// A command for the driver; the driver received it, with this ticket.
    case command(CameraCommand, from: CommandSource)
    case commandGiven(CameraCommand, Ticket, from: CommandSource)
    /// Another session begins.
    case sessionBegins
    /// A driver's action for a picture.
    case pictureAction(PictureAction, of: PictureID)
    /// An event of the camera, before any chart acts on it.
    case cameraShows(CameraEvent, Ticket?)
    /// The camera answered the last command of the settings chart; no other part receives it.
    case settingsAnswered(CameraEvent)
    /// The camera answered the last command of the shooting chart, or reports without a command: for the timing.
    case shootAnswered(CameraEvent)
    case cameraReported(CameraEvent, to: EventReaders)
    /// The camera refused the connection.
    case cameraRefused(Refusal)

    // MARK: Finding a camera

    /// The connection waits for an address; the finder has one.
    case addressWanted
    case addressFound(CameraOffer)
    /// Cameras are to be searched for, or no more, if a search is configured.
    case searchWanted(Bool)
    /// The only known camera refused the connection.
    case onlyCameraRefused(Refusal)
    /// Whether other cameras can be called instead of the one that refused.
    case othersAvailable(Bool)
    /// The session that is being opened is no longer wanted; it is closed separately.
    case sessionReleased(at: CameraAddress)
    case sessionToClose(OpenSession)
    /// A search opened this session, which now belongs to the camera.
    case sessionAdopted(OpenSession)
    /// This camera was connected.
    case cameraNoted(CameraRow)
    /// The ledger has these cameras.
    case camerasRestored([CameraRow])
    /// Whether a client watches the list of cameras.
    case camerasWatched(Bool)
    /// The interfaces of the search have changed.
    case interfacesChanged
    /// The user wants another camera.
    case goalChanged

    // MARK: The connection

    /// The connection's chart has changed its state.
    case connectionMoved
    /// The user wants a camera, and the connection's chart has received that.
    case connectionRestarted
    case connectionStopped
    /// The stop has restored the settings, as far as possible.
    case settingsOver

    // MARK: The shoot

    /// The progress may have changed, for clients that follow it.
    case progressChanged
    /// The new shoot is on disk, or cannot be soon.
    case shootRecorded
    /// Another shoot begins: for the streams of the last one its outcome is final.
    case streamsEnd
    /// The shoot is over, or has changed after its end.
    case shootOver
    /// A shoot of the ledger replaces the last one.
    indirect case shootRestored(LedgerContents.Unfinished)

    // MARK: The ledger

    /// The ledger is open, with what earlier runs of the daemon left.
    indirect case ledgerOpened(LedgerContents)
    /// The records begin with the content of the ledger.
    ///
    /// - Parameters:
    ///   - lastShoot: the last shoot that this run began before; 0: none.
    ///   - isMissing: whether frames of an earlier run's shoot are to be fired.
    indirect case recordsFound(LedgerContents, lastShoot: Int, isMissing: Bool)
    /// The shoot and the settings have adopted the content of the ledger.
    indirect case recovered(LedgerContents)
    /// This is to be recorded, with the next commit at the latest.
    indirect case keep(RecordItem)
    /// The recorded changes must be on disk now.
    case commit(mark: Int?, isDurable: Bool)
    /// A client's query of the ledger. The request is to be handled with the answer; nil: the client is answered.
    indirect case ledgerWanted(LedgerQuery, Request?, RequestID)
    /// The ledger's answer to a client.
    indirect case ledgerRead(RequestID, LedgerAnswer)
    /// The shoot of a client's request.
    indirect case shootRead(LedgerContents.Unfinished, Request, RequestID)

    // MARK: The end

    /// A stop was requested; the same, with what the shoot needs until then.
    case stopRequested
    case stop(StopOrder)
    /// The ordered stop begins: the clients' requests end.
    case stopping

    // MARK: Clients

    /// A client wants to set a property, and nothing prevents it.
    case propertyRequested(PropertyRequest)
    case wait(RequestID, for: Subscriptions.Topic)
    /// A client waits or watches from now on, unless the topic is at its limit.
    indirect case subscribe(Subscription)
    /// A reply for the clients that watch.
    indirect case publish(Reply, to: Subscriptions.Topic)
    indirect case answer(Subscriptions.Topic, Reply)
    indirect case fail(Subscriptions.Topic, RequestError)
    /// The same, because no camera is connected.
    case failWithoutCamera(Subscriptions.Topic)
    case refuseWithoutCamera(RequestID)
    /// The clients get the report of the connected camera.
    case describeCamera(to: Subscriptions.Topic)
    /// The clients that wait for the end of the session get their answer.
    case answerReleases
}

/// An item for the ledger.
enum RecordItem: Equatable, Sendable {
    case shoot(ShootState)
    /// There is no shoot any more: the missing frames of the last one were dropped.
    case noShoot
    case timing(TimingRow)
    /// Nil: the setting is no longer to be restored.
    case setting(SettingKey, SettingRow?)
    /// The result of comparing a picture with a frame of an earlier shoot.
    case verdict(Verdict, FrameKey, files: [String])
}

extension TurnMessage {
    /// The receivers of a message, in order: with ``Message/receivers`` the whole table.
    var receivers: [Receiver] {
        switch self {
        case .publish, .subscribe, .wait, .answer, .fail, .failWithoutCamera, .refuseWithoutCamera, .describeCamera,
            .answerReleases, .ledgerRead:
            [.subscriptions]
        case .command, .sessionReleased: [.session]
        case .commandGiven, .sessionBegins, .pictureAction, .shootOver: [.pictures]
        case .cameraShows: [.connection, .pictures]
        case .settingsAnswered: [.settings]
        case .shootAnswered, .shootRead, .stopRequested: [.shooting]
        case .cameraReported: [.connection, .settings, .shooting]
        case .cameraRefused, .addressWanted, .searchWanted, .sessionToClose, .camerasRestored, .camerasWatched,
            .interfacesChanged, .goalChanged:
            [.finder]
        case .addressFound, .onlyCameraRefused, .othersAvailable, .settingsOver: [.connection]
        case .sessionAdopted: [.session, .connection]
        case .cameraNoted, .recordsFound, .keep, .commit, .ledgerWanted: [.records]
        case .connectionMoved: [.publisher, .requests]
        case .connectionRestarted: [.network]
        case .connectionStopped: [.records, .finder]
        case .propertyRequested: [.settings, .session]
        case .progressChanged, .streamsEnd: [.publisher]
        case .shootRecorded: [.publisher, .subscriptions]
        case .shootRestored: [.records, .pictures]
        case .ledgerOpened: [.pictures, .shooting]
        case .recovered: [.records, .shooting]
        case .stop: [.service]
        case .stopping: [.session, .requests, .button, .shooting, .publisher, .subscriptions, .settings]
        }
    }
}
