import PTP

/// A number of Sony's whose values have names for people.
package protocol SonyNamed: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    /// Any number that the wire may bring.
    init(rawValue: RawValue)
    /// Every value of the documents.
    static var all: [Self] { get }
}

/// One whose names stand in a table; a number that is in no document is shown in hexadecimal.
package protocol SonyNamedByTable: SonyNamed {
    static var names: [(value: Self, name: String)] { get }
}

extension SonyNamedByTable {
    package static var all: [Self] { names.map(\.value) }
    package var description: String { Self.names.first { $0.value == self }?.name ?? rawValue.hexadecimal }
}
