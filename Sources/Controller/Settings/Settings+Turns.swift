import Cameras
import Exposure
import Statecharts

extension SettingsModel {
    // MARK: Who set a value

    /// The pending settings of the connected camera.
    var keysHere: [SettingKey] {
        pending.keys.filter { $0.cameraID == camera?.camera.id && $0.kind != nil }.sorted()
    }

    var nextKey: SettingKey? { keysHere.first }

    /// The longest time for all notches to the value to restore; zero: the body does not step.
    var notchLimit: Duration {
        guard camera?.isStepwise == true, let key = nextKey, let original = pending[key]?.row.original
        else { return .zero }
        let speeds = [original, shown(key)].compactMap { label in ShutterSpeed.all.firstIndex { $0.label == label } }
        let notches = speeds.count == 2 ? abs(speeds[0] - speeds[1]) : ShutterSpeed.all.count
        return Self.steppingBase + Self.perNotch * notches
    }

    func key(_ property: CameraProperty) -> SettingKey? {
        camera.map { SettingKey(cameraID: $0.camera.id, property: property.rawValue) }
    }

    func shown(_ key: SettingKey) -> String? { key.kind.flatMap { camera?.values[$0] } }

    /// Whether the daemon may have set this value.
    func isOurs(_ value: String, _ key: SettingKey) -> Bool {
        guard let row = pending[key]?.row else { return false }
        // Rows without values are from an older version of the daemon, which did not record the values that it set.
        return value == row.original || row.values.isEmpty || row.values.contains(value)
    }

    /// Whether the user set this value. This is the case if no command of the daemon leads to this value.
    ///
    /// - Parameter isQuiet: whether the last command was so long ago that no command can take effect late.
    func isSetByUser(_ key: SettingKey, to value: String, isQuiet: Bool = false) -> Bool {
        guard let entry = pending[key], value != entry.row.original else { return false }
        switch entry.motion {
        case .settled(let place): return value != place && (isQuiet || !isOurs(value, key))
        case .moving: return false
        case .unseen: return camera?.isStepwise == false && !isOurs(value, key)
        }
    }

    /// Whether the body shows the value to restore, or a value that the user set.
    func isDecided(_ key: SettingKey) -> Bool {
        isRestored(key) || shown(key).map { isSetByUser(key, to: $0, isQuiet: true) } ?? false
    }

    /// Whether the body shows the value to restore, and no command is active.
    func isRestored(_ key: SettingKey) -> Bool {
        guard let entry = pending[key], case .settled = entry.motion else { return false }
        return shown(key) == entry.row.original
    }

    mutating func command(_ key: SettingKey, _ value: String) {
        let isShown = shown(key) == value
        if isShown, pending[key]?.motion == .settled(on: value) { return }
        pending[key]?.motion = .moving(to: isShown ? nil : value)
    }

    /// Notes that the body shows the value of a command, unless the body only passes this value.
    mutating func noteArrival() {
        for key in keysHere where camera?.isPassing == false {
            guard case .moving(let target?)? = pending[key]?.motion, shown(key) == target else { continue }
            pending[key]?.motion = .settled(on: target)
        }
    }

    /// Takes the shown value as final, because the time that the body needs has passed. On a body that is set by value,
    /// only a value that the daemon set is final.
    mutating func settle() {
        for key in keysHere {
            guard let entry = pending[key], let shown = shown(key) else { continue }
            if case .settled = entry.motion { continue }
            if camera?.isStepwise == true || isOurs(shown, key) { pending[key]?.motion = .settled(on: shown) }
        }
    }
}
