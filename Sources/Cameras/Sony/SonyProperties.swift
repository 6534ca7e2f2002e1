import PTP

/// The neutral properties of a connected body, as its last reading shows them.
package struct SonyProperties: Sendable {
    /// A property each, in the order of all.
    private var entries = CameraProperty.allCases.map { Entry(property: $0) }

    private struct Entry: Sendable {
        let property: CameraProperty
        /// What the body says of it; nil: it does not have it.
        var offer: SonyPropertyOffer?
        /// What was told last; nil: nothing was.
        var reported: PropertyState?
    }

    /// Nothing is known yet.
    package init() {}

    /// What the body says of a property; nil: it does not have it.
    package subscript(property: CameraProperty) -> SonyPropertyOffer? { entries[place(of: property)].offer }

    private func place(of property: CameraProperty) -> Int {
        for place in entries.indices where entries[place].property == property { return place }
        preconditionFailure("every property has an entry")
    }

    /// Takes over a reading. What has not changed is not made anew: readings are frequent, and the lists are long.
    /// Behind a damage the body may have told more than could be read: what is missing then is as it was.
    package mutating func update(_ dataset: SonyPropertyDataset, version: SonyExtensionVersion) {
        for row in SonyPropertyRow.table {
            let place = place(of: row.property)
            guard let (source, main) = row.find(in: dataset, version: version) else {
                if dataset.damage == nil { entries[place].offer = nil }
                continue
            }
            let detail = source.detail.flatMap { dataset[$0.code] }
            if entries[place].offer?.isMade(of: main, detail) == true { continue }
            entries[place].offer = SonyPropertyOffer(row.property, source, main, detail: detail)
        }
    }

    /// What changed since the last report, and counts as reported from here on.
    ///
    /// - Parameter exception: Is left for later.
    package mutating func takeChanges(except exception: CameraProperty? = nil) -> [PropertyState] {
        var changes: [PropertyState] = []
        for place in entries.indices where entries[place].property != exception {
            let reported = entries[place].reported
            // One that the body has no more is told once, as one of which it says nothing.
            let gone = reported.map { PropertyState(property: $0.property, value: nil) }
            guard let state = entries[place].offer?.state ?? gone, state != reported else { continue }
            entries[place].reported = state
            changes.append(state)
        }
        return changes
    }

    /// This was told in another way.
    package mutating func noteReported(_ state: PropertyState) {
        entries[place(of: state.property)].reported = state
    }

    /// Whether anything was reported.
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
