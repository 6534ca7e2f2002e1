import PTP

/// The neutral properties of a connected body, as its last reading shows them.
package struct SonyProperties: Sendable {
    private var offers: [CameraProperty: SonyPropertyOffer] = [:]
    private var reported: [CameraProperty: PropertyState] = [:]

    /// Nothing is known yet.
    package init() {}

    /// What the body says of a property; nil: it does not have it.
    package subscript(property: CameraProperty) -> SonyPropertyOffer? { offers[property] }

    /// Takes over a reading. What has not changed is not made anew: readings are frequent, and the lists are long.
    /// Behind a damage the body may have told more than could be read: what is missing then is as it was.
    package mutating func update(_ dataset: SonyPropertyDataset, version: SonyExtensionVersion) {
        for row in SonyPropertyRow.table {
            guard let (source, main) = row.find(in: dataset, version: version) else {
                if dataset.damage == nil { offers[row.property] = nil }
                continue
            }
            let detail = source.detail.flatMap { dataset[$0.code] }
            if let known = offers[row.property], known.isMade(of: main, detail) { continue }
            offers[row.property] = SonyPropertyOffer(row.property, source, main, detail: detail)
        }
    }

    /// What changed since the last report, and counts as reported from here on.
    ///
    /// - Parameter exception: Is left for later.
    package mutating func takeChanges(except exception: CameraProperty? = nil) -> [PropertyState] {
        let changes = CameraProperty.allCases.compactMap { property -> PropertyState? in
            guard property != exception else { return nil }
            // One that the body has no more is told once, as one of which it says nothing.
            let gone = reported[property] == nil ? nil : PropertyState(property: property, value: nil)
            let state = offers[property]?.state ?? gone
            return state == reported[property] ? nil : state
        }
        for state in changes { reported[state.property] = state }
        return changes
    }

    /// This was told in another way.
    package mutating func noteReported(_ state: PropertyState) {
        reported[state.property] = state
    }

    /// Whether anything was reported.
    package var isReported: Bool { !reported.isEmpty }
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
