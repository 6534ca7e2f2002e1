import Cameras

/// A message between parts of the core. It is delivered within one input and does not pass the queue.
///
/// A ``Message`` of the queue has its own turn, and other inputs may come before that turn. A ``TurnMessage`` must not
/// wait. For example, a setting's row belongs in the same ledger commit as the shoot's row. A command belongs in the
/// same input as the state that leads to the command. A client's answer follows the change that the client requested.
///
/// No part of the core calls another part. When a part returns, the core first delivers the messages that the part
/// sent. Then the next receiver gets the message that the part received.
enum TurnMessage: Equatable, Sendable {
    // MARK: The camera

    /// A command for the driver.
    case command(CameraCommand, from: CommandSource)
    /// The driver has received a command and given it this ticket.
    case commandGiven(CameraCommand, Ticket, from: CommandSource)
    /// A new session begins, with the same or another camera.
    case sessionBegins
    /// A driver's action for a picture.
    case pictureAction(PictureAction, of: PictureID)
    /// An event of the camera. No chart has acted on the event yet.
    case cameraShows(CameraEvent, Ticket?)
    /// The camera's answer to the last command of the settings chart.
    case settingsAnswered(CameraEvent)
    /// An answer to the last command of the shooting chart, or a report without a command. The timing uses the event.
    case shootAnswered(CameraEvent)
    case cameraReported(CameraEvent, to: EventReaders)
    /// The camera refused the connection.
    case cameraRefused(Refusal)

    // MARK: Finding a camera

    /// The connection needs the address of a camera.
    case addressWanted
    /// The finder has an address for the connection.
    case addressFound(CameraOffer)
    /// Whether the configured search for cameras must run.
    case searchWanted(Bool)
    /// The only known camera refused the connection.
    case onlyCameraRefused(Refusal)
    /// Whether the connection can try other cameras than the one that refused.
    case othersAvailable(Bool)
    /// The connection no longer wants the session that it was opening at this address.
    case sessionReleased(at: CameraAddress)
    /// The finder must close this session.
    case sessionToClose(OpenSession)
    /// The finder opened this session for a candidate. From now on the session belongs to the connected camera.
    case sessionAdopted(OpenSession)
    /// The ledger must record that this camera was connected.
    case cameraNoted(CameraRow)
    /// The ledger has these cameras.
    case camerasRestored([CameraRow])
    /// Whether a client watches the list of cameras.
    case camerasWatched(Bool)
    /// The network interfaces that the search uses have changed.
    case interfacesChanged
    /// The user wants another camera.
    case goalChanged

    // MARK: The connection

    /// The connection's chart has changed its state.
    case connectionMoved
    /// The connection's chart has received the camera that the user wants.
    case connectionRestarted
    /// The stop has closed the connection.
    case connectionStopped
    /// The daemon stops, and no longer waits until the camera's settings are restored.
    case settingsOver

    // MARK: The shoot

    /// The progress that clients follow may have changed.
    case progressChanged
    /// The shoot needs the next frame of a bracket that finds its own range.
    case choiceWanted
    /// The new shoot is on disk, or the ledger cannot record it soon.
    case shootRecorded
    /// A new shoot begins. The outcome of the shoot before it is final for the clients that follow that shoot.
    case streamsEnd
    /// The shoot is over, or has changed after its end.
    case shootOver
    /// A shoot that was read from the ledger replaces the last shoot.
    indirect case shootRestored(LedgerContents.Unfinished)

    // MARK: The button

    /// The button went down. The payload is the action of this press.
    case pressBegan(PressMeaning)

    // MARK: The ledger

    /// The ledger is open and has this content from earlier runs of the daemon.
    indirect case ledgerOpened(LedgerContents)
    /// The records begin with the content of the ledger.
    ///
    /// - Parameters:
    ///   - lastShoot: the last shoot that this run began before the ledger was open; 0: none.
    ///   - isMissing: whether a shoot of an earlier run has missing frames that are still to be fired.
    indirect case recordsFound(LedgerContents, lastShoot: Int, isMissing: Bool)
    /// The shoot and the settings have adopted the content of the ledger.
    indirect case recovered(LedgerContents)
    /// An item for the next commit to the ledger.
    indirect case keep(RecordItem)
    /// The ledger must write the collected items to disk now.
    case commit(mark: Int?, isDurable: Bool)
    /// A client's query of the ledger, and the request that needs the answer; nil: the client itself gets the answer.
    indirect case ledgerWanted(LedgerQuery, Request?, RequestID)
    /// The ledger's answer to a client.
    indirect case ledgerRead(RequestID, LedgerAnswer)
    /// The shoot that a client's request names. It was read from the ledger.
    indirect case shootRead(LedgerContents.Unfinished, Request, RequestID)

    // MARK: The end

    /// The daemon was asked to stop.
    case stopRequested
    /// The stop request, with the state of the current shoot.
    case stop(StopOrder)
    /// The daemon begins to stop. All requests of clients end.
    case stopping

    // MARK: Clients

    /// A client wants to set a property or to use the files on the card, and the checks of the request have passed.
    case propertyRequested(PropertyRequest)
    case wait(RequestID, for: Subscriptions.Topic)
    /// A new client of a topic. If the topic is at its limit, the client is refused.
    indirect case subscribe(Subscription)
    /// A reply to every client that watches the topic.
    indirect case publish(Reply, to: Subscriptions.Topic)
    indirect case answer(Subscriptions.Topic, Reply)
    indirect case fail(Subscriptions.Topic, RequestError)
    /// Refuses the waiting clients of a topic because no camera is connected.
    case failWithoutCamera(Subscriptions.Topic)
    case refuseWithoutCamera(RequestID)
    /// The clients of a topic get the report of the connected camera.
    case describeCamera(to: Subscriptions.Topic)
    /// The clients that wait for the end of the session get their answer.
    case answerReleases
}

/// An item for the ledger.
enum RecordItem: Equatable, Sendable {
    case shoot(ShootState)
    /// No shoot: the missing frames of the last shoot were dropped.
    case noShoot
    case timing(TimingRow)
    /// The row of a setting to restore; nil: the setting no longer needs to be restored.
    case setting(SettingKey, SettingRow?)
    /// The result of comparing a picture with a frame of an earlier shoot.
    case verdict(Verdict, FrameKey, files: [String])
}

extension TurnMessage {
    /// The receivers of each message, in order. ``Message/receivers`` has those of the messages that pass the queue.
    var receivers: [Receiver] {
        switch self {
        case .publish, .subscribe, .wait, .answer, .fail, .failWithoutCamera, .refuseWithoutCamera, .describeCamera,
            .answerReleases, .ledgerRead:
            [.subscriptions]
        case .command, .sessionReleased: [.session]
        case .commandGiven, .sessionBegins, .pictureAction, .shootOver: [.pictures]
        case .cameraShows: [.connection, .pictures]
        case .settingsAnswered: [.settings]
        case .shootAnswered, .shootRead, .stopRequested, .pressBegan: [.shooting]
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
        case .choiceWanted: [.metering]
        case .shootRecorded: [.publisher, .subscriptions]
        case .shootRestored: [.records, .pictures]
        case .ledgerOpened: [.pictures, .shooting]
        case .recovered: [.records, .shooting]
        case .stop: [.service]
        case .stopping: [.session, .requests, .button, .shooting, .publisher, .subscriptions, .settings]
        }
    }
}
