/// The drivers of a program, one for each protocol.
package struct CameraDrivers: Sendable {
    /// A protocol and the function that creates its driver.
    package struct Row: Sendable {
        package var cameraProtocol: CameraProtocol
        package var make: @Sendable (InitiatorIdentity) -> any Camera

        package init(_ cameraProtocol: CameraProtocol, make: @escaping @Sendable (InitiatorIdentity) -> any Camera) {
            self.cameraProtocol = cameraProtocol
            self.make = make
        }
    }

    /// The first driver is in use until a connection needs another driver.
    package var rows: [Row]

    /// - Precondition: `rows` is not empty.
    package init(_ rows: [Row]) {
        precondition(!rows.isEmpty, "without a driver no camera can be reached")
        self.rows = rows
    }

    /// All drivers of bracketd.
    package static let all = CameraDrivers([
        Row(.ptpip) { PTPIP(identity: $0) }, Row(.sonyHTTP) { _ in SonyHTTP() }, Row(.sonyPush) { _ in SonyPush() },
    ])

    /// A new driver; nil: no driver supports this protocol.
    package func driver(for cameraProtocol: CameraProtocol, _ identity: InitiatorIdentity) -> (any Camera)? {
        rows.first { $0.cameraProtocol == cameraProtocol }?.make(identity)
    }
}
