import Bodies
import Cameras
import Controller
import Exposure
import Interface
import NIOCore
import Varlink

// MARK: - Varlink

/// Fuzzes a client's byte stream on the daemon's socket, up to the core's request.
func fuzzVarlink(_ bytes: [UInt8]) {
    var cuts = FuzzCuts(bytes)
    let whole = frames([ByteBuffer(bytes: bytes)])
    let cut = frames(cuts.cut(bytes[...]))
    expect(whole.frames == cut.frames && whole.isTooLong == cut.isTooLong, "frames depend on where bytes are cut")
    for frame in whole.frames {
        checkJSON(frame)
        _ = try? VarlinkReply(parsing: frame)
        guard let call = try? VarlinkCall(parsing: frame) else { continue }
        let again = try? VarlinkCall(parsing: ByteBuffer(bytes: call.message.encoded()))
        expect(again == call, "a call that cannot be written")
        answer(call)
    }
}

private let frameLengthMax = 4096

private func frames(_ pieces: [ByteBuffer]) -> (frames: [ByteBuffer], isTooLong: Bool) {
    var reader = FrameReader(lengthMax: frameLengthMax)
    var frames: [ByteBuffer] = []
    do throws(FrameTooLong) {
        for piece in pieces {
            reader.append(piece)
            while let frame = try reader.next() { frames.append(frame) }
        }
        return (frames, false)
    } catch {
        return (frames, true)
    }
}

private func checkJSON(_ frame: ByteBuffer) {
    guard let value = try? JSONValue(parsing: frame.readableBytesView) else { return }
    let written = value.encoded()
    expect((try? JSONValue(parsing: written)) == value, "JSON that cannot be written: \(value)")
    expect(!written.contains(0), "JSON with an end mark in it")
}

private let fixture: VarlinkCallChecker = {
    do {
        return try VarlinkCallChecker(identity: DaemonInterface.identity, interfaces: [DaemonInterface.parsed()])
    } catch {
        preconditionFailure("the interface is our own: \(error)")
    }
}()

private func answer(_ call: VarlinkCall) {
    do throws(VarlinkError) {
        if try fixture.answerAtOnce(call) == nil { _ = try Request(call) }
    } catch {
        expect(error.name.contains("."), "an error of no interface: \(error.name)")
        expect(VarlinkReply(parameters: error.parameters, error: error.name).message.encoded().count < 1 << 18, "long")
    }
}

// MARK: - Texts of the user

/// Fuzzes the user's arguments: speeds, bias, spacing, addresses of cameras, values of properties.
func fuzzSpeeds(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(SpeedError) {
        let speed = try ShutterSpeed(parsing: text)
        expect((try? ShutterSpeed(parsing: speed.label)) == speed, "\(speed) does not mean itself")
    } catch {
        expect(error.sentence.unicodeScalars.count < 200, "a sentence without end")
        for speed in error.nearest {
            expect((try? ShutterSpeed(parsing: speed.label)) == speed, "\(speed) does not mean itself")
        }
    }
    if let thirds = try? PlanRequest.biasThirds(parsing: text) {
        expect((try? PlanRequest.biasThirds(parsing: "\(thirds)/3")) == thirds, "\(thirds)/3 does not mean itself")
    }
    if let spacing = try? Spacing(parsing: text) {
        expect((try? Spacing(parsing: spacing.label)) == spacing, "\(spacing) does not mean itself")
    }
    if case .success(let address) = CameraAddress.parse(text) {
        expect((try? CameraAddress.parse("\(address)").get()) == address, "\(address) does not mean itself")
    }
    var numbers = FuzzBytes(bytes)
    let numerator = UInt32(numbers.number()) << 16 | UInt32(numbers.number())
    let denominator = UInt32(numbers.number()) << 16 | UInt32(numbers.number())
    if let speed = ShutterSpeed(nearestToNumerator: numerator, denominator: denominator) {
        let ratio = Double(numerator) / Double(denominator) / speed.exposureTime.inSeconds
        expect(0.885...1.13 ~= ratio, "\(numerator)/\(denominator) is no \(speed)")
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// Fuzzes the notation for faults of simulated cameras.
func fuzzFaults(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(FaultError) {
        _ = try Fault(parsing: text)
    } catch {
        expect(error.description.unicodeScalars.count < 2000, "a sentence without end")
    }
}
