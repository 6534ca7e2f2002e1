import PTP

/// The kind of a body: how its session is set up and how its shutter is released. The values are rows of a table.
package struct CanonQuirks: Hashable, Sendable {
    /// How the driver releases the shutter.
    package enum Release: Hashable, Sendable {
        /// 0x9128 and 0x9129 for each stage of the button.
        case stages
        /// 0x9128 and 0x9129 for both stages at once. The body reports the result in its display data.
        case bothStages
        /// 0x910F.
        case single
    }

    /// The parameter of SetRemoteMode.
    package var remoteMode: UInt32 = 1
    /// The parameter of SetEventMode.
    package var eventMode: UInt32 = 1
    /// Whether the release needs both stages at once.
    package var pressesBothStages = false
    /// The value of 0xD1B0 that moves the lens out; nil: not needed.
    package var lensOutput: UInt32?

    package init() {}

    package init(model: String) {
        guard let row = Self.table.first(where: { row in row.models.contains { model.hasPrefix($0) } }) else { return }
        self = row.quirks
    }

    private init(remoteMode: UInt32) {
        self.remoteMode = remoteMode
        eventMode = 2
        pressesBothStages = true
        lensOutput = 8
    }

    /// The release of a body with these operations; nil: the body cannot be released.
    package func release(_ operations: [OperationCode]) -> Release? {
        if operations.contains(.canonPress), operations.contains(.canonRelease) {
            return pressesBothStages ? .bothStages : .stages
        }
        return operations.contains(.canonRemoteRelease) ? .single : nil
    }

    /// A kind of body, the beginnings of its model names, and the source.
    package struct Row: Sendable {
        package var models: [String]
        package var quirks: CanonQuirks
        package var source: String
    }

    /// The first row with a matching name holds. Bodies without a row have the default values.
    package static let table: [Row] = [
        Row(
            models: ["Canon EOS M6 Mark II"],
            quirks: CanonQuirks(remoteMode: 0x01),
            source: "libgphoto2 config.c (as the EOS M family, but remote mode 1)"
        ),
        Row(
            models: ["Canon PowerShot SX540", "Canon PowerShot G5 X"],
            quirks: CanonQuirks(remoteMode: 0x11),
            source: "libgphoto2 config.c (remote mode 0x11)"
        ),
        Row(
            models: ["Canon EOS M", "Canon PowerShot"],
            quirks: CanonQuirks(remoteMode: 0x15),
            source: "libgphoto2 config.c (remote mode 0x15, event mode 2, both stages of the button at once)"
        ),
    ]
}
