import Cameras
import Controller

/// Replaces every sentence that the core and its world exchange, to show that the behavior depends on no sentence.
///
/// The daemon then stores, sends and receives other texts, and must behave the same.
package struct SentenceReplacement: Sendable {
    /// Returns the replacement of a sentence.
    private let words: @Sendable (String) -> String

    package init(_ words: @escaping @Sendable (String) -> String) {
        self.words = words
    }

    private func words(_ sentence: String?) -> String? { sentence.map(words) }

    private func edited<Value>(_ value: Value, _ edit: (inout Value) -> Void) -> Value {
        var value = value
        edit(&value)
        return value
    }

    // MARK: Into the core

    func replaceSentences(_ input: Input) -> Input {
        switch input {
        case .ledger(let news): .ledger(replaceSentences(news))
        case .picture(let id, .failed(let sentence, let isFull)):
            .picture(id, .failed(sentence: words(sentence), isFull: isFull))
        case .planKept(let id, let failure): .planKept(id, failure: words(failure))
        case .inspected(let findings):
            .inspected(
                HostFindings(
                    machine: findings.machine.map(replaceSentences),
                    network: findings.network.map(replaceSentences)
                )
            )
        case .message(let message): .message(replaceSentences(message))
        default: input
        }
    }

    private func replaceSentences(_ news: LedgerEvent) -> LedgerEvent {
        switch news {
        case .opened(var contents):
            contents.notice = words(contents.notice)
            if let left = contents.unfinished {
                contents.unfinished = LedgerContents.Unfinished(
                    shoot: replaceSentences(left.shoot),
                    frames: left.frames.map(replaceSentences),
                    isRecordIncomplete: left.isRecordIncomplete
                )
            }
            return .opened(contents)
        case .unavailable(let sentence): return .unavailable(words(sentence))
        case .failed(let sentence): return .failed(words(sentence))
        case .read(let id, let answer): return .read(id, replaceSentences(answer))
        case .committed, .room: return news
        }
    }

    private func replaceSentences(_ message: Message) -> Message {
        switch message {
        case .camera(let event, let ticket, let generation):
            return .camera(replaceSentences(event), ticket: ticket, generation)
        case .candidate(let generation, let event): return .candidate(generation, replaceSentences(event))
        case .candidateRefused(let refusal): return .candidateRefused(replaceSentences(refusal))
        case .cameraNotReady(let sentence): return .cameraNotReady(sentence: words(sentence))
        case .record(.refused(let mark, let sentence)):
            return .record(.refused(upTo: mark, sentence: words(sentence)))
        case .picture(var news):
            switch news.content {
            case .gone(let sentence): news.content = .gone(words(sentence))
            case .checked(.suspect(let doubt)): news.content = .checked(.suspect(.kept(words(doubt.sentence))))
            case .coming, .checked: break
            }
            return .picture(news)
        default: return message
        }
    }

    private func replaceSentences(_ event: CameraEvent) -> CameraEvent {
        switch event {
        case .refused(let refusal): .refused(replaceSentences(refusal))
        case .failed(.other(let sentence)): .failed(.other(words(sentence)))
        case .lost(.reset(let reason)): .lost(.reset(words(reason)))
        case .lost(.silent(let time, let step)): .lost(.silent(after: time, during: words(step)))
        case .lost(.cannotConnect(let reason)): .lost(.cannotConnect(words(reason)))
        case .lost(.protocolError(let sentence)): .lost(.protocolError(words(sentence)))
        default: event
        }
    }

    private func replaceSentences(_ refusal: Refusal) -> Refusal {
        switch refusal {
        case .notWaiting(let sentence): .notWaiting(words(sentence))
        case .unsupported(let sentence): .unsupported(words(sentence))
        case .protocolError(let sentence): .protocolError(words(sentence))
        case .unpaired, .inUse: refusal
        }
    }

    // MARK: Out of the core

    func replaceSentences(_ effect: Effect) -> Effect {
        switch effect {
        case .journal(let entry): return .journal(edited(entry) { $0.message = words($0.message) })
        case .reply(let id, let reply, let continues): return .reply(id, replaceSentences(reply), continues: continues)
        case .fail(let id, let error): return .fail(id, replaceSentences(error))
        case .status(let sentence): return .status(words(sentence))
        case .ledger(.commit(var commit)):
            commit.rows.shoots = commit.rows.shoots.mapValues(replaceSentences)
            commit.rows.frames = commit.rows.frames.mapValues(replaceSentences)
            return .ledger(.commit(commit))
        default: return effect
        }
    }

    private func replaceSentences(_ reply: Reply) -> Reply {
        switch reply {
        case .status(var report):
            report.sentence = words(report.sentence)
            report.shoot = report.shoot.map(replaceSentences)
            report.armed = words(report.armed)
            return .status(report)
        case .progress(let progress): return .progress(replaceSentences(progress))
        case .transition(let report): return .transition(edited(report) { $0.message = words($0.message) })
        case .photos(var report):
            report.sentence = words(report.sentence)
            report.photos = report.photos.map(replaceSentences)
            return .photos(report)
        case .photo(let photo): return .photo(replaceSentences(photo))
        case .ledger(let answer): return .ledger(replaceSentences(answer))
        case .preflight(let report): return .preflight(edited(report) { $0.checks = $0.checks.map(replaceSentences) })
        case .checks(let checks): return .checks(checks.map(replaceSentences))
        case .disconnected(let settings): return .disconnected(settings: words(settings))
        case .cameras(let entries):
            return .cameras(entries.map { edited($0) { $0.remark = words($0.remark) } })
        case .plan(var report):
            report.notes = report.notes.map(words)
            report.warnings = report.warnings.map(words)
            report.estimateBasis = words(report.estimateBasis)
            return .plan(report)
        case .camera, .property, .files, .liveView, .done: return reply
        }
    }

    private func replaceSentences(_ progress: Progress) -> Progress {
        edited(progress) {
            $0.sentence = words($0.sentence)
            $0.cause = words($0.cause)
            $0.settings = words($0.settings)
        }
    }

    private func replaceSentences(_ photo: PhotoReport) -> PhotoReport {
        edited(photo) { $0.reason = words($0.reason) }
    }

    private func replaceSentences(_ check: Check) -> Check {
        Check(check.name, check.result, words(check.sentence), advice: words(check.advice))
    }

    private func replaceSentences(_ answer: LedgerAnswer) -> LedgerAnswer {
        switch answer {
        case .shoots(let shoots):
            .shoots(
                shoots.map { ShootSummary(shoot: replaceSentences($0.shoot), captured: $0.captured, total: $0.total) }
            )
        case .shoot(let shoot, let frames): .shoot(replaceSentences(shoot), frames.map(replaceSentences))
        case .failed(let sentence): .failed(words(sentence))
        case .noShoot: answer
        }
    }

    private func replaceSentences(_ row: ShootRow) -> ShootRow { edited(row) { $0.cause = words($0.cause) } }

    private func replaceSentences(_ row: FrameRow) -> FrameRow { edited(row) { $0.doubt = words($0.doubt) } }

    private func replaceSentences(_ error: RequestError) -> RequestError {
        switch error {
        case .notConnected(let sentence): .notConnected(sentence: words(sentence))
        case .invalidPlan(let name, let value, let sentence):
            .invalidPlan(parameter: name, value: value, sentence: words(sentence))
        case .planNotExact(let warnings, let sentence):
            .planNotExact(warnings: warnings.map(words), sentence: words(sentence))
        case .planChanged(let was, let now, let sentence):
            .planChanged(was: was, now: now, sentence: words(sentence))
        case .preflightFailed(let checks, let sentence):
            .preflightFailed(checks: checks.map(replaceSentences), sentence: words(sentence))
        case .notNow(let command, let state, let sentence):
            .notNow(command: command, state: state, sentence: words(sentence))
        case .framesMissing(let shoot, let sentence): .framesMissing(shoot, sentence: words(sentence))
        case .filesRefused(let sentence): .filesRefused(sentence: words(sentence))
        case .liveViewRefused(let sentence): .liveViewRefused(sentence: words(sentence))
        case .propertyRefused(let property, let value, let sentence):
            .propertyRefused(property: property, value: value, sentence: words(sentence))
        case .noSuchShoot(let id, let sentence): .noSuchShoot(id: id, sentence: words(sentence))
        case .ledgerUnavailable(let sentence): .ledgerUnavailable(sentence: words(sentence))
        case .noSuchCamera(let text, let known, let sentence):
            .noSuchCamera(text: text, known: known, sentence: words(sentence))
        case .planNotKept(let sentence): .planNotKept(sentence: words(sentence))
        case .needsMore, .tooManyClients, .stopping: error
        }
    }
}
