import NIOCore
import PTP

/// The content of the body's displays (record 0xC1A5): a mask, and one block for each set bit, in the order of the
/// bits.
///
/// The sizes of the blocks depend on the version (property 0xD199). The driver reads only the button and the focus. It
/// confirms settings by property records, because the layout of future bodies is not known.
package struct CanonDisplayInfo: Hashable, Sendable {
    /// The last result of the shutter button; nil: not in this record.
    package private(set) var button: CanonButtonResult?
    /// The speed that is displayed; nil: not in this record. 0: no metering yet.
    package private(set) var speed: CanonShutterSpeed?
    /// The aperture that is displayed; nil: not in this record.
    package private(set) var aperture: CanonAperture?
    /// The ISO setting that is displayed; nil: not in this record.
    package private(set) var iso: CanonISO?
    /// The state of the focus; nil: not in this record.
    package private(set) var focus: CanonFocus?

    /// The groups that the driver requests. The bits from 0x2000 up stopped some bodies (libgphoto2).
    static let groups: UInt32 = 0x1FFF

    /// The sizes of the blocks of the bits 0x0001 to 0x1000, from a version on (libgphoto2 ptp-pack.c).
    private struct Layout: Sendable {
        let firstVersion: UInt32
        let sizes: [Int]
    }

    private static let layouts: [Layout] = [
        Layout(firstVersion: 0x14, sizes: [2, 9, 9, 7, 4, 6, 8, 5, 7, 5, 5, 9, 8]),
        Layout(firstVersion: 0x13, sizes: [2, 7, 9, 7, 4, 6, 8, 5, 7, 5, 5, 9, 8]),
        Layout(firstVersion: 0x12, sizes: [2, 7, 9, 6, 4, 6, 8, 5, 7, 5, 5, 9, 8]),
        Layout(firstVersion: 0x11, sizes: [2, 7, 6, 6, 4, 6, 8, 4, 6, 5, 5, 9, 8]),
        Layout(firstVersion: 0x0F, sizes: [2, 7, 6, 4, 4, 6, 8, 4, 6, 5, 5, 9, 1]),
        Layout(firstVersion: 0x0B, sizes: [2, 6, 5, 4, 4, 6, 8, 4, 6, 5, 5, 9, 1]),
        Layout(firstVersion: 0x08, sizes: [2, 6, 5, 4, 4, 6, 7, 4, 6, 7, 7, 8, 1]),
        Layout(firstVersion: 0x00, sizes: [2, 6, 5, 4, 4, 6, 7, 4, 6, 5, 5, 8, 1]),
    ]

    /// - Parameters:
    ///   - body: the record without its size and type: a length (u32), the mask (u16), 2 bytes, the blocks. The length
    ///     counts from different places on different bodies, so it is not used.
    ///   - version: the value of 0xD199; nil: not known yet. EOS M3 and M6 send records before they report it.
    package init(decoding body: ByteBuffer, version: UInt32?) {
        let version = version ?? 0
        let bytes = Array(body.readableBytesView)
        for (bit, range) in Self.blocks(of: bytes, version: version) {
            read(Array(bytes[range]), bit: bit, version: version)
        }
    }

    /// The blocks of a record's body, each with its bit. Bytes after the last known block occur and have no meaning.
    private static func blocks(of bytes: [UInt8], version: UInt32) -> [(bit: Int, range: Range<Int>)] {
        let sizes = layouts.first { version >= $0.firstVersion }?.sizes ?? []
        var blocks: [(bit: Int, range: Range<Int>)] = []
        guard bytes.count >= blocksStart else { return blocks }
        let mask = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
        var start = blocksStart
        for (bit, size) in sizes.enumerated() where mask & 1 << bit != 0 {
            guard start + size <= bytes.count else { break }
            blocks.append((bit, start..<start + size))
            start += size
        }
        return blocks
    }

    private static let blocksStart = 8

    /// The position of a setting's value in a record's body; nil: the record does not have the setting.
    package static func position(of code: PropertyCode, in bytes: [UInt8], version: UInt32?) -> Int? {
        let version = version ?? 0
        let bits: [PropertyCode: Int] = [.canonShutterSpeed: 1, .canonAperture: 2, .canonISO: 3]
        guard let bit = bits[code], let block = blocks(of: bytes, version: version).first(where: { $0.bit == bit })
        else { return nil }
        return block.range.lowerBound + valueOffset(bit: bit, version: version)
    }

    private static func valueOffset(bit: Int, version: UInt32) -> Int {
        switch bit {
        case 1: version >= 0x14 ? 7 : 5
        case 2: version >= 0x12 ? 7 : 4
        default: 3
        }
    }

    private mutating func read(_ block: [UInt8], bit: Int, version: UInt32) {
        lazy var value = UInt32(block[Self.valueOffset(bit: bit, version: version)])
        switch bit {
        case 0: button = CanonButtonResult(rawValue: block[0])
        case 1: speed = CanonShutterSpeed(rawValue: value)
        case 2: aperture = CanonAperture(rawValue: value)
        case 3: iso = CanonISO(rawValue: value)
        case 8: focus = CanonFocus(block[block.count - 2], block[block.count - 1])
        default: break
        }
    }
}

/// The result of a press on bodies of the EOS M family. Other bodies send other numbers, which have no meaning here.
package enum CanonButtonResult: UInt8, Sendable {
    case halfPressFailed = 1
    case halfPressed = 2
    case fullPressFailed = 3
    case fullPressed = 4
    case selfTimer = 7
}

/// The state of the focus, from the last two bytes of its block. Bodies differ. Success: 0-1, 1-1, 1-0, 0-0 on a 5DS,
/// 1-1, 0-0 on an R8. Failure: 0-1, 2-2, 2-0, 0-0 on a 5DS; 0-1, 2-1 on an R5 Mark II; 0-1, 0-0 on an R8.
package enum CanonFocus: Hashable, Sendable {
    /// 0-0: the button is not pressed. After `searching` the body has not focused.
    case inactive
    /// 0-1.
    case searching
    case focused
    case failed

    var isResult: Bool { self == .focused || self == .failed }

    init(_ result: UInt8, _ activity: UInt8) {
        switch (result, activity) {
        case (1, _): self = .focused
        case (2, _): self = .failed
        case (_, 0): self = .inactive
        default: self = .searching
        }
    }
}
