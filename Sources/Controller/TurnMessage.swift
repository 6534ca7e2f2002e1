import Cameras

/// A message that the parts of the core deliver within one input: it does not pass the queue.
///
/// A ``Message`` of the queue is a turn of its own, and other inputs may come before it. These must not wait: a row
/// belongs in the same ledger commit as the shoot's, a command in the same input as the state that leads to it, and a
/// client's answer after whatever it asked for. As with the queue, no part calls another one: what a part sends is
/// delivered when it returns, and before the message that it received goes to the next receiver.
enum TurnMessage: Equatable, Sendable {
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
    case addressFound(CameraOffer)
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
    /// The stop has put the settings back, as far as it can.
    case settingsOver

    // MARK: The shoot

    /// The shoot may stand elsewhere, for clients that follow it.
    case progressChanged
    /// The shoot that began is on disk, or cannot be soon.
    case shootRecorded
    /// Another shoot begins: for the streams of the last one its outcome is final.
    case streamsEnd
    /// The shoot is over, or moved on after its end.
    case shootOver
    /// A shoot of the ledger takes the place of the last one.
    indirect case shootRecalled(LedgerContents.Unfinished)

    // MARK: The ledger

    /// The ledger is open, with what earlier runs of the daemon left.
    indirect case ledgerOpened(LedgerContents)
    /// The records begin with what the ledger has.
    ///
    /// - Parameters:
    ///   - lastShoot: the last shoot that this run began before; 0: none.
    ///   - isMissing: whether frames of the shoot that an earlier run left are to be fired.
    indirect case recordsFound(LedgerContents, lastShoot: Int, isMissing: Bool)
    /// The shoot and the settings have what the ledger has.
    indirect case recovered(LedgerContents)
    /// This is to be recorded, with the next commit at the latest.
    indirect case keep(RecordItem)
    /// What was to be recorded is wanted on disk now.
    case commit(mark: Int?, isDurable: Bool)
    /// A client wants this read. The request is what it wants done with the answer; nil: it is answered.
    indirect case ledgerWanted(LedgerQuery, Request?, RequestID)
    /// The ledger's answer to a client.
    indirect case ledgerRead(RequestID, LedgerAnswer)
    /// The shoot that a client's request is about.
    indirect case shootRead(LedgerContents.Unfinished, Request, RequestID)

    // MARK: The end

    /// The daemon was told to stop; and: the same, with what the shoot needs until then.
    case stopRequested
    case stop(StopOrder)
    /// The ordered stop begins: what goes on for clients ends.
    case stopping

    // MARK: Clients

    /// A client wants a property set, and nothing is against it.
    case propertyRequested(PropertyRequest)
    case wait(RequestID, for: Subscriptions.Topic)
    /// A client waits or watches from now on, if there are not too many.
    indirect case subscribe(Subscription)
    /// Send this to the clients that watch.
    indirect case publish(Reply, to: Subscriptions.Topic)
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

/// Something that the ledger is to have.
enum RecordItem: Equatable, Sendable {
    case shoot(ShootStanding)
    /// There is no shoot any more: what the last one lacks was dropped.
    case noShoot
    case timing(TimingRow)
    /// Nil: the setting is not to be put back any more.
    case setting(SettingKey, SettingRow?)
    case amendment(FrameAmendment)
}

/// What a picture says of a frame whose shoot is no longer the present one.
struct FrameAmendment: Equatable, Sendable {
    var frame: FrameKey
    /// Nil: it stays.
    var state: FrameState?
    /// Why it is suspect; nil: it stays.
    var doubt: String?
    var files: [String]
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
        case .cameraRefused, .addressWanted, .searchWanted, .sessionToClose, .camerasRecalled, .camerasWatched,
            .interfacesChanged, .goalChanged:
            [.finder]
        case .addressFound, .onlyCameraRefused, .othersLeft, .settingsOver: [.connection]
        case .sessionMet: [.session, .connection]
        case .cameraNoted, .recordsFound, .keep, .commit, .ledgerWanted: [.records]
        case .connectionMoved: [.publisher, .requests]
        case .connectionCalled: [.network]
        case .connectionStopped: [.records, .finder]
        case .propertyRequested: [.settings, .session]
        case .progressChanged, .streamsEnd: [.publisher]
        case .shootRecorded: [.publisher, .subscriptions]
        case .shootRecalled: [.records, .pictures]
        case .ledgerOpened: [.pictures, .shooting]
        case .recovered: [.records, .shooting]
        case .stop: [.service]
        case .stopping: [.session, .requests, .button, .shooting, .publisher, .subscriptions, .settings]
        }
    }
}
