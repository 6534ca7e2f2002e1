import CLinux
import Glibc

/// One message of netlink, as netlink(7) and `<linux/netlink.h>` lay it out; numbers are in the machine's byte order.
struct NetlinkMessage: Equatable {
    /// What it is, of those that every protocol has in common, or a number of the protocol's own.
    var type: UInt16
    var flags: UInt16 = 0
    /// That of the request which it answers; 0: nobody asked.
    var sequence: UInt32 = 0
    /// The socket of the request that brought it about, which need not be ours.
    var port: UInt32 = 0
    /// What follows the header: a record of fixed size that the type tells, then attributes.
    var payload: ArraySlice<UInt8>

    /// Why bytes are no messages.
    struct Fault: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    /// How the kernel answered a request that it could not do, or that has no other answer.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        /// As in errno(3); 0: it was done.
        var code: CInt
        /// The kernel's own sentence, where it has one.
        var words: String?

        var description: String { words ?? SystemError(code: code).description }
    }

    /// Whether what a dump told may be wrong, for something changed meanwhile (NLM_F_DUMP_INTR).
    var isInterrupted: Bool { flags & UInt16(NLM_F_DUMP_INTR) != 0 }
    /// The last of the messages that answer a request (NLMSG_DONE).
    var isLast: Bool { type == UInt16(NLMSG_DONE) }
    /// The kernel lost messages (NLMSG_OVERRUN), which it never says these days.
    var isOverrun: Bool { type == UInt16(NLMSG_OVERRUN) }
    /// Nothing (NLMSG_NOOP).
    var isEmpty: Bool { type == UInt16(NLMSG_NOOP) }

    /// The messages that stand one after the other in what was read. None of them reaches beyond it; bytes that are
    /// not a message end the list, with the fault.
    static func split(_ bytes: ArraySlice<UInt8>) -> (messages: [NetlinkMessage], fault: Fault?) {
        let headerSize = Int(clinux_nlmsghdr_size)
        var rest = bytes
        var messages: [NetlinkMessage] = []
        while !rest.isEmpty {
            // Cannot fail once the size was looked at.
            guard rest.count >= headerSize, let length = rest.netlinkInteger(at: 0, as: UInt32.self),
                let type = rest.netlinkInteger(at: 4, as: UInt16.self),
                let flags = rest.netlinkInteger(at: 6, as: UInt16.self),
                let sequence = rest.netlinkInteger(at: 8, as: UInt32.self),
                let port = rest.netlinkInteger(at: 12, as: UInt32.self)
            else {
                return (messages, Fault(description: "\(rest.count) bytes are too few for a netlink message"))
            }
            guard length >= headerSize, length <= rest.count else {
                let reason = "a netlink message says that it has \(length) bytes, of which \(rest.count) are there"
                return (messages, Fault(description: reason))
            }
            let payload = rest.prefix(Int(length)).dropFirst(headerSize)
            messages.append(
                NetlinkMessage(type: type, flags: flags, sequence: sequence, port: port, payload: payload)
            )
            rest = rest.dropFirst(netlinkAligned(Int(length)))
        }
        return (messages, nil)
    }

    /// What the kernel says of a request, where this is such a message (NLMSG_ERROR, and NLMSG_DONE of a dump that
    /// failed); nil: it is another one.
    func refusal() throws(Fault) -> Refusal? {
        guard type == UInt16(NLMSG_ERROR) || isLast else { return nil }
        guard let number = payload.netlinkInteger(at: 0, as: Int32.self) else {
            // That a dump is done can be said without a number.
            if isLast { return Refusal(code: 0, words: nil) }
            throw Fault(description: "a netlink error has no number")
        }
        // The header of the request comes back, and all of the request unless the kernel cut it.
        var size = MemoryLayout<Int32>.size
        if !isLast {
            let length = payload.netlinkInteger(at: size, as: UInt32.self).map(Int.init) ?? 0
            let isCut = flags & UInt16(NLM_F_CAPPED) != 0
            size += isCut ? Int(clinux_nlmsghdr_size) : netlinkAligned(length)
        }
        // Negative, and not the one number that has no positive counterpart.
        let code = number < 0 && number > .min ? -number : number
        guard flags & UInt16(NLM_F_ACK_TLVS) != 0 else { return Refusal(code: code, words: nil) }
        let attributes = try NetlinkAttribute.split(payload.dropFirst(size))
        let words = attributes[named: NLMSGERR_ATTR_MSG.rawValue]?.text
        return Refusal(code: code, words: words)
    }
}

/// A value with a name in a message: `struct nlattr`.
struct NetlinkAttribute: Equatable {
    /// Without the two bits that stand beside it.
    var type: UInt16
    var payload: ArraySlice<UInt8>

    static func split(_ bytes: ArraySlice<UInt8>) throws(NetlinkMessage.Fault) -> [NetlinkAttribute] {
        var rest = bytes
        var attributes: [NetlinkAttribute] = []
        while !rest.isEmpty {
            guard let length = rest.netlinkInteger(at: 0, as: UInt16.self),
                let type = rest.netlinkInteger(at: 2, as: UInt16.self)
            else {
                throw NetlinkMessage.Fault(description: "\(rest.count) bytes are too few for a netlink attribute")
            }
            guard length >= headerSize, length <= rest.count else {
                throw NetlinkMessage.Fault(
                    description:
                        "a netlink attribute says that it has \(length) bytes, of which \(rest.count) are there"
                )
            }
            let payload = rest.prefix(Int(length)).dropFirst(headerSize)
            attributes.append(NetlinkAttribute(type: type & typeMask, payload: payload))
            rest = rest.dropFirst(netlinkAligned(Int(length)))
        }
        return attributes
    }

    static let headerSize = 4
    /// NLA_TYPE_MASK, whose macro Swift cannot read.
    private static let typeMask = ~(UInt16(truncatingIfNeeded: NLA_F_NESTED) | UInt16(NLA_F_NET_BYTEORDER))

    /// Its bytes up to the first zero as text; nil: they are none.
    var text: String? { String(validating: payload.prefix { $0 != 0 }, as: UTF8.self) }

    func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? { payload.netlinkInteger(at: 0, as: type) }

    /// nil: neither 4 nor 16 bytes.
    var address: [UInt8]? { payload.count == 4 || payload.count == 16 ? Array(payload) : nil }
}

extension [NetlinkAttribute] {
    /// The first of a type, as the kernel never sends two.
    subscript(named type: some BinaryInteger) -> NetlinkAttribute? { first { $0.type == UInt16(type) } }
}

/// Where the next message or attribute begins: both stand at multiples of four (NLMSG_ALIGN, NLA_ALIGN).
func netlinkAligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension ArraySlice<UInt8> {
    /// An integer in the machine's byte order; nil: it does not end before the bytes do.
    func netlinkInteger<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value? {
        precondition(offset >= 0)
        let size = MemoryLayout<Value>.size
        guard count >= offset, count - offset >= size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}

/// Writes a request.
struct NetlinkWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter flags: beside NLM_F_REQUEST.
    init(type: some BinaryInteger, flags: some BinaryInteger, sequence: UInt32) {
        append(UInt32(0))
        append(UInt16(type))
        append(UInt16(NLM_F_REQUEST) | UInt16(flags))
        append(sequence)
        // From whom: the kernel puts in who we are.
        append(UInt32(0))
    }

    mutating func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { bytes += $0 } }

    /// A record whose size is known, of which only some bytes at its begin are not zero.
    mutating func append(record begin: [UInt8], size: Int) {
        precondition(begin.count <= size)
        bytes += begin + [UInt8](repeating: 0, count: size - begin.count)
    }

    mutating func append(attribute type: some BinaryInteger, _ payload: [UInt8]) {
        append(UInt16(NetlinkAttribute.headerSize + payload.count))
        append(UInt16(type))
        bytes += payload
        bytes += [UInt8](repeating: 0, count: netlinkAligned(bytes.count) - bytes.count)
    }

    mutating func append(attribute type: some BinaryInteger, _ value: UInt32) {
        append(attribute: type, withUnsafeBytes(of: value) { Array($0) })
    }

    /// All of it, with its length where that belongs.
    func message() -> [UInt8] {
        var message = bytes
        let length = UInt32(bytes.count)
        message.replaceSubrange(0..<4, with: withUnsafeBytes(of: length) { Array($0) })
        return message
    }
}
