import Cameras
import JSON
import NIOCore

/// A call as the body reads it.
struct SonyHTTPRequest: Equatable, Sendable {
    /// The service in the path: `camera`.
    var service: String
    var method: String
    var params: [JSONValue]
    var id: Int
    var version: String

    /// The maximum byte count of a request (SR 4.x).
    static let byteCountMax = 20_480

    /// Reads the body of a POST; nil: an illegal request.
    static func read(_ bytes: ByteBuffer, service: String) -> SonyHTTPRequest? {
        guard let value = try? JSONValue(parsing: bytes.readableBytesView), let id = value["id"]?.intValue,
            (1...Int(Int32.max)).contains(id), let method = value["method"]?.stringValue,
            let params = value["params"]?.arrayValue
        else { return nil }
        let version = value["version"]?.stringValue ?? "1.0"
        return SonyHTTPRequest(service: service, method: method, params: params, id: id, version: version)
    }

    /// The methods that open the shutter.
    static let presses: Set<String> = ["actTakePicture", "startBulbShooting", "startContShooting"]
}

extension SonyHTTPBody {
    package static func meaning(of request: ServedRequest) -> DriverSignal? {
        guard request.method == "POST", let call = SonyHTTPRequest.read(request.body, service: "") else { return nil }
        if SonyHTTPRequest.presses.contains(call.method) { return .press(CommandID(rawValue: UInt64(call.id))) }
        return call.method == "stopRecMode" ? .sessionClosing : nil
    }
}

/// A method as `getMethodTypes` reports it: the types of its parameters and results, and its versions.
struct SonyHTTPMethodType: Sendable {
    let service: String
    let name: String
    let parameters: [String]
    let results: [String]
    let versions: [String]

    /// A row: service, name, parameters, results, and versions other than 1.0.
    private init(_ row: Substring) {
        let columns = row.split(separator: "|", omittingEmptySubsequences: false).map { column in
            column.split(separator: " ").map(String.init)
        }
        precondition(columns.count >= 4, "a row has a service, a name, parameters and results")
        service = columns[0].first ?? ""
        name = columns[1].first ?? ""
        parameters = columns[2]
        results = columns[3]
        versions = columns.count > 4 ? columns[4] : ["1.0"]
    }

    private init(_ name: String, _ parameters: [String], _ results: [String]) {
        (service, self.name, self.parameters, self.results, versions) = ("camera", name, parameters, results, ["1.0"])
    }

    /// The methods that are not those of a setting (API Reference v2.40; a real ILCE-5000).
    static let table: [SonyHTTPMethodType] = rows.split(separator: "\n").map(SonyHTTPMethodType.init)

    private static let rows = #"""
        camera|getVersions||string*
        camera|getMethodTypes|string|string string* string* string
        camera|getApplicationInfo||string string
        camera|getAvailableApiList||string*
        camera|getEvent|bool|{"type":"string"}|1.0 1.1 1.2 1.3 1.4
        camera|startRecMode||int
        camera|stopRecMode||int
        camera|actTakePicture||string*
        camera|awaitTakePicture||string*
        camera|startBulbShooting||
        camera|stopBulbShooting||
        camera|startContShooting||
        camera|stopContShooting||
        camera|actHalfPressShutter||
        camera|cancelHalfPressShutter||
        camera|startLiveview||string
        camera|stopLiveview||int
        camera|startLiveviewWithSize|string|string
        camera|getLiveviewSize||string
        camera|getAvailableLiveviewSize||string string*
        camera|getSupportedLiveviewSize||string*
        camera|setLiveviewFrameInfo|{"frameInfo":"bool"}|
        camera|getLiveviewFrameInfo||{"frameInfo":"bool"}
        camera|setCameraFunction|string|int
        camera|getCameraFunction||string
        camera|getAvailableCameraFunction||string string*
        camera|getSupportedCameraFunction||string*
        camera|actZoom|string string|int
        camera|setTouchAFPosition|double double|int {"AFResult":"bool","AFType":"string"}
        camera|getTouchAFPosition||{"set":"bool","touchCoordinates":"double*"}
        camera|cancelTouchAFPosition||
        camera|getStorageInformation||{"storageID":"string","recordTarget":"bool",\#
        "numberOfRecordableImages":"int","recordableTime":"int","storageDescription":"string"}*
        guide|getVersions||string*
        guide|getMethodTypes|string|string string* string* string
        guide|getServiceProtocols||string string*
        system|getVersions||string*
        system|getMethodTypes|string|string string* string* string
        system|setCurrentTime|{"dateTime":"string","timeZoneOffsetMinute":"int","dstOffsetMinute":"int"}|
        avContent|getVersions||string*
        avContent|getMethodTypes|string|string string* string* string
        avContent|getSchemeList||{"scheme":"string"}*
        avContent|getSourceList|{"scheme":"string"}|{"source":"string"}*
        avContent|getContentCount|{"uri":"string","type":"string*",\#
        "target":"string","view":"string"}|{"count":"int"}|1.2
        avContent|getContentList|{"uri":"string","stIdx":"int","cnt":"int",\#
        "type":"string*","view":"string","sort":"string"}|\#
        {"uri":"string","title":"string","content":"object"}*|1.3
        avContent|deleteContent|{"uri":"string*"}||1.1
        """#

    /// The methods of a setting, in the order of the API list.
    static func methods(of setting: SonyHTTPSetting) -> [SonyHTTPMethodType] {
        let stem = setting.stem
        let number = setting.stem == "SelfTimer" ? "int" : "string"
        switch setting.form {
        case .value:
            return [
                SonyHTTPMethodType("set\(stem)", [number], ["int"]), SonyHTTPMethodType("get\(stem)", [], [number]),
                SonyHTTPMethodType("getAvailable\(stem)", [], [number, "\(number)*"]),
                SonyHTTPMethodType("getSupported\(stem)", [], ["\(number)*"]),
            ]
        case .object(let key):
            let one = "{\"\(key)\":\"string\"}"
            let list = "{\"\(key)\":\"string\",\"candidate\":\"string*\"}"
            return [
                SonyHTTPMethodType("set\(stem)", [one], []), SonyHTTPMethodType("get\(stem)", [], [one]),
                SonyHTTPMethodType("getAvailable\(stem)", [], [list]),
                SonyHTTPMethodType("getSupported\(stem)", [], ["{\"candidate\":\"string*\"}"]),
            ]
        case .compensation:
            return [
                SonyHTTPMethodType("set\(stem)", ["int"], ["int"]), SonyHTTPMethodType("get\(stem)", [], ["int"]),
                SonyHTTPMethodType("getAvailable\(stem)", [], ["int", "int", "int", "int"]),
                SonyHTTPMethodType("getSupported\(stem)", [], ["int*", "int*", "int*"]),
            ]
        case .whiteBalance:
            let one = "{\"whiteBalanceMode\":\"string\",\"colorTemperature\":\"int\"}"
            let list = "{\"whiteBalanceMode\":\"string\",\"colorTemperatureRange\":\"int*\"}*"
            return [
                SonyHTTPMethodType("set\(stem)", ["string", "bool", "int"], ["int"]),
                SonyHTTPMethodType("get\(stem)", [], [one]),
                SonyHTTPMethodType("getAvailable\(stem)", [], [one, list]),
                SonyHTTPMethodType("getSupported\(stem)", [], [list]),
            ]
        }
    }

    /// The entries of a `getMethodTypes` reply for these versions.
    func entries(of wanted: String, in known: [String]) -> [JSONValue] {
        versions.filter { (wanted.isEmpty || $0 == wanted) && (name != "getEvent" || known.contains($0)) }
            .map { [.string(name), .strings(parameters), .strings(results), .string($0)] }
    }
}
