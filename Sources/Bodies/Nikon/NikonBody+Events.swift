import Cameras
import NIOCore
import PTP

/// Events: in lists that the initiator requests, and as packets.
extension NikonBody {
    /// The greatest number of events that wait for the initiator. Older ones are lost.
    private static let queueMax = 2_000

    /// Reports an event in the next list, and as a packet if the body sends packets.
    mutating func report(_ code: EventCode, _ parameters: UInt32...) {
        let event = PTPEvent(code: code, parameters: parameters)
        let storm = faults.first { if case .eventStorm(let times) = $0 { times } else { nil } } ?? 1
        let times = code == .propertyChanged ? storm : 1
        let pushed = faults.first { if case .pushedEvents(let how) = $0 { how } else { nil } }
        let copies =
            switch pushed {
            case .on: 1
            case .off: 0
            case .twice: 2
            case nil: model.pushesEvents ? 1 : 0
            }
        queue += repeatElement(event, count: times)
        outputs += repeatElement(.event(event), count: times * copies)
        let surplus = queue.count - Self.queueMax
        if surplus > 0 { queue.removeFirst(surplus) }
    }

    mutating func reportChange(of code: PropertyCode) { report(.propertyChanged, UInt32(code.rawValue)) }

    /// Answers 0x90C7: a count, then code and one parameter of each event.
    mutating func eventList() -> ResponderAnswer {
        var writer = DatasetWriter()
        writer.integer(UInt16(clamping: queue.count + surplusOfCount()))
        for event in queue {
            writer.integer(event.code.rawValue)
            writer.integer(event.parameters.first ?? 0)
        }
        queue.removeAll()
        return .ok(writer.buffer)
    }

    /// Answers 0x941C: a count of 4 bytes, then code and all parameters of each event. The parameter 0, which OpenZCine
    /// sends, means the same as none.
    mutating func eventListEx() -> ResponderAnswer {
        var writer = DatasetWriter()
        writer.integer(UInt32(queue.count + surplusOfCount()))
        for event in queue {
            writer.integer(event.code.rawValue)
            writer.integer(UInt16(event.parameters.count))
            for parameter in event.parameters { writer.integer(parameter) }
        }
        queue.removeAll()
        return .ok(writer.buffer)
    }

    /// The number of events that a fault declares in addition.
    private mutating func surplusOfCount() -> Int {
        guard !queue.isEmpty, faults.take({ if case .falseCount = $0 { true } else { nil } }) != nil else { return 0 }
        outputs.append(.log("fault: the event list declares too many events"))
        return 500
    }

    // MARK: The shot counter

    /// Updates the counter, at once or later because of a fault.
    mutating func refreshCounter() {
        // A counter that shows late is planned when the shutter opens.
        if faults.first({ if case .lateCounter = $0 { true } else { nil } }) == nil { showCounter() }
    }

    mutating func showCounter() {
        let counter = Int64(max(0, shotsLeft))
        guard !omits(.counter), sheet.number(.nikonShotsLeft) != counter else { return }
        sheet.set(.nikonShotsLeft, counter)
        reportChange(of: .nikonShotsLeft)
    }
}
