import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// The button on the tripod, from the kernel's edges to their effect on the shoot.
@Suite struct ButtonTests {
    private static let plan = PlanInput(shadow: "1/125", highlight: "1/500", frames: 3)
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3)

    /// A bench with a camera that is ready and a button that is not pressed.
    private func bench(
        fires plan: PlanInput = Self.plan,
        while word: PressWhileShooting = .pause,
        rules: ButtonRules = ButtonRules()
    ) -> Bench {
        var bench = Bench { configuration in
            configuration.button = ButtonConfiguration(rules: rules, pressWhileShooting: word, plan: plan)
        }
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.button(.line(isPressed: false)))
        return bench
    }

    private func edge(_ isPressed: Bool, _ bench: inout Bench, late: Duration = .zero) {
        bench.put(.button(.edge(isPressed: isPressed, at: bench.now - late)))
    }

    private func press(_ bench: inout Bench, for time: Duration = .milliseconds(150)) {
        edge(true, &bench)
        bench.pass(time)
        edge(false, &bench)
    }

    /// A worn contact, which is closed for 10 ms of each 20 ms.
    private func spark(_ bench: inout Bench, for time: Duration) {
        for _ in 0..<Int(time / .milliseconds(20)) {
            edge(true, &bench)
            bench.pass(.milliseconds(10))
            edge(false, &bench)
            bench.pass(.milliseconds(10))
        }
    }

    /// Advances the time until the next press is accepted.
    private func passRest(_ bench: inout Bench) { bench.pass(ButtonRules().lockout) }

    private func isActive(_ state: String, _ bench: Bench) -> Bool {
        bench.status.charts.contains { $0.configuration.contains(state) }
    }

    private func shots(_ bench: Bench) -> Int { bench.status.shoot?.shoot ?? 0 }

    @Test func `a short press fires the configured plan when the button is released`() {
        var bench = bench()
        edge(true, &bench)
        bench.pass(.milliseconds(150))
        #expect(bench.status.shoot == nil)
        edge(false, &bench)
        #expect(bench.status.shoot?.total == 3)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.status.shoot?.captured == 3)
    }

    @Test func `a press fires the plan that was armed last, until the configured plan is armed again`() {
        var bench = bench()
        let order = bench.ask(.arm(PlanInput(shadow: "1/15", highlight: "1/250", frames: 5)))
        #expect(bench.answers(to: order) == [.reply(.done, continues: false)])
        press(&bench)
        #expect(bench.status.shoot?.total == 5)
        bench.pass { $0.state("shooting") == "completed" }
        bench.ask(.arm(nil))
        bench.pass(.seconds(1))
        press(&bench)
        #expect(bench.status.shoot?.total == 3)
    }

    @Test func `the status says what a press fires, if there is a button`() {
        var bench = bench()
        #expect(bench.status.armed?.hasPrefix("1/500 to 1/125") == true)
        bench.ask(.arm(PlanInput(shadow: "1/15", highlight: "1/250", frames: 5)))
        #expect(bench.status.armed?.hasPrefix("1/250 to 1/15") == true)
        bench.put(.button(.gone))
        #expect(bench.status.armed == nil)
    }

    @Test func `an armed plan stays armed after a kill`() {
        var bench = bench()
        bench.ask(.arm(PlanInput(shadow: "1/15", highlight: "1/250", frames: 5)))
        bench.kill()
        bench.restart()
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.button(.line(isPressed: false)))
        press(&bench)
        #expect(bench.status.shoot?.total == 5)
    }

    @Test func `a plan that is armed by its hash is kept whole, because the daemon forgets the hash`() throws {
        var bench = bench()
        let question = bench.ask(.plan(Self.plan))
        guard case .reply(.plan(let report), _) = try #require(bench.answers(to: question).first) else {
            Issue.record("no plan")
            return
        }
        bench.ask(.arm(PlanInput(hash: report.hash)))
        let kept = try #require(bench.daemon.armedPlan)
        #expect(kept.hash == nil && kept.shadow == Self.plan.shadow && kept.frames == Self.plan.frames)
    }

    @Test func `a press fires the missing frames of a shoot that ended early, and no new shoot`() {
        var bench = Bench(ScriptedCamera(twists: [.noPicture(2)])) { configuration in
            configuration.button = ButtonConfiguration(plan: Self.plan)
        }
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.button(.line(isPressed: false)))
        press(&bench)
        bench.pass { $0.state("shooting") == "partial" }
        #expect(bench.status.armed == "the missing frames of shoot 1, 2 of 3 exposures")
        press(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(shots(bench) == 1 && bench.status.shoot?.captured == 3)
    }

    @Test func `an invalid plan is not armed, and the refusal gives the reason`() throws {
        var bench = bench()
        let order = bench.ask(.arm(PlanInput(frames: 4)))
        guard case .error(.invalidPlan) = try #require(bench.answers(to: order).first) else {
            Issue.record("armed")
            return
        }
        press(&bench)
        #expect(bench.status.shoot?.total == 3)
    }

    @Test func `the reply to arm says whether the plan is on disk`() {
        var bench = bench()
        var effects = Effects()
        var core = bench.daemon.core
        core.handle(.request(RequestID(rawValue: 77), .arm(Self.plan)), at: bench.now, into: &effects)
        #expect(effects.list.contains(.keepPlan(Self.plan, for: RequestID(rawValue: 77))))
        #expect(!effects.list.contains(.reply(RequestID(rawValue: 77), .done, continues: false)))
        effects.removeAll()
        core.handle(.planKept(RequestID(rawValue: 77), failure: "The disk is full."), at: bench.now, into: &effects)
        let refusal = RequestError.planNotKept(sentence: "The disk is full.")
        #expect(effects.list.contains(.fail(RequestID(rawValue: 77), refusal)))
        press(&bench)
    }

    @Test func `a press that is too short is ignored and journaled`() {
        var bench = bench()
        press(&bench, for: .milliseconds(29))
        #expect(bench.status.shoot == nil)
        #expect(bench.journal.contains { $0.level == .debug && $0.message.contains("29 ms") })
        bench.pass(.seconds(1))
        press(&bench, for: .milliseconds(30))
        #expect(bench.status.shoot != nil)
    }

    @Test func `a press in a shoot pauses it after the frame, and another press resumes it`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") == "capturing")
        press(&bench)
        #expect(bench.state("shooting") == "capturing")
        bench.pass { $0.state("shooting") == "byCommand" }
        #expect(bench.status.shoot?.captured == 1)
        bench.pass(.seconds(1))
        press(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.status.shoot?.captured == 3)
    }

    @Test func `a second press before the frame's end withdraws the pause`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") == "capturing")
        press(&bench)
        #expect(isActive("pauseWanted", bench))
        bench.pass(.milliseconds(400))
        press(&bench)
        #expect(!isActive("pauseWanted", bench))
    }

    @Test func `a press in a shoot is ignored if the configuration says so`() {
        var bench = bench(fires: Self.long, while: .nothing)
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") == "capturing")
        press(&bench)
        #expect(!isActive("pauseWanted", bench))
        bench.pass { $0.state("shooting") == "completed" }
    }

    @Test func `a hold of two seconds stops the shoot after its frame, while the button is still down`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") == "capturing")
        edge(true, &bench)
        bench.pass(.milliseconds(1999))
        #expect(!isActive("cancelWanted", bench) && bench.state("shooting") != "cancelled")
        bench.pass(.milliseconds(2))
        #expect(isActive("cancelWanted", bench) || bench.state("shooting") == "cancelled")
        bench.pass { $0.state("shooting") == "cancelled" }
        edge(false, &bench)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "cancelled")
    }

    @Test func `a long press counts as a hold though both edges come at once`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") == "capturing")
        let now = bench.now
        bench.put(.button(.edge(isPressed: true, at: now - .seconds(3))))
        bench.put(.button(.edge(isPressed: false, at: now)))
        #expect(isActive("cancelWanted", bench))
    }

    @Test func `a late loop does not make a hold of a short press`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        edge(true, &bench)
        let now = bench.now
        bench.stall(.seconds(3))
        bench.put(.button(.edge(isPressed: false, at: now + .milliseconds(150))))
        #expect(isActive("pauseWanted", bench) && !isActive("cancelWanted", bench))
    }

    @Test func `a loop that receives a whole short press late counts no hold, and counts two presses as one`() {
        var bench = bench()
        let now = bench.now
        bench.stall(.seconds(5))
        var effects = Effects()
        var core = bench.daemon.core
        for (index, isPressed) in [true, false, true, false].enumerated() {
            let edge = ButtonLineEvent.edge(isPressed: isPressed, at: now + .milliseconds(100 * index))
            core.handle(.button(edge), at: bench.now, into: &effects)
        }
        let meaning = PressMeaning(.fire, shoot: nil)
        let messages = effects.list.filter { if case .enqueue = $0 { true } else { false } }
        #expect(messages == [.enqueue(.buttonPressed(meaning))])
    }

    @Test func `a hold without a shoot fires nothing`() {
        var bench = bench()
        press(&bench, for: .seconds(3))
        bench.pass(.seconds(10))
        #expect(bench.status.shoot == nil)
    }

    @Test func `presses during the rest after a press are not kept for later`() {
        var bench = bench()
        press(&bench, for: .milliseconds(50))
        press(&bench, for: .milliseconds(50))
        press(&bench, for: .milliseconds(50))
        #expect(!isActive("pauseWanted", bench) && bench.state("shooting") != "byCommand")
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(10))
        #expect(shots(bench) == 1)
    }

    @Test func `a button that went down unseen has no effect until it is released`() {
        var bench = bench()
        press(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(1))
        press(&bench, for: .milliseconds(50))
        // The button goes down again before the next press is accepted.
        bench.pass(.milliseconds(100))
        edge(true, &bench)
        bench.pass(.seconds(5))
        edge(false, &bench)
        bench.pass(.seconds(30))
        #expect(shots(bench) == 2)
        press(&bench)
        #expect(shots(bench) == 3)
    }

    @Test func `a button that is down when the daemon starts has no effect until it is released`() {
        var bench = Bench { $0.button.plan = Self.plan }
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.button(.line(isPressed: true)))
        bench.pass(.seconds(10))
        edge(false, &bench)
        bench.pass(.seconds(10))
        #expect(bench.status.shoot == nil)
        press(&bench)
        #expect(bench.status.shoot != nil)
    }

    @Test func `a line that disappears during a press ends it`() {
        var bench = bench()
        edge(true, &bench)
        bench.put(.button(.gone))
        #expect(bench.state("button") == "absent")
        bench.put(.button(.line(isPressed: false)))
        bench.pass(.seconds(10))
        #expect(bench.status.shoot == nil)
        #expect(bench.state("button") == "ready")
        let told = bench.journal.filter { $0.kind == .button && $0.message.contains("line was lost or opened again") }
        #expect(told.count == 1)
    }

    @Test(arguments: [ButtonLineEvent.gone, .line(isPressed: false), .line(isPressed: true)])
    func `a press that settles while its line is read again is dropped and journaled`(news: ButtonLineEvent) {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        bench.pass(.seconds(1))
        bench.put(.button(news))
        bench.pass(.seconds(10))
        #expect(bench.status.shoot == nil)
        #expect(bench.journal.contains { $0.level == .notice && $0.message.contains("line was lost or opened again") })
    }

    @Test func `the tripod settles before the shutter is pressed`() {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        bench.pass(.milliseconds(1999))
        #expect(bench.status.shoot == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.status.shoot != nil)
    }

    @Test func `a touch while the tripod settles restarts the time to settle`() {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        bench.pass(.milliseconds(1500))
        press(&bench)
        bench.pass(.milliseconds(1999))
        #expect(bench.status.shoot == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.status.shoot != nil)
    }

    @Test func `bounces on the line do not delay a press that settles`() {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        spark(&bench, for: .milliseconds(1980))
        #expect(bench.status.shoot == nil)
        // The last bounce is still on the line when the time to settle ends.
        edge(true, &bench)
        bench.pass(.milliseconds(25))
        #expect(bench.status.shoot == nil)
        edge(false, &bench)
        #expect(bench.status.shoot != nil)
    }

    @Test func `bounces on the line do not prevent the next press`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        spark(&bench, for: .milliseconds(280))
        edge(true, &bench)
        bench.pass(.milliseconds(25))
        edge(false, &bench)
        #expect(bench.state("button") == "ready")
        press(&bench)
        #expect(isActive("pauseWanted", bench))
    }

    @Test func `a bounce does not end the rest after a press that was received late`() {
        var bench = bench(fires: Self.long)
        bench.pass(.seconds(1))
        edge(true, &bench, late: .seconds(1))
        edge(false, &bench, late: .milliseconds(850))
        bench.pass(.milliseconds(50))
        spark(&bench, for: .milliseconds(20))
        press(&bench, for: .milliseconds(50))
        #expect(!isActive("pauseWanted", bench))
    }

    @Test func `a second press that falls into the rest and is received after it is ignored`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        bench.pass(.milliseconds(350))
        edge(true, &bench, late: .milliseconds(250))
        edge(false, &bench, late: .milliseconds(150))
        #expect(shots(bench) == 1 && !isActive("pauseWanted", bench))
        bench.pass(.milliseconds(300))
        press(&bench)
        #expect(isActive("pauseWanted", bench))
    }

    @Test func `a line that is read again does not end the rest`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        bench.put(.button(.line(isPressed: false)))
        press(&bench, for: .milliseconds(100))
        #expect(!isActive("pauseWanted", bench))
        edge(true, &bench)
        bench.pass(.milliseconds(100))
        bench.put(.button(.line(isPressed: false)))
        #expect(bench.journal.contains { $0.level == .notice && $0.message.contains("line was lost or opened again") })
        press(&bench, for: .milliseconds(100))
        #expect(!isActive("pauseWanted", bench))
        passRest(&bench)
        press(&bench)
        #expect(isActive("pauseWanted", bench))
    }

    @Test(arguments: [Duration.zero, .milliseconds(150), .seconds(1)])
    func `a press that still settles when a stop is ordered is dropped and journaled`(
        touchedAfter time: Duration
    ) {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        edge(true, &bench)
        if time > .zero {
            bench.pass(.milliseconds(150))
            edge(false, &bench)
        }
        if time > .milliseconds(150) {
            bench.pass(time)
            edge(true, &bench)
        }
        bench.put(.stop)
        let told = bench.journal.filter { $0.kind == .button && $0.level == .notice }.map(\.message)
        #expect(told == ["Button press ignored: the daemon is stopping."])
    }

    @Test func `a touch at the instant when the time to settle ends restarts it`() {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        bench.pass(.milliseconds(1900))
        press(&bench, for: .milliseconds(200))
        bench.pass(.milliseconds(1999))
        #expect(bench.status.shoot == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.status.shoot != nil)
    }

    @Test func `a hold that begins before the rest is over cancels after two seconds, and not later`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        bench.pass(.milliseconds(200))
        edge(true, &bench)
        bench.pass(.milliseconds(1999))
        #expect(!isActive("cancelWanted", bench))
        bench.pass(.milliseconds(1))
        #expect(isActive("cancelWanted", bench) || bench.state("shooting") == "cancelled")
    }

    @Test(arguments: [false, true])
    func `a hold before its press has settled has no effect`(isHeardLate: Bool) {
        var bench = bench(rules: ButtonRules(settle: .seconds(2)))
        press(&bench)
        bench.pass(.seconds(1))
        if isHeardLate {
            bench.put(.button(.edge(isPressed: true, at: bench.now - .seconds(3))))
        } else {
            edge(true, &bench)
            bench.pass(.seconds(3))
        }
        edge(false, &bench)
        bench.pass(.seconds(10))
        #expect(bench.status.shoot == nil)
        #expect(bench.journal.contains { $0.level == .notice && $0.message.contains("the button was held again") })
        press(&bench)
        bench.pass(.seconds(2))
        #expect(bench.status.shoot != nil)
    }

    @Test(arguments: [false, true])
    func `a hold that begins right after the press that fired cancels the shoot`(isHeardLate: Bool) {
        var bench = bench(fires: Self.long)
        press(&bench)
        bench.pass(.milliseconds(100))
        if isHeardLate {
            bench.put(.button(.edge(isPressed: true, at: bench.now - .seconds(3))))
            edge(false, &bench)
        } else {
            edge(true, &bench)
            bench.pass(.seconds(2))
        }
        #expect(isActive("cancelWanted", bench) || bench.state("shooting") == "cancelled")
    }

    // MARK: The state when the button went down

    @Test func `a press to pause a shoot that ends before the release fires no other shoot`() {
        var bench = bench(fires: PlanInput(shadow: "1/2", highlight: "1/2"))
        press(&bench)
        passRest(&bench)
        #expect(bench.state("shooting") != "completed")
        edge(true, &bench)
        bench.pass { $0.state("shooting") == "completed" }
        edge(false, &bench)
        bench.pass(.seconds(10))
        #expect(shots(bench) == 1 && bench.state("shooting") == "completed")
        let told = "Button press ignored: it was to pause the shoot. A new press would fire the plan."
        #expect(bench.journal.contains { $0.level == .notice && $0.kind == .button && $0.message == told })
    }

    @Test func `a press to fire does not pause a shoot that a client began before the release`() {
        var bench = bench()
        edge(true, &bench)
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass(.milliseconds(100))
        edge(false, &bench)
        #expect(!isActive("pauseWanted", bench))
        bench.pass { $0.state("shooting") == "completed" }
    }

    @Test func `a press to fire has no effect if another shoot began and ended before the release`() {
        var bench = bench()
        edge(true, &bench)
        bench.ask(.shoot(PlanInput(shadow: "1/500", highlight: "1/500"), streams: false))
        bench.pass { $0.state("shooting") == "completed" }
        edge(false, &bench)
        bench.pass(.seconds(10))
        #expect(shots(bench) == 1)
        let told =
            "Button press ignored: it was to fire the plan, but another shoot began or ended after the press."
        #expect(bench.journal.contains { $0.level == .notice && $0.kind == .button && $0.message == told })
    }

    @Test func `a press during a shoot that ignores presses fires nothing after the shoot`() {
        var bench = bench(while: .nothing)
        press(&bench)
        passRest(&bench)
        edge(true, &bench)
        bench.pass { $0.state("shooting") == "completed" }
        edge(false, &bench)
        bench.pass(.seconds(10))
        #expect(shots(bench) == 1)
    }

    @Test func `a press to pause takes effect though the camera is lost before the release`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        passRest(&bench)
        edge(true, &bench)
        bench.pass(.milliseconds(100))
        bench.put(.network(.noRoute))
        #expect(isActive("awaitingCamera", bench))
        edge(false, &bench)
        #expect(isActive("pauseWanted", bench))
    }

    @Test func `a press without a camera is reported and fires nothing later`() {
        var bench = Bench(address: nil) { $0.button.plan = Self.plan }
        bench.put(.button(.line(isPressed: false)))
        press(&bench)
        let refusal = bench.journal.last { $0.kind == .button }
        #expect(refusal?.level == .warning)
        #expect(refusal?.message.hasPrefix("The button was pressed, but that has no effect: ") == true)
        bench.pass(.seconds(60))
        #expect(bench.status.shoot == nil)
    }

    @Test func `a press resumes a shoot that the daemon's end interrupted`() {
        var bench = bench(fires: Self.long)
        press(&bench)
        bench.pass { $0.status.shoot?.captured == 1 }
        bench.kill()
        bench.restart()
        bench.pass { $0.state("shooting") == "interrupted" && $0.state("connection") == "connected" }
        bench.put(.button(.line(isPressed: false)))
        press(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.status.shoot?.total == 3 && shots(bench) == 1)
    }

    @Test func `each edge is journaled at debug level`() {
        var bench = bench()
        press(&bench)
        let edges = bench.journal.filter { $0.message.hasPrefix("The button was ") && $0.level == .debug }
        #expect(edges.count == 2)
    }
}
