import Varlink

/// The daemon's objects as `--json` prints them. The interface `io.bracketd` keeps its first names; bracketctl prints
/// one name per thing in every command. docs/json.md lists all of them.
enum PrintedJSON {
    static func progress(_ progress: JSONValue) -> JSONValue { progress.renaming(["total": "totalExposures"]) }

    static func preflight(_ report: JSONValue) -> JSONValue {
        report.mapping("drops") { $0.renaming(["total": "totalExposures"]) }
    }

    /// A `Status`. Its `shoot` is the object that `shoot` prints for each step; elsewhere `shoot` is a number.
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

    /// A `ShootRecord`: the members of its summary become its own.
    static func record(_ record: JSONValue) -> JSONValue {
        guard case .object(let members) = record, case .object(let shoot)? = members["shoot"].map(summary) else {
            return record
        }
        return .object(members.filter { $0.key != "shoot" }.merging(shoot) { own, _ in own })
    }

    /// A `PlanDescription`: the members of its input become its own.
    static func plan(_ plan: JSONValue) -> JSONValue {
        guard case .object(let members) = plan else { return plan }
        let input = members["input"].map(request)?.objectValue ?? [:]
        // The comparison is only printed with `--compare`.
        let own = members.filter { !["input", "comparison"].contains($0.key) }
        return .object(own.merging(input) { own, _ in own })
    }

    /// A `PlanInput` with every default.
    private static func request(_ input: JSONValue) -> JSONValue {
        input.mapping("shareOnce") { $0.boolValue == true ? "once" : "twice" }
            .renaming(["frames": "framesPerSet", "shareOnce": "share"])
    }
}

extension JSONValue {
    /// The object with this member; nil: without it.
    func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    /// The object with other names for some of its members.
    fileprivate func renaming(_ names: [String: String]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            Dictionary(members.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// The object with another value for one member, if it has that.
    fileprivate func mapping(_ name: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard let value = self[name], !value.isNull else { return self }
        return adding(name, change(value))
    }
}
