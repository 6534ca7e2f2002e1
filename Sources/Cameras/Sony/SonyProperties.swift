import PTP

/// The neutral properties of a connected body, as its last reading shows them.
package struct SonyProperties: Sendable {
    /// One entry per property that PTP bodies have, in the order of the table.
    private var entries = SonyPropertyRow.table.map { Entry(property: $0.property) }

    private struct Entry: Sendable {
        let property: CameraProperty
        /// The body's report; nil: the body does not have the property.
        var offer: SonyPropertyOffer?
        /// The last report to the core; nil: the property was not reported yet.
        var reported: PropertyState?
    }

    package init() {}

    /// The body's report of a property; nil: the body does not have the property.
    package subscript(property: CameraProperty) -> SonyPropertyOffer? {
        entries.first { $0.property == property }?.offer
    }

    /// Updates the properties from a reading. Unchanged entries are not rebuilt, because readings are frequent and the
    /// lists are long. If the data are damaged, the driver cannot read all properties, so missing properties keep their
    /// state.
    package mutating func update(_ dataset: SonyPropertyDataset, version: SonyExtensionVersion) {
        // The entries and the table have the same order.
        for (place, row) in SonyPropertyRow.table.enumerated() {
            guard let (source, main) = row.find(in: dataset, version: version) else {
                if dataset.damage == nil { entries[place].offer = nil }
                continue
            }
            let detail = source.detail.flatMap { dataset[$0.code] }
            if entries[place].offer?.isMade(of: main, detail) == true { continue }
            entries[place].offer = SonyPropertyOffer(row.property, source, main, detail: detail)
        }
    }

    /// Returns the changes since the last report, and marks them as reported.
    ///
    /// - Parameter exception: A property whose change is reported later.
    package mutating func takeChanges(except exception: CameraProperty? = nil) -> [PropertyState] {
        var changes: [PropertyState] = []
        for place in entries.indices where entries[place].property != exception {
            let reported = entries[place].reported
            // A property that disappeared is reported once, without a value.
            let gone = reported.map { PropertyState(property: $0.property, value: nil) }
            guard let state = entries[place].offer?.state ?? gone, state != reported else { continue }
            entries[place].reported = state
            changes.append(state)
        }
        return changes
    }

    /// Notes that the property was reported in another way.
    package mutating func noteReported(_ state: PropertyState) {
        for place in entries.indices where entries[place].property == state.property {
            entries[place].reported = state
        }
    }

    package var isReported: Bool { entries.contains { $0.reported != nil } }
}

extension SonyPropertyRow {
    /// The property's first source that the body lists.
    fileprivate func find(
        in dataset: SonyPropertyDataset,
        version: SonyExtensionVersion
    ) -> (Source, SonyPropertyRecord)? {
        for source in sources where source.versions.contains(version) {
            if let record = dataset[source.code] { return (source, record) }
        }
        return nil
    }
}
