import Bodies
import Cameras
import JSON
import NIOCore
import Testing

/// Tests the card of bodies with Sony's HTTP API, the menu "Send to Smartphone", and the description.
struct SonyHTTPCardTests {
    private func body(frames: Int) throws -> SonyHTTPInitiator {
        let initiator = try SonyHTTPInitiator(model: .a6300)
        initiator.start()
        #expect(initiator.call("setFocusMode", "MF", waiting: .milliseconds(100)) == .result([0]))
        for _ in 0..<frames { try initiator.fire("1/60") }
        return initiator
    }

    private func list(_ initiator: SonyHTTPInitiator, _ query: JSONValue) throws -> [JSONValue] {
        let answer = initiator.call("getContentList", query, version: "1.3", service: "avContent")
        return try #require(answer.result?.first?.arrayValue, "\(answer)")
    }

    // MARK: The card

    @Test func `the card is listed after the change of the function`() throws {
        let initiator = try body(frames: 3)
        #expect(initiator.call("getSchemeList", service: "avContent") == .result([[["scheme": "storage"]]]))
        #expect(initiator.call("getSourceList", ["scheme": "storage"], service: "avContent").code == 1)
        #expect(initiator.call("setCameraFunction", "Contents Transfer") == .result([0]))
        #expect(try initiator.status() == "NotReady")
        initiator.advance(.seconds(1))
        let state = try initiator.state()
        #expect(state["cameraStatus"]?["cameraStatus"] == "ContentsTransfer")
        #expect(state["cameraFunctionResult"]?["cameraFunctionResult"] == "Success")
        #expect(try !initiator.methods().contains("actTakePicture"))
        let source: JSONValue = "storage:memoryCard1"
        #expect(
            initiator.call("getSourceList", ["scheme": "storage"], service: "avContent")
                == .result([[["source": source]]])
        )
        let count: JSONValue = ["uri": source, "target": "all", "view": "flat"]
        let counted = initiator.call("getContentCount", count, version: "1.2", service: "avContent")
        #expect(counted == .result([["count": 3]]))
        let query: JSONValue = ["uri": source, "stIdx": 0, "cnt": 2, "view": "flat", "sort": "descending"]
        let page = try list(initiator, query)
        #expect(page.map { $0["fileNo"]?.stringValue } == ["0003", "0002"])
        let files = try #require(page[0]["content"]?["original"]?.arrayValue)
        #expect(files.map { $0["stillObject"]?.stringValue } == ["jpeg", "raw"])
        for (file, type) in zip(files, ["image/jpeg", "application/octet-stream"]) {
            let url = try #require(file["url"]?.stringValue)
            // As on a real body, only the list has the name and the kind of the file.
            #expect(url.contains("/index%3A%2F%2F") && !url.hasSuffix(".JPG") && !url.hasSuffix(".ARW"))
            let reply = initiator.get(url)
            #expect(reply.status == 200 && reply.isComplete && reply.headers["content-type"] == type)
        }
        let long: JSONValue = ["uri": source, "stIdx": 0, "cnt": 101]
        #expect(initiator.call("getContentList", long, version: "1.3", service: "avContent").code == 3)
    }

    @Test func `days are folders, and pictures can be deleted`() throws {
        let initiator = try body(frames: 2)
        _ = initiator.call("setCameraFunction", "Contents Transfer", waiting: .seconds(1))
        let page: (JSONValue) -> JSONValue = {
            ["uri": $0, "stIdx": 0, "cnt": 100, "view": "date", "sort": "ascending"]
        }
        let days = try list(initiator, page("storage:memoryCard1"))
        #expect(days.map { $0["title"]?.stringValue } == ["20260101"])
        #expect(days[0]["contentKind"] == "directory" && days[0]["isBrowsable"] == "true")
        #expect(days[0]["content"] == .null)
        let uri = try #require(days[0]["uri"])
        #expect(uri == "storage:memoryCard1?path=2026-01-01")
        let pictures = try list(initiator, page(uri))
        #expect(pictures.count == 2)
        let first = try #require(pictures[0]["uri"])
        #expect(initiator.call("deleteContent", ["uri": [first]], version: "1.1", service: "avContent") == .result([]))
        let again = initiator.call("deleteContent", ["uri": [first]], version: "1.1", service: "avContent")
        #expect(again.code == 41_003)
        #expect(try list(initiator, page(uri)).count == 1)
        _ = initiator.call("setCameraFunction", "Remote Shooting", waiting: .seconds(1))
        #expect(try initiator.status() == "IDLE")
    }

    // MARK: Send to Smartphone

    private func soap(
        _ initiator: SonyHTTPInitiator,
        _ action: String,
        _ service: String,
        _ arguments: String = ""
    )
        -> SonyHTTPInitiator.Reply
    {
        let body = "<s:Envelope><s:Body><u:\(action)>\(arguments)</u:\(action)></s:Body></s:Envelope>"
        let header = "SOAPAction: \"urn:schemas:service:\(service):1#\(action)\"\r\n"
        let id = initiator.post(body, to: "/upnp/control/\(service)", headers: header)
        return initiator.reply(on: id)
    }

    @Test func `selected pictures are listed after the start of the transfer, and fetched`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300) { $0.selectedPictures = 60 }
        #expect(soap(initiator, "Browse", "ContentDirectory").status == 500)
        #expect(soap(initiator, "X_TransferStart", "XPushList").status == 200)
        let page = { (start: Int) in
            "<ObjectID>PushRoot</ObjectID><StartingIndex>\(start)</StartingIndex><RequestedCount>50</RequestedCount>"
        }
        let first = String(buffer: soap(initiator, "Browse", "ContentDirectory", page(0)).body)
        #expect(first.contains("<NumberReturned>50</NumberReturned><TotalMatches>60</TotalMatches>"))
        let second = String(buffer: soap(initiator, "Browse", "ContentDirectory", page(50)).body)
        #expect(second.contains("<NumberReturned>10</NumberReturned>"))
        let url = { (number: Int) in
            "http://192.0.2.9:8080/contentstransfer/orgjpeg/index%3A%2F%2F1000%2F\(number)"
        }
        #expect(first.contains(url(1)))
        #expect(initiator.get(url(60)).status == 200)
        #expect(initiator.get(url(61)).status == 404)
        #expect(soap(initiator, "X_TransferEnd", "XPushList").status == 200)
        #expect(soap(initiator, "Browse", "ContentDirectory", page(0)).status == 500)
        // This menu has no remote control.
        #expect(initiator.call("getVersions") == .status(404))
    }

    // MARK: The description

    @Test func `the description names the body's own port, and what foreign clients need`() throws {
        let host = IPAddress(bytes: [127, 0, 0, 1])
        let rows: [(SonyHTTPModel, UInt16)] = [(.a6000, 8080), (.rx100m4, 10_000), (.a6300, 9_999)]
        for (model, service) in rows {
            let body = model.row.make(BodyOptions())
            let discovery = try #require(body.discovery(at: host, port: 64_321, service: service))
            #expect(discovery.announcement.location.description == "http://127.0.0.1:64321/dd.xml")
            guard case .file(let text) = discovery.files.answer(to: "/dd.xml") else {
                Issue.record("no description of the \(model.shortName)")
                return
            }
            #expect(text.contains("<friendlyName>\(model.name)</friendlyName>"))
            #expect(text.contains("_ActionList_URL>http://127.0.0.1:\(service)/sony<"))
            #expect(text.contains("X_ScalarWebAPI_ImagingDevice"))
            #expect(text.split(separator: "<service>").count == 3)
            #expect(text.contains("<av:X_ScalarWebAPI_ServiceType>avContent<") == model.hasContents)
            // A pattern of a foreign client: the type directly before the URL.
            let pattern = #/ServiceType>camera</av:X_ScalarWebAPI_ServiceType>\s*<av:X_ScalarWebAPI_ActionList_URL>/#
            #expect(text.contains(pattern))
        }
    }

    @Test func `the descriptions of a body and of its menu for pictures are read by the daemon's reader`() throws {
        let host = IPAddress(bytes: [127, 0, 0, 1])
        for selected in [nil, 3] as [Int?] {
            var options = BodyOptions()
            options.selectedPictures = selected
            let discovery = try #require(SonyHTTPModel.a6300.row.make(options).discovery(at: host, port: 64_321))
            guard case .file(let text) = discovery.files.answer(to: "/dd.xml") else {
                Issue.record("no description")
                return
            }
            let description = try DeviceDescription.read(ByteBuffer(string: text))
            let fitness = DiscoveryTable.standard.fitness(of: description, at: discovery.announcement.location)
            guard selected == nil else {
                guard case .unfit = fitness else {
                    Issue.record("not refused: \(fitness as Any)")
                    return
                }
                continue
            }
            guard case .fit(let offers) = fitness else {
                Issue.record("not offered: \(fitness as Any)")
                return
            }
            #expect(offers.map(\.protocol) == [.sonyHTTP] && offers[0].name == "ILCE-6300")
            #expect(offers[0].address == CameraAddress(host: "127.0.0.1", port: 8080))
        }
    }
}
