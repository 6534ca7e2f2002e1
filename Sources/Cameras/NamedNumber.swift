import PTP

/// A number of a maker's protocol whose values have names for users.
package protocol NamedNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    /// Accepts any number that a body may send.
    init(rawValue: RawValue)
    /// Every documented value.
    static var all: [Self] { get }
}

/// A number with a table of names. A value without a name is shown in hexadecimal.
package protocol NamedByTable: NamedNumber {
    static var names: [(value: Self, name: String)] { get }
}

extension NamedByTable {
    package static var all: [Self] { names.map(\.value) }
    package var description: String { Self.names.first { $0.value == self }?.name ?? rawValue.hexadecimal }
}
