import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// Shows that each invariant can fail. In a real run, one event that the watcher receives is replaced.
@Suite struct InvariantTests {
    // MARK: The shutter

    @Test func `a shutter at a speed that the body did not report is noticed`() throws {
        let run = try Run()
        #expect(run.checked.isEmpty)
        let other = BodySpeed(try ShutterSpeed(parsing: "1/15"))
        let wrong = run.checked { event in
            guard case .did(.fact(.pressed(var press)), let camera, let time) = event else { return [event] }
            press.shown = other
            return [.did(.fact(.pressed(press)), camera, time)]
        }
        #expect(wrong.contains(.confirmedBeforeShutter))
        let unresolved = run.checked { event in
            guard case .did(.fact(.pressed(var press)), let camera, let time) = event else { return [event] }
            press.shown = nil
            return [.did(.fact(.pressed(press)), camera, time)]
        }
        #expect(unresolved.contains(.confirmedBeforeShutter))
    }

    @Test func `a press without a request is noticed`() throws {
        let twice = try Run().checked { event in
            if case .did(.fact(.pressed), _, _) = event { [event, event] } else { [event] }
        }
        #expect(Set(twice) == [.firedOnlyWhenAsked])
    }

    @Test func `a press on another camera than the shoot's is noticed`() throws {
        let run = try Run { world in
            world.add(SimulatedCamera(model: .ilce6400), at: .away)
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 3 }
        }
        let elsewhere = run.checked { event in
            switch event {
            case .did(let action, _, let time): [.did(action, 1, time)]
            case .linked(let generation, _, let time): [.linked(generation, 1, time)]
            default: [event]
            }
        }
        #expect(elsewhere.contains(.firedOnlyWhenAsked))
    }

    @Test func `a press without a record on disk is noticed`() throws {
        let unrecorded = try Run().checked { event in
            if case .took(.ledger(.committed), _, _, _) = event { [] } else { [event] }
        }
        #expect(unrecorded.contains(.recordedBeforeShutter))
    }

    @Test func `a frame that counts and was not exposed is noticed`() throws {
        let run = try Run()
        let unexposed = run.checked { event in
            if case .did(.exposed(let frame), _, _) = event, frame.number == 2 { [] } else { [event] }
        }
        #expect(unexposed.first == .capturedWasExposed)
        let other = BodySpeed(try ShutterSpeed(parsing: "1/15"))
        let atAnother = run.checked { event in
            switch event {
            case .did(.fact(.pressed(var press)), let camera, let time):
                press.shown = other
                return [.did(.fact(.pressed(press)), camera, time)]
            case .did(.exposed(var frame), let camera, let time):
                frame.speed = other
                return [.did(.exposed(frame), camera, time)]
            default: return [event]
            }
        }
        #expect(atAnother.contains(.capturedWasExposed))
    }

    @Test func `a picture at another speed that counts as verified is noticed`() throws {
        let run = try Run()
        let other = BodySpeed(try ShutterSpeed(parsing: "1/15"))
        var core: Core?
        let verified = run.checked { event in
            switch event {
            case .took(_, _, let present, _):
                core = present
                return [event]
            case .did(.exposed(var frame), let camera, let time) where frame.number == 3:
                frame.speed = other
                guard let core else { return [event] }
                let news = PictureUpdate(
                    picture: PictureID(rawValue: 9),
                    shoot: 1,
                    frame: 2,
                    shot: Ticket(rawValue: 1),
                    content: .checked(.verified)
                )
                return [.did(.exposed(frame), camera, time), .took(.message(.picture(news)), [], core, time)]
            default: return [event]
            }
        }
        #expect(verified == [.verifiedIsRight])
    }

    @Test func `a captured frame whose only picture is not stored here is noticed`() throws {
        let run = try Run(saving: .host)
        #expect(run.checked.isEmpty)
        let unkept = run.checked { event in
            if case .took(.picture, _, _, _) = event { [] } else { [event] }
        }
        #expect(Set(unkept) == [.capturedIsKept])
        let onCard = try Run(saving: .both).checked { event in
            if case .took(.picture, _, _, _) = event { [] } else { [event] }
        }
        #expect(onCard.isEmpty)
    }

    @Test func `a completed shoot that lacks an exposure is noticed`() throws {
        let lacking = try Run().checked { event in
            if case .did(.exposed(let frame), _, _) = event, frame.number == 3 { [] } else { [event] }
        }
        #expect(lacking.contains(.completedIsWhole))
    }

    @Test func `a captured frame that is fired again is noticed`() throws {
        var first: [(sends: [Effect], core: Core)] = []
        let again = try Run().checked { event in
            guard case .took(_, let effects, let core, let time) = event else { return [event] }
            let captured = core.shoot?.captured ?? 0
            if core.isCapturing, captured == 0 {
                first.append((effects.filter { if case .send = $0 { true } else { false } }, core))
            }
            guard captured == 2 else { return [event] }
            // The command of the first frame is sent once more, long after the frame was captured.
            defer { first.removeAll() }
            return [event] + first.map { .took(.deadline, $0.sends, $0.core, time) }
        }
        #expect(again.contains(.capturedStaysFired))
    }

    @Test func `an exposure too many is noticed`() throws {
        let doubled = try Run().checked { event in
            if case .did(.exposed(let frame), _, _) = event, frame.number == 2 { [event, event] } else { [event] }
        }
        #expect(doubled == [.doubledOncePerDoubt])
    }

    @Test func `a link that is closed in the middle of an exposure is noticed`() throws {
        var core: Core?
        let cut = try Run().checked { event in
            if case .took(_, _, let present, _) = event { core = present }
            guard case .did(.fact(.opened), _, let time) = event, let core else { return [event] }
            return [event, .took(.deadline, [.closeLink(core.sessionGeneration, .command)], core, time)]
        }
        #expect(cut.contains(.exposureIsNeverCut))
    }

    @Test(arguments: [false, true])
    func `a link that is closed in a longer exposure than planned is noticed if its speed was shown`(
        isShown: Bool
    ) throws {
        var core: Core?
        let cut = try Run(["jump@1=30\""]).checked { event in
            if case .took(_, _, let present, _) = event { core = present }
            guard case .did(.fact(.opened(let speed)), let camera, let time) = event, let core, speed.label == "30\""
            else { return [event] }
            let close = Event.took(.deadline, [.closeLink(core.sessionGeneration, .command)], core, time)
            return isShown ? [event, .did(.fact(.shown(speed)), camera, time), close] : [event, close]
        }
        #expect(cut.contains(.exposureIsNeverCut) == isShown)
    }

    @Test func `a pause that does not wait for the shutter is noticed`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 1 }
            world.ask(.pause())
            world.pass { $0.daemon.state("shooting") == "byCommand" }
        }
        #expect(run.checked.isEmpty)
        let open = run.checked { if case .did(.exposed, _, _) = $0 { [] } else { [$0] } }
        #expect(open.contains(.exposureIsNeverCut))
    }

    @Test func `a stop that does not wait for the shutter is noticed, unless it was requested twice`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.longPlan, streams: true))
            world.pass { $0.daemon.core.isCapturing }
            world.put(.stop)
            world.pass(.milliseconds(100))
            world.put(.stop)
            world.pass(.seconds(10))
        }
        #expect(run.checked.isEmpty)
        var stops = 0
        let once = run.checked { event in
            guard case .took(.stop, let effects, let core, let time) = event else { return [event] }
            stops += 1
            return stops == 1 ? [event] : [.took(.deadline, effects, core, time)]
        }
        #expect(once.contains(.exposureIsNeverCut))
    }

    @Test func `a busy camera that is tried too often or too seldom is noticed`() throws {
        let run = try Run(["busy@1=shutter:2"])
        #expect(run.checked.isEmpty)
        var tried: (core: Core, time: Duration)?
        let often = run.checked { event in
            guard case .took(_, _, let core, let time) = event, core.didShootChange(at: time) else { return [event] }
            guard core.isHoldingOff, let before = tried else {
                tried = (core, time)
                return [event]
            }
            return [event, .took(.deadline, [], before.core, before.time), event]
        }
        #expect(often.contains(.triedThriceWhenBusy))
        let partial = try Run(["busy@1=shutter:3"])
        #expect(partial.checked.isEmpty)
        let seldom = partial.checked { event in
            if case .took(_, _, let core, _) = event, core.isHoldingOff { [] } else { [event] }
        }
        #expect(seldom.contains(.triedThriceWhenBusy))
    }

    // MARK: The charts

    @Test(arguments: [
        (ChartFault.illegal(chart: "Shooting"), Invariant.configurationIsLegal),
        (.withoutTimer(chart: "Shooting", state: "capturing"), .waitingIsTimed),
        (.withoutState(chart: "Shooting", timer: "captureTimer"), .timerEndsWithItsState),
    ])
    func `an error in a chart is reported by its name`(fault: ChartFault, name: Invariant) throws {
        var invariants = Invariants(of: try Run.world())
        invariants.check(fault, at: .zero)
        #expect(invariants.violations.map(\.name) == [name])
    }

    // MARK: The record

    @Test func `a row that is gone after a kill is noticed`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 2 }
            world.kill()
        }
        #expect(run.checked.isEmpty)
        for change in [\VirtualLedger.Tables.losesFrame, \.forgetsCapture, \.losesShoot, \.losesSetting] {
            let lost = run.checked { event in
                guard case .died(let tables, let isPowerCut, let time) = event else { return [event] }
                return [.died(tables[keyPath: change], isPowerCut, time)]
            }
            #expect(lost == [.ledgerIsDurable])
        }
    }

    @Test func `a row that was never sent to the disk is noticed after a power cut`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 2 }
            world.kill(isPowerCut: true)
        }
        #expect(run.checked.isEmpty)
        let invented = run.checked { event in
            guard case .died(var tables, let isPowerCut, let time) = event else { return [event] }
            tables.frames[FrameKey(shoot: 1, index: 2)]?.outcome = .captured
            return [.died(tables, isPowerCut, time)]
        }
        #expect(invented == [.ledgerIsDurable])
    }

    @Test func `an unreported loss, and a frame that is fired after it without a request, are noticed`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 2 }
            world.kill()
            world.loseCommits(1)
            world.restart()
            world.pass { $0.isAtRest }
            world.ask(.shoot(Run.plan, streams: false, drops: true))
            world.pass { $0.daemon.core.outcome == .completed }
        }
        #expect(run.checked.isEmpty, "\(run.checked)")
        var wasLost = false
        let silent = run.checked { event in
            if case .lostCommits = event { wasLost = true }
            guard wasLost, case .took(let input, let effects, let core, let time) = event else { return [event] }
            let rest = effects.filter { if case .journal(let entry) = $0 { entry.level != .error } else { true } }
            return [.took(input, rest, core, time)]
        }
        #expect(silent == [.endsAreExplained])
        wasLost = false
        let fired = run.checked { event in
            if case .lostCommits = event { wasLost = true }
            guard wasLost, case .took(.request(_, .shoot), let effects, let core, let time) = event else {
                return [event]
            }
            return [.took(.deadline, effects, core, time)]
        }
        #expect(fired.contains(.firedOnlyWhenAsked), "\(fired)")
    }

    @Test func `a row that is read with other values than written is noticed`() throws {
        let run = try Run { world in
            world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 2 }
            world.kill()
            world.restart()
            world.pass { $0.isAtRest }
        }
        #expect(run.checked.isEmpty)
        let changes: [(inout LedgerContents) -> Void] = [
            { $0.lastShoot = 0 }, { $0.unfinished = nil }, { $0.settings = [] }, { $0.cameras = [] },
            { $0.unfinished?.frames[0].outcome = .planned },
        ]
        for change in changes {
            let otherwise = run.checked { event in
                guard case .took(.ledger(.opened(var contents)), let effects, let core, let time) = event else {
                    return [event]
                }
                change(&contents)
                return [.took(.ledger(.opened(contents)), effects, core, time)]
            }
            #expect(otherwise.first == .ledgerIsDurable)
        }
    }

    @Test func `a setting that is neither restored nor pending is noticed`() throws {
        let run = try Run()
        var other = try Run.world()
        other.turnSpeed(to: try ShutterSpeed(parsing: "1/8"))
        other.pass(.seconds(1))
        #expect(run.judgedEnd(of: run.world).isEmpty)
        #expect(run.judgedEnd(of: other).contains(.settingsComeBack))
    }

    // MARK: The loop

    @Test func `a queue that grows without limit is noticed`() throws {
        var isFirst = true
        let full = try Run().checked { event in
            guard isFirst, case .took(_, _, let core, let time) = event else { return [event] }
            isFirst = false
            let effects = Array(repeating: Effect.enqueue(.waveOver), count: 5000)
            return [event, .took(.deadline, effects, core, time)]
        }
        #expect(full.contains(.queuesAreBounded))
    }

    @Test func `an answer that comes twice, never, or without a request is noticed`() throws {
        let run = try Run { world in
            _ = world.ask(.getStatus)
            world.pass(.seconds(1))
            let watch = world.ask(.watch)
            world.put(.requestCancelled(watch))
            world.pass(.seconds(1))
        }
        #expect(run.checked.isEmpty)
        let twice = run.checked { event in
            guard case .took(.request(_, .getStatus), let effects, let core, let time) = event else { return [event] }
            return [.took(event.input, effects + effects, core, time)]
        }
        #expect(twice == [.answeredOnce])
        let never = run.checked { event in
            guard case .took(.request(_, .getStatus), _, let core, let time) = event else { return [event] }
            return [.took(event.input, [], core, time)]
        }
        #expect(never == [.answeredOnce])
        let after = run.checked { event in
            guard case .took(.requestCancelled(let id), _, let core, let time) = event else { return [event] }
            return [.took(event.input, [.reply(id, .done, continues: false)], core, time)]
        }
        #expect(after == [.answeredOnce])
    }

    @Test func `an answer after its time limit is noticed`() throws {
        let run = try Run { world in
            _ = world.ask(.connect(.text("192.0.2.1")))
            // A connect request may wait until the settings of the last camera are restored.
            world.pass(ConnectModel.timeMax + SettingsModel.restoringLimitMax + .seconds(20))
            _ = world.ask(.getStatus)
        }
        #expect(run.checked.isEmpty)
        let late = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            let kept = effects.filter { if case .reply(_, .camera, _) = $0 { false } else { true } }
            return [.took(input, kept, core, time)]
        }
        #expect(late == [.answeredOnce])
    }

    @Test func `a stream that outlives its shoot is noticed`() throws {
        let endless = try Run().checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            let kept = effects.filter { if case .reply(_, .progress, continues: false) = $0 { false } else { true } }
            return [.took(input, kept, core, time)]
        }
        #expect(endless == [.answeredOnce])
    }

    @Test func `a core that wakes itself without end is noticed`() throws {
        var isFirst = true
        let busy = try Run().checked { event in
            guard isFirst, case .took(_, _, let core, let time) = event else { return [event] }
            isFirst = false
            return [event] + Array(repeating: .took(.deadline, [], core, time), count: 100)
        }
        #expect(busy == [.timeAdvances])
        let back = try Run().checked { event in
            guard case .took(let input, let effects, let core, let time) = event, input == .ledger(.committed) else {
                return [event]
            }
            return [event, .took(.deadline, effects, core, time - .seconds(1))]
        }
        #expect(back.contains(.timeAdvances))
    }

    @Test func `an effect after the end of the ordered stop is noticed`() throws {
        let run = try Run { world in
            world.put(.stop)
            world.pass(.seconds(5))
        }
        #expect(run.checked.isEmpty)
        for effect in [Effect.checkRoom, .finished] {
            let after = run.checked { event in
                guard case .took(let input, let effects, let core, let time) = event, effects.contains(.finished)
                else { return [event] }
                return [.took(input, effects + [effect], core, time)]
            }
            #expect(after == [.silentAfterTheEnd])
        }
    }

    // MARK: The button

    @Test func `a press without effect, with too much, or with any effect when it is too short is noticed`() throws {
        let run = try Run { world in
            world.put(.button(.line(isPressed: false)))
            world.press(for: .milliseconds(100))
            // The second press comes too soon after the first one, so it is not accepted.
            world.pass(.milliseconds(100))
            world.press(for: .milliseconds(100))
            world.pass { $0.camera.card.count == 3 }
            world.pass(.seconds(10))
        }
        #expect(run.checked.isEmpty)
        let deaf = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            return [.took(input, effects.filter { !$0.isPress }, core, time)]
        }
        #expect(deaf == [.pressMeansOnce])
        let twice = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            let doubled = effects.flatMap { $0.isPress ? [$0, $0] : [$0] }
            return [.took(input, doubled, core, time)]
        }
        #expect(twice == [.pressMeansOnce])
        let short = run.checked { event in
            guard case .took(.button(.edge(isPressed: false, let at)), let effects, let core, let time) = event else {
                return [event]
            }
            return [.took(.button(.edge(isPressed: false, at: at - .milliseconds(71))), effects, core, time)]
        }
        #expect(short == [.pressMeansOnce])
    }

    @Test func `a press that changes a speed before the disk has it is noticed`() throws {
        let run = try Run { world in
            world.put(.button(.line(isPressed: false)))
            world.press(for: .milliseconds(100))
            world.pass { $0.camera.card.count == 3 }
            world.pass(.seconds(10))
        }
        #expect(run.checked.isEmpty)
        let unrecorded = run.checked { event in
            if case .took(.ledger(.committed), _, _, _) = event { [] } else { [event] }
        }
        #expect(unrecorded.contains(.recordedBeforeChange))
    }

    @Test func `a press that is kept until the rest is over is noticed`() throws {
        let run = try Run { world in
            world.put(.button(.line(isPressed: false)))
            world.press(for: .milliseconds(100))
            world.pass(.milliseconds(100))
            world.press(for: .milliseconds(100))
            world.pass(.seconds(30))
        }
        #expect(run.checked.isEmpty)
        let meaning = PressMeaning(.fire, shoot: nil)
        var presses = 0
        let kept = run.checked { event in
            guard case .took(.button(.edge(isPressed: false, _)), let effects, let core, let time) = event else {
                return [event]
            }
            presses += 1
            guard presses == 2 else { return [event] }
            return [event, .took(.deadline, effects + [.enqueue(.buttonPressed(meaning))], core, time)]
        }
        #expect(kept == [.pressMeansOnce])
    }

    @Test func `a press in a shoot that fires another one is noticed`() throws {
        let run = try Run { world in
            world.put(.button(.line(isPressed: false)))
            world.press(for: .milliseconds(100))
            world.pass { $0.camera.card.count == 3 }
            world.pass(.seconds(10))
            world.press(for: .milliseconds(100))
            world.pass { $0.camera.card.count == 6 }
        }
        #expect(run.checked.isEmpty)
        // The test changes the run as if the second press had begun during the first shoot.
        var inShoot: Core?
        var presses = 0
        let late = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            if core.isCapturing { inShoot = inShoot ?? core }
            guard case .button(.edge(isPressed: true, _)) = input else { return [event] }
            presses += 1
            guard presses == 2, let inShoot else { return [event] }
            return [.took(input, effects, inShoot, time), .took(.deadline, [], core, time)]
        }
        #expect(late.contains(.pressMeansOnce))
    }

    @Test func `a shoot that continues after the button was held is noticed`() throws {
        var isHeld = false
        let fired = try Run().checked { event in
            guard !isHeld, case .took(_, _, let core, let time) = event, core.isCapturing else { return [event] }
            isHeld = true
            return [event, .took(.message(.buttonHeld), [], core, time)]
        }
        #expect(fired.contains(.holdCancels))
        let run = try Run { world in
            world.put(.button(.line(isPressed: false)))
            world.ask(.shoot(Run.longPlan, streams: true))
            world.pass { $0.daemon.core.isCapturing }
            world.press(for: .seconds(3))
            world.pass(.seconds(30))
        }
        #expect(run.checked.isEmpty && run.world.daemon.core.isCancelled)
        let deaf = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            return [.took(input, effects.filter { $0 != .enqueue(.buttonHeld) }, core, time)]
        }
        #expect(deaf.contains(.holdCancels))
        let unheld = run.checked { event in
            if case .took(.button(.edge(isPressed: true, _)), _, _, _) = event { [] } else { [event] }
        }
        #expect(unheld.contains(.holdCancels))
        let endless = run.checked { event in
            guard case .took(.message(.buttonHeld), _, let core, let time) = event else { return [event] }
            return [event, .took(.deadline, [], core, time + .seconds(200))]
        }
        #expect(endless.contains(.holdCancels))
    }

    // MARK: The range

    @Test func `a bracket that leaves light of its scene out is noticed`() throws {
        let scene = Scene(columns: 96, rows: 64, base: 10)
        var options = BodyOptions()
        options.scene = SceneEye(scene)
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
            identity: InitiatorIdentity(guid: Array(1...16), name: "world"),
            transfer: TransferConfiguration(policy: .jpeg),
            ledger: .required
        )
        let camera = SimulatedCamera(model: .ilce7M4, options: options)
        var world = World(core: Core(configuration: configuration), camera: camera)
        world.pass { $0.isAtRest }
        let id = world.ask(.shoot(PlanInput(spacing: 2, goal: GoalInput()), streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        func isNoticed(before scene: Scene) -> Bool {
            var invariants = Invariants(of: world)
            invariants.checkEnd(of: world, scene: SceneEye(scene))
            return invariants.violations.map(\.name).contains(.foundRangeIsWhole)
        }
        #expect(!isNoticed(before: scene))
        for ev in [2.0, 19] {
            var other = scene
            other.shapes.append(SceneShape(.rectangle(x: 0, y: 0, width: 20, height: 20), .flat(ev)))
            #expect(isNoticed(before: other), "\(ev)")
        }
    }

    // MARK: The user

    @Test func `an end without a reason is noticed`() throws {
        let run = try Run(["no-picture@2", "no-picture@2", "no-picture@2"])
        #expect(run.checked.isEmpty)
        let silent = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            return [.took(input, effects.map(\.withoutCause), core, time)]
        }
        #expect(silent == [.endsAreExplained])
        let empty = run.checked { event in
            guard case .took(let input, let effects, let core, let time) = event else { return [event] }
            return [.took(input, effects.map { if case .status = $0 { .status("") } else { $0 } }, core, time)]
        }
        #expect(empty.first == .endsAreExplained)
    }

    @Test func `a cancel without a request is noticed`() throws {
        let run = try Run { world in
            let id = world.ask(.shoot(Run.plan, streams: true))
            world.pass { $0.camera.card.count == 1 }
            world.ask(.cancel)
            world.pass { $0.daemon.progress(of: id).last?.outcome == .cancelled }
        }
        #expect(run.checked.isEmpty)
        let unasked = run.checked { event in
            guard case .took(.request(let id, .cancel), let effects, let core, let time) = event else { return [event] }
            return [.took(.request(id, .resume), effects, core, time)]
        }
        #expect(unasked == [.endsAreExplained])
    }

    @Test func `a camera that is disconnected without an ordered end is noticed`() throws {
        let run = try Run { world in
            world.put(.stop)
            world.pass(.seconds(5))
        }
        #expect(run.judgedEnd(of: run.world, isStopped: true).isEmpty)
        let rude = run.judgedEnd(of: run.world, isStopped: true) { event in
            guard case .did(.fact(.left), let camera, let time) = event else { return [event] }
            return [.did(.fact(.left(isOrderly: false)), camera, time)]
        }
        #expect(rude == [.cameraClosedOrderly])
        var open = try Run.world()
        open.pass { $0.isAtRest }
        #expect(run.judgedEnd(of: open, isStopped: true).contains(.cameraClosedOrderly))
    }
}

// MARK: - Runs

/// The events that a watcher receives.
private enum Event: Sendable {
    case took(Input, [Effect], Core, Duration)
    case did(BodyAction, Int, Duration)
    case linked(LinkGeneration, Int, Duration)
    case added(SimulatedCamera, Int)
    case died(VirtualLedger.Tables, Bool, Duration)
    case lostCommits(VirtualLedger.Tables, Duration)

    var input: Input {
        if case .took(let input, _, _, _) = self { input } else { .deadline }
    }
}

/// Records every event that it receives.
private struct Recorder: WorldWatcher {
    var events: [Event] = []

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        events.append(.took(input, Array(performed), core, now))
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) { events.append(.did(action, camera, now)) }

    mutating func added(_ camera: SimulatedCamera, number: Int) { events.append(.added(camera, number)) }

    mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {
        events.append(.linked(generation, camera, now))
    }

    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {
        events.append(.died(ledger, isPowerCut, now))
    }

    mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration) {
        events.append(.lostCommits(ledger, now))
    }
}

/// A small world that has run. Its events can be replaced.
private struct Run {
    static let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    /// A plan with exposures of 1", 2" and 4".
    static let longPlan = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3, spacing: 1)

    let world: World
    private let start: World
    private let events: [Event]

    static func world(_ faults: [String] = [], saving target: BodySaveTarget? = nil) throws -> World {
        let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        options.saveTarget = target
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
            identity: identity,
            transfer: TransferConfiguration(policy: target == nil ? .none : .both),
            ledger: .required,
            button: ButtonConfiguration(plan: plan)
        )
        return World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: options)
        )
    }

    /// Runs a shoot to its end, and until the speed is restored.
    init(_ faults: [String] = [], saving target: BodySaveTarget? = nil) throws {
        try self.init(faults, saving: target) { world in
            let id = world.ask(.shoot(Self.plan, streams: true))
            world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
            world.pass(.seconds(30))
        }
    }

    /// - Parameter drive: the actions after the camera is connected.
    init(
        _ faults: [String] = [],
        saving target: BodySaveTarget? = nil,
        _ drive: (inout World) -> Void
    ) throws {
        var world = try Self.world(faults, saving: target)
        start = world
        world.watcher = Recorder()
        let isConnected = world.pass { $0.isAtRest }
        try #require(isConnected, "\(world.daemon.status)")
        drive(&world)
        events = try #require(world.watcher as? Recorder).events
        self.world = world
    }

    /// The violations in this run.
    var checked: [Invariant] { checked { [$0] } }

    /// The violations in this run if each event is replaced.
    func checked(_ change: (Event) -> [Event]) -> [Invariant] { watched(change).violations.map(\.name) }

    func judgedEnd(
        of world: World,
        isStopped: Bool = false,
        _ change: (Event) -> [Event] = { [$0] }
    ) -> [Invariant] {
        var invariants = watched(change)
        invariants.checkEnd(of: world, Invariants.Expectation(isStopped: isStopped))
        return invariants.violations.map(\.name)
    }

    private func watched(_ change: (Event) -> [Event]) -> Invariants {
        var invariants = Invariants(of: start)
        for event in events.flatMap(change) {
            switch event {
            case .took(let input, let effects, let core, let time):
                invariants.took(input, effects[...], core: core, at: time)
            case .did(let action, let camera, let time): invariants.did(action, camera: camera, at: time)
            case .linked(let generation, let camera, let time):
                invariants.linked(generation, to: camera, at: time)
            case .added(let camera, let number): invariants.added(camera, number: number)
            case .died(let tables, let isPowerCut, let time):
                invariants.died(ledger: tables, isPowerCut: isPowerCut, at: time)
            case .lostCommits(let tables, let time): invariants.lostCommits(ledger: tables, at: time)
            }
        }
        return invariants
    }
}

extension World {
    /// Presses the button for this long.
    fileprivate mutating func press(for length: Duration) {
        put(.button(.edge(isPressed: true, at: now)))
        pass(length)
        put(.button(.edge(isPressed: false, at: now)))
    }
}

extension Effect {
    fileprivate var isPress: Bool {
        if case .enqueue(.buttonPressed) = self { true } else { false }
    }

    fileprivate var withoutCause: Effect {
        guard case .reply(let id, .progress(var progress), let continues) = self else { return self }
        progress.cause = nil
        return .reply(id, .progress(progress), continues: continues)
    }
}

extension VirtualLedger.Tables {
    fileprivate var losesFrame: Self {
        var tables = self
        tables.frames[FrameKey(shoot: 1, index: 2)] = nil
        return tables
    }

    fileprivate var forgetsCapture: Self {
        var tables = self
        tables.frames[FrameKey(shoot: 1, index: 0)]?.outcome = .attempting
        return tables
    }

    fileprivate var losesShoot: Self {
        var tables = self
        tables.shoots[1] = nil
        return tables
    }

    fileprivate var losesSetting: Self {
        var tables = self
        tables.settings.removeAll()
        return tables
    }
}
