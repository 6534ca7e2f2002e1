import NIOCore
import PTP

/// The list of a body's own properties, in one of its two forms: a u32 count, then the codes (libgphoto2 ptp.c,
/// OpenZCine).
package struct NikonVendorCodes: Hashable, Sendable {
    /// The codes in the body's order.
    package let codes: [UInt32]

    /// More codes than any body lists (a D6 has 310 properties).
    package static let countMax = 4096

    /// - Throws: `NikonValueError` when the count exceeds the data or the limit.
    package init(decoding data: ByteBuffer, _ list: NikonVendorList) throws(NikonValueError) {
        var reader = DatasetReader(data)
        let codes: [UInt32]
        do throws(DatasetError) {
            switch list {
            case .twoByte: codes = try reader.array("VendorPropCodes", of: UInt16.self).map(UInt32.init)
            case .fourByte: codes = try reader.array("VendorCodes", of: UInt32.self)
            }
        } catch {
            throw .dataset(nil, error)
        }
        guard codes.count <= Self.countMax else { throw .tooManyValues(nil, count: codes.count, limit: Self.countMax) }
        self.codes = codes
    }

    /// The properties with two-byte codes. The driver uses no other property.
    package var properties: [PropertyCode] { codes.compactMap(UInt16.init(exactly:)).map(PropertyCode.init(rawValue:)) }
}
