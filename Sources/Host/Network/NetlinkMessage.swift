import CLinux
import Glibc

/// One netlink message with the layout of netlink(7) and `<linux/netlink.h>`. Numbers are in the machine's byte order.
struct NetlinkMessage: Equatable {
    /// The type: common to all protocols of netlink, or defined by one protocol.
    var type: UInt16
    var flags: UInt16 = 0
    /// The sequence number of the answered request; 0 for a message without a request.
    var sequence: UInt32 = 0
    /// The port of the socket whose request caused the message. The socket can belong to another process.
    var port: UInt32 = 0
    /// The data after the header: a record of a size that depends on the type, then attributes.
    var payload: ArraySlice<UInt8>

    /// The reason why bytes are not valid messages.
    struct Fault: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    /// The kernel's answer to a failed request, or to a request that has no other answer.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        /// An errno(3) value; 0 for success.
        var code: CInt
        /// The kernel's explanation, if the kernel sent one.
        var words: String?

        var description: String { words ?? SystemError(code: code).description }
    }

    /// Whether the dump may be inconsistent, because something changed during the dump (NLM_F_DUMP_INTR).
    var isInterrupted: Bool { flags & UInt16(NLM_F_DUMP_INTR) != 0 }
    /// Whether this is the last message of an answer (NLMSG_DONE).
    var isLast: Bool { type == UInt16(NLMSG_DONE) }
    /// Whether the kernel lost messages (NLMSG_OVERRUN). Current kernels never send this type.
    var isOverrun: Bool { type == UInt16(NLMSG_OVERRUN) }
    /// Whether the message has no content (NLMSG_NOOP).
    var isEmpty: Bool { type == UInt16(NLMSG_NOOP) }

    /// Splits the bytes of a datagram into messages. Invalid bytes end the list, and the fault is returned.
    static func split(_ bytes: ArraySlice<UInt8>) -> (messages: [NetlinkMessage], fault: Fault?) {
        let headerSize = Int(clinux_nlmsghdr_size)
        var rest = bytes
        var messages: [NetlinkMessage] = []
        while !rest.isEmpty {
            // These integers exist, because the size was checked.
            guard rest.count >= headerSize, let length = rest.netlinkInteger(at: 0, as: UInt32.self),
                let type = rest.netlinkInteger(at: 4, as: UInt16.self),
                let flags = rest.netlinkInteger(at: 6, as: UInt16.self),
                let sequence = rest.netlinkInteger(at: 8, as: UInt32.self),
                let port = rest.netlinkInteger(at: 12, as: UInt32.self)
            else {
                return (messages, Fault(description: "\(rest.count) bytes are too few for a netlink message"))
            }
            guard length >= headerSize, length <= rest.count else {
                let reason = "a netlink message declares \(length) bytes, but only \(rest.count) were received"
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

    /// The kernel's result of a request (NLMSG_ERROR, or NLMSG_DONE of a failed dump); nil for other messages.
    func refusal() throws(Fault) -> Refusal? {
        guard type == UInt16(NLMSG_ERROR) || isLast else { return nil }
        guard let number = payload.netlinkInteger(at: 0, as: Int32.self) else {
            // The end of a dump may have no error code.
            if isLast { return Refusal(code: 0, words: nil) }
            throw Fault(description: "a netlink error has no error code")
        }
        // The request's header follows. The rest of the request follows too, unless the kernel cut it.
        var size = MemoryLayout<Int32>.size
        if !isLast {
            let length = payload.netlinkInteger(at: size, as: UInt32.self).map(Int.init) ?? 0
            let isCut = flags & UInt16(NLM_F_CAPPED) != 0
            size += isCut ? Int(clinux_nlmsghdr_size) : netlinkAligned(length)
        }
        // The kernel sends a negative errno. The smallest integer has no positive counterpart.
        let code = number < 0 && number > .min ? -number : number
        guard flags & UInt16(NLM_F_ACK_TLVS) != 0 else { return Refusal(code: code, words: nil) }
        let attributes = try NetlinkAttribute.split(payload.dropFirst(size))
        let words = attributes[named: NLMSGERR_ATTR_MSG.rawValue]?.text
        return Refusal(code: code, words: words)
    }
}

/// An attribute of a message: `struct nlattr`.
struct NetlinkAttribute: Equatable {
    /// The type without its two flag bits.
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
                        "a netlink attribute declares \(length) bytes, but only \(rest.count) were received"
                )
            }
            let payload = rest.prefix(Int(length)).dropFirst(headerSize)
            attributes.append(NetlinkAttribute(type: type & typeMask, payload: payload))
            rest = rest.dropFirst(netlinkAligned(Int(length)))
        }
        return attributes
    }

    static let headerSize = 4
    /// NLA_TYPE_MASK, a macro that Swift cannot import.
    private static let typeMask = ~(UInt16(truncatingIfNeeded: NLA_F_NESTED) | UInt16(NLA_F_NET_BYTEORDER))

    /// The bytes up to the first zero, as text; nil when these bytes are not UTF-8.
    var text: String? { String(validating: payload.prefix { $0 != 0 }, as: UTF8.self) }

    func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? { payload.netlinkInteger(at: 0, as: type) }

    /// The bytes of an IP address; nil unless the payload has 4 or 16 bytes.
    var address: [UInt8]? { payload.count == 4 || payload.count == 16 ? Array(payload) : nil }
}

extension [NetlinkAttribute] {
    /// The first attribute of a type. The kernel never sends two attributes of one type.
    subscript(named type: some BinaryInteger) -> NetlinkAttribute? { first { $0.type == UInt16(type) } }
}

/// The offset of the next message or attribute, a multiple of four (NLMSG_ALIGN, NLA_ALIGN).
func netlinkAligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension ArraySlice<UInt8> {
    /// An integer in the machine's byte order; nil if too few bytes remain.
    func netlinkInteger<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value? {
        precondition(offset >= 0)
        let size = MemoryLayout<Value>.size
        guard count >= offset, count - offset >= size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}

struct NetlinkWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter flags: flags that are set in addition to NLM_F_REQUEST.
    init(type: some BinaryInteger, flags: some BinaryInteger, sequence: UInt32) {
        append(UInt32(0))
        append(UInt16(type))
        append(UInt16(NLM_F_REQUEST) | UInt16(flags))
        append(sequence)
        // The port of the sender, which the kernel fills in.
        append(UInt32(0))
    }

    mutating func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { bytes += $0 } }

    /// Appends a record of `size` bytes. The record begins with `begin`, and its other bytes are zero.
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

    /// The complete message. Its header contains the message's length.
    func message() -> [UInt8] {
        var message = bytes
        let length = UInt32(bytes.count)
        message.replaceSubrange(0..<4, with: withUnsafeBytes(of: length) { Array($0) })
        return message
    }
}
