import Varlink

/// The daemon's objects in the form of `--json`. Some names differ from those of the interface `io.bracketd`, because
/// bracketctl prints only one name for each thing. docs/json.md lists the names.
enum PrintedJSON {
    static func progress(_ progress: JSONValue) -> JSONValue { progress.renaming(["total": "totalExposures"]) }

    static func preflight(_ report: JSONValue) -> JSONValue {
        report.mapping("drops") { $0.renaming(["total": "totalExposures"]) }
    }

    /// Converts a `Status`. Its member `shoot` becomes an object like those that `bracketctl shoot` prints. In other
    /// objects the member `shoot` is a number.
    static func status(_ status: JSONValue) -> JSONValue {
        status.mapping("shoot", progress).renaming(["shoot": "progress"])
    }

    static func transition(_ transition: JSONValue) -> JSONValue { transition.renaming(["message": "sentence"]) }

    static func photo(_ photo: JSONValue) -> JSONValue { photo.renaming(["path": "file"]) }

    static func photos(_ photos: JSONValue) -> JSONValue {
        photos.mapping("list") { .array(($0.arrayValue ?? []).map(photo)) }.renaming(["list": "photos"])
    }

    static func summary(_ summary: JSONValue) -> JSONValue {
        summary.renaming(["id": "shoot", "total": "totalExposures"])
    }

    /// Converts a `ShootRecord`. The members of its summary become members of the record.
    static func record(_ record: JSONValue) -> JSONValue {
        guard case .object(let members) = record, case .object(let shoot)? = members["shoot"].map(summary) else {
            return record
        }
        return .object(members.filter { $0.key != "shoot" }.merging(shoot) { own, _ in own })
    }

    /// Converts a `PlanDescription`. The members of its input become members of the plan.
    static func plan(_ plan: JSONValue) -> JSONValue {
        guard case .object(let members) = plan else { return plan }
        let input = members["input"].map(request)?.objectValue ?? [:]
        // Only `--compare` prints the comparison.
        let own = members.filter { !["input", "comparison"].contains($0.key) }
        return .object(own.merging(input) { own, _ in own })
    }

    /// Converts a `PlanInput` and adds every default value.
    private static func request(_ input: JSONValue) -> JSONValue {
        input.mapping("shareOnce") { $0.boolValue == true ? "once" : "twice" }
            .renaming(["frames": "framesPerSet", "shareOnce": "share"])
    }
}

extension JSONValue {
    /// The object with an additional member. Returns the same object if `value` is nil.
    func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    /// The object in which some members have other names.
    fileprivate func renaming(_ names: [String: String]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            Dictionary(members.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// The object in which one member has another value, if the object has this member.
    fileprivate func mapping(_ name: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard let value = self[name], !value.isNull else { return self }
        return adding(name, change(value))
    }
}
