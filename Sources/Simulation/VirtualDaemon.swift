import Cameras
import Controller

/// The daemon's loop without a system: the queue, and everything written down that the core wants done. The very core
/// that ships.
///
/// What concerns connections is handed out to whoever plays the network.
package struct VirtualDaemon: Sendable {
    package var core: Core
    /// Where pictures go.
    package var disk = VirtualDisk()
    package private(set) var journal: [JournalEntry] = []
    package private(set) var answers: [Answer] = []
    /// The sentence for the service manager.
    package private(set) var status = ""
    /// The ordered stop is over.
    package private(set) var isFinished = false
    private var queue: [Input] = []
    private var effects = Effects()
    private var lastRequest: UInt64 = 0

    /// What a client got.
    package struct Answer: Equatable, Sendable {
        package var id: RequestID
        package var content: Content

        package enum Content: Equatable, Sendable {
            case reply(Reply, continues: Bool)
            case error(RequestError)
        }
    }

    /// One input may lead to this many more before something is wrong.
    private static let turnsMax = 10_000

    package init(_ core: Core) {
        self.core = core
    }

    /// Puts an input on the queue and takes everything to its end, at this instant.
    ///
    /// - Parameter links: what is to be done with connections is appended here, in order.
    package mutating func put(_ input: Input, at now: Duration, links: inout [Effect]) {
        put([input], at: now, links: &links)
    }

    /// Puts several inputs on the queue before any is taken, as a loop does whose sockets have several things to say at
    /// once: what the first leads to comes after the last.
    package mutating func put(_ inputs: [Input], at now: Duration, links: inout [Effect]) {
        queue += inputs
        var turns = 0
        while !queue.isEmpty {
            turns += 1
            precondition(turns < Self.turnsMax, "the queue never empties")
            core.handle(queue.removeFirst(), at: now, into: &effects)
            for effect in effects.list { perform(effect, at: now, links: &links) }
            effects.removeAll()
        }
    }

    /// When something is due that nobody puts on the queue: the core's clock, or the disk's answer.
    package var nextDeadline: Duration? { [core.nextDeadline, disk.nextTime].compactMap(\.self).min() }

    /// Takes what is due by now.
    package mutating func advance(to now: Duration, links: inout [Effect]) {
        put(disk.takeDue(by: now), at: now, links: &links)
        if let due = core.nextDeadline, due <= now { put(.deadline, at: now, links: &links) }
    }

    /// A number for the next request.
    package mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(rawValue: lastRequest)
    }

    private mutating func perform(_ effect: Effect, at now: Duration, links: inout [Effect]) {
        switch effect {
        case .enqueue(let hop): queue.append(.hop(hop))
        case .journal(let entry): journal.append(entry)
        case .reply(let id, let reply, let continues):
            answers.append(Answer(id: id, content: .reply(reply, continues: continues)))
        case .fail(let id, let error): answers.append(Answer(id: id, content: .error(error)))
        case .status(let sentence): status = sentence
        case .picture(let id, let effect): disk.perform(effect, of: id, at: now)
        case .manifest(let manifest): disk.write(manifest)
        case .checkRoom: disk.checkRoom(at: now)
        case .stopping: break
        case .finished: isFinished = true
        case .openLink, .send, .closeLink: links.append(effect)
        }
    }

    // MARK: Looking

    /// The present state of a chart, as the chart spells it.
    package func state(_ chart: String) -> String? {
        core.statusReport.charts.first { $0.name == chart }?.state
    }

    package func answers(to id: RequestID) -> [Answer.Content] {
        answers.filter { $0.id == id }.map(\.content)
    }

    package func progress(of id: RequestID) -> [Progress] {
        answers(to: id).compactMap { if case .reply(.progress(let progress), _) = $0 { progress } else { nil } }
    }

    /// The last report on pictures that a client got.
    package func photos(of id: RequestID) -> PhotosReport? {
        answers(to: id).compactMap { if case .reply(.photos(let report), _) = $0 { report } else { nil } }.last
    }

    /// The transitions of a chart, as `from → to`.
    package func transitions(_ chart: String) -> [String] {
        journal.filter { $0.kind == .transition && $0.fields.first?.value == chart }.map { entry in
            "\(entry.fields[1].value) → \(entry.fields[2].value)"
        }
    }
}
