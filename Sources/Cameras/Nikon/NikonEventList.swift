import NIOCore
import PTP

/// The data of GetEvent in one of its two forms: the events since the last list. Reading empties the body's queue.
///
/// A damaged list is rejected as a whole, as by libgphoto2. The body reports each event once, so damage means that
/// events are lost.
package struct NikonEventList: Hashable, Sendable {
    /// Why a list cannot be read.
    package enum Damage: Error, Hashable, Sendable {
        /// The data are shorter than their own count.
        case countMissing(left: Int)
        /// The list declares more events than its data contain.
        case countBeyondData(count: Int, left: Int)
        /// The list declares more events than any body has (OpenZCine: at most 2048).
        case tooManyEvents(count: Int)
        /// An event declares more parameters than an event can have.
        case tooManyParameters(EventCode, count: Int)
        /// The data end within an event.
        case eventBeyondData(left: Int)
    }

    /// The events in the body's order; empty if the list is damaged.
    package let events: [NikonEvent]
    /// Why the list was rejected; nil: the list is complete.
    package let damage: Damage?

    package static let eventsMax = 2048
    package static let parametersMax = 5

    /// No data count as an empty list: a camera may omit the data phase. Bytes after the last event have no meaning.
    package init(decoding data: ByteBuffer, _ form: NikonEventForm) {
        do throws(Damage) {
            events = data.readableBytes == 0 ? [] : try Self.read(data, form)
            damage = nil
        } catch {
            events = []
            damage = error
        }
    }

    private static func read(_ data: ByteBuffer, _ form: NikonEventForm) throws(Damage) -> [NikonEvent] {
        var rest = data
        let declared =
            switch form {
            case .short: rest.readInteger(endianness: .little, as: UInt16.self).map { Int($0) }
            case .extended: rest.readInteger(endianness: .little, as: UInt32.self).map { Int($0) }
            }
        guard let count = declared else { throw .countMissing(left: rest.readableBytes) }
        // The smallest event has a code and a parameter, or a code and a count of parameters.
        let sizeMin = form == .short ? 6 : 4
        guard count <= rest.readableBytes / sizeMin else {
            throw .countBeyondData(count: count, left: rest.readableBytes)
        }
        guard count <= eventsMax else { throw .tooManyEvents(count: count) }
        var events: [NikonEvent] = []
        events.reserveCapacity(count)
        for _ in 0..<count { events.append(try readEvent(&rest, form)) }
        return events
    }

    private static func readEvent(_ rest: inout ByteBuffer, _ form: NikonEventForm) throws(Damage) -> NikonEvent {
        guard let number = rest.readInteger(endianness: .little, as: UInt16.self) else {
            throw .eventBeyondData(left: rest.readableBytes)
        }
        let code = EventCode(rawValue: number)
        var count = 1
        if form == .extended {
            guard let declared = rest.readInteger(endianness: .little, as: UInt16.self) else {
                throw .eventBeyondData(left: rest.readableBytes)
            }
            count = Int(declared)
            guard count <= parametersMax else { throw .tooManyParameters(code, count: count) }
        }
        var parameters: [UInt32] = []
        for _ in 0..<count {
            guard let parameter = rest.readInteger(endianness: .little, as: UInt32.self) else {
                throw .eventBeyondData(left: rest.readableBytes)
            }
            parameters.append(parameter)
        }
        return NikonEvent(code, parameters.first)
    }

    /// Whether the list reports nothing.
    package var isEmpty: Bool { events.isEmpty && damage == nil }
}

/// An event of a body. The same event has the same value in a list of either form and in a packet.
package struct NikonEvent: Hashable, Sendable {
    package let code: EventCode
    /// The first parameter; 0 if the event has none. The driver uses no other parameter.
    package let parameter: UInt32

    /// The handle of the only picture in the memory of a body (libgphoto2 library.c).
    package static let memoryHandle: UInt32 = 0xFFFF_0001

    /// A picture in memory without a handle has ``memoryHandle``.
    package init(_ code: EventCode, _ parameter: UInt32? = nil) {
        self.code = code
        let number = parameter ?? 0
        self.parameter = code == .nikonObjectInMemory && number == 0 ? Self.memoryHandle : number
    }

    package init(_ packet: PTPEvent) { self.init(packet.code, packet.parameters.first) }

    /// What an event means for the driver.
    package enum Meaning: Hashable, Sendable {
        /// A file or a folder is on the card.
        case objectAdded(handle: UInt32)
        /// A picture is in the memory of the body. The event also ends the capture.
        case objectInMemory(handle: UInt32)
        /// The capture is complete.
        case complete
        case objectRemoved(handle: UInt32)
        /// A property, its list or its access has changed.
        case propertyChanged(PropertyCode)
        /// A card was inserted or removed.
        case storeChanged
        case storeFull
        /// An event without a use for the driver.
        case other
    }

    package var meaning: Meaning {
        switch code {
        case .objectAdded: .objectAdded(handle: parameter)
        case .nikonObjectInMemory: .objectInMemory(handle: parameter)
        case .captureComplete, .nikonCaptureCompleteInMemory: .complete
        case .objectRemoved: .objectRemoved(handle: parameter)
        case .propertyChanged: UInt16(exactly: parameter).map { .propertyChanged(PropertyCode(rawValue: $0)) } ?? .other
        case .storeAdded, .storeRemoved: .storeChanged
        case .storeFull: .storeFull
        default: .other
        }
    }
}
