import Cameras
import Statecharts

// The facts that a component reads about other parts while it handles a message.

extension Core {
    var goal: SearchGoal {
        SearchGoal(
            rules: searchRules,
            configuredAddress: cameraAddress,
            choice: requests.choice,
            shootCamera: shooting.wantedCamera,
            network: network.machine.behavior
        )
    }

    var finderFacts: FinderFacts {
        FinderFacts(
            goal: goal,
            connection: connection.facts,
            driver: session.driver,
            sessionGeneration: session.generation,
            isListWatched: subscriptions.contains(.cameras)
        )
    }

    var requestFacts: ConnectRequests.Facts {
        ConnectRequests.Facts(
            goal: goal,
            connection: connection.facts,
            isOnCamerasNetwork: network.isActive(.joined),
            cameras: finder.cameras,
            wasAddressPicked: finder.lastPick != nil,
            releasesWaiting: subscriptions.count(of: .disconnection),
            shoot: shooting.isActive ? .init(state: shooting.chart.state, cameraID: shooting.shoot?.camera.id) : nil
        )
    }

    var sessionFacts: CameraSession.Facts {
        CameraSession.Facts(
            isOnline: connection.isActive(.online),
            shootState: shooting.chart.state,
            isShootActive: shooting.isActive,
            isShootPaused: shooting.chart.isActive(.paused),
            settings: shooting.settingsWait
        )
    }

    var shootFacts: ShootFacts {
        ShootFacts(
            camera: cameraView,
            ledger: records.view,
            ledgerFailure: records.reasonAgainst,
            service: service.view,
            isJoined: network.isActive(.joined),
            propertyOrder: session.propertyRequest?.order,
            streamCount: subscriptions.count(of: .shoot) + subscriptions.count(of: .streamedShootRecord),
            armerCount: subscriptions.count(of: .armedPlan)
        )
    }

    var cameraView: CameraView {
        let model = connection.machine.behavior
        // Before the connection chart starts and after it ends, the chart has no state to explain.
        let isExplained = connection.machine.isRunning
        return CameraView(
            identity: model.identity,
            address: model.address,
            status: model.status,
            isOnline: connection.isActive(.online),
            isConnected: connection.isActive(.connected),
            isInModeCheck: connection.isActive(.modeCheck),
            isOffNetwork: connection.isActive(.offNetwork),
            absenceReason: model.absenceReason,
            rejection: model.refusal?.sentence,
            shutterSpeed: session.shutterSpeed,
            drive: session.properties[.drive]?.driveMode,
            absence: isExplained ? absenceSentence : "",
            refusal: isExplained ? refusalSentence : ""
        )
    }

    var pictureFacts: PictureIntake.Facts {
        let model = shooting.chart.machine.behavior
        return PictureIntake.Facts(
            shoot: model.shoot,
            isOver: !shooting.chart.isActive(.active),
            isPaused: shooting.chart.isActive(.paused),
            isStopping: service.view.isLeaving,
            status: model.camera,
            cameraID: connection.machine.behavior.identity?.id,
            cameraName: connection.machine.behavior.name
        )
    }

    /// The frames of the active shoot, for the choice of the next one; nil: it does not find its own range, or the
    /// daemon stops.
    var meteringOrder: MeteringOrder? {
        guard !service.view.isLeaving else { return nil }
        let model = shooting.chart.machine.behavior
        return model.shoot.flatMap { MeteringOrder($0, pictures.recent, speeds: model.camera?.speeds ?? []) }
    }

    /// The connected, the announced and the known cameras. Each camera has one entry.
    var cameraEntries: [CameraEntry] { finder.entries(connection.facts, network.machine.behavior) }
}

extension ShootControl {
    /// Whether a shoot runs or is paused.
    fileprivate var isActive: Bool { chart.isActive(.active) }

    /// The camera of the active shoot; nil: no shoot is active, or its camera is not known.
    fileprivate var wantedCamera: WantedCamera? {
        guard isActive, let camera = shoot?.camera, !camera.id.isEmpty else { return nil }
        return WantedCamera(id: camera.id, name: camera.name)
    }

    /// What the settings chart waits for.
    fileprivate var settingsWait: CameraSession.SettingsWait {
        if settings.isActive(.puttingBack) || settings.isActive(.lastTry) { return .setting }
        return settings.isActive(.requestingStatus) ? .reading : .nothing
    }
}
