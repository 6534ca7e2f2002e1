import CLinux
import Cameras
import Controller
import Exposure
import Glibc
import NIOCore
import PictureReader

@testable import Host

// MARK: - Netlink

/// Fuzzes the kernel's messages about networks and WiFi. Each datagram has its length and a byte for its kind.
func fuzzNetlink(_ bytes: [UInt8]) {
    var script = FuzzBytes(bytes)
    var tables = NetworkTables()
    var requests = NetlinkRequests<Int>(port: NetlinkFuzz.port)
    var queries = WiFiQueries(port: NetlinkFuzz.port)
    queries.begin()
    var sequence: UInt32 = 0
    for round in 0..<NetlinkFuzz.datagramsMax where !script.isEmpty {
        let kind = script.byte()
        let datagram = script.piece()
        if kind & 1 != 0, let request = queries.next() {
            sequence = request[...].netlinkInteger(at: 8, as: UInt32.self) ?? 0
        }
        requests.ask(round)
        let routeSequence = requests.next()?.sequence
        let (messages, _) = NetlinkMessage.split(datagram)
        expect(messages.count <= datagram.count / 16, "more messages than there is room for")
        for var message in messages {
            // An answer needs the number of its request. An input can hardly guess this number, so it is set here.
            if kind & 2 != 0 { (message.port, message.sequence) = (NetlinkFuzz.port, sequence) }
            if let outcome = try? queries.receive(message), outcome == .beginAgain { queries.begin() }
            if kind & 2 != 0, let routeSequence { message.sequence = routeSequence }
            _ = try? requests.receive(message)
            if let change = try? RouteMessage(message) { tables.apply(change) }
        }
    }
    let interfaces = tables.interfaces(radios: queries.radios)
    expect(interfaces.count <= NetworkTables.interfacesMax, "interfaces without end")
    for interface in interfaces {
        expect(interface.addresses.count <= NetworkTables.addressesMax, "addresses without end")
        if case .joined(let point)? = interface.radio { expect(point.ssid.utf8.count <= 4 * 32, "a name without end") }
    }
    queries.giveUp()
    expect(queries.isIdle, "a conversation that was given up asks on")
}

private enum NetlinkFuzz {
    static let port: UInt32 = 4711
    static let datagramsMax = 64
}

// MARK: - Files and reports

func fuzzConfiguration(_ bytes: [UInt8]) {
    // Other bytes are refused before they reach this reader.
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else { return }
    let lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    do throws(ConfigurationError) {
        let configuration = try Configuration(text: text, file: "bracketd.toml")
        do throws(ConfigurationError) {
            let again = try Configuration(text: configuration.text, file: "written.toml")
            expect(again == configuration, "what was written means something else:\n\(configuration.text)")
        } catch {
            expect(false, "what was written cannot be read: \(error)\n\(configuration.text)")
        }
    } catch {
        expect(!error.faults.isEmpty, "refused without a reason")
        for fault in error.faults {
            expect(1...lineCount ~= fault.line ?? 1, "line \(fault.line ?? 0) of \(lineCount)")
        }
    }
}

/// Fuzzes the output of the program that reads pictures. A hostile picture may control this output.
func fuzzExposureReport(_ bytes: [UInt8]) {
    if let light = try? LightReport(reportLines: bytes) {
        expect(light.light.map.blocks.count == light.light.map.columns * light.light.map.rows, "a map of another size")
    }
    guard let record = (try? PictureReport(reportLines: bytes))?.exposure else { return }
    expect(record.model?.utf8.count ?? 0 <= 64, "a model without end")
}
