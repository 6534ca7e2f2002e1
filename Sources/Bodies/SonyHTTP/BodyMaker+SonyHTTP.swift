import Cameras

extension BodyMaker {
    /// Sony's bodies with the Camera Remote API: JSON over HTTP.
    package static let sonyHTTP = BodyMaker(
        name: "sony-http",
        models: SonyHTTPModel.all.map(\.row),
        drawFault: { SonyHTTPModel.drawFault(&$0) }
    )
}

extension SonyHTTPModel {
    package var row: BodyModel {
        var row = BodyModel(shortName: shortName, name: name, summary: summary) { options in
            var model = options.serial.flatMap(identified) ?? self
            if options.hasHostileNames { model = model.withHostileNames }
            return HTTPBody(SonyHTTPBody(model: model, options: options))
        }
        row.quirks = quirks
        row.fileDelay = fileDelay
        row.firesBrackets = !isReduced
        row.ports = [BodyPort(port, .http)]
        return row
    }

    /// Methods without which a body can still shoot.
    private static let lockable = ["actHalfPressShutter", "getAvailableShutterSpeed", "setPostviewImageSize"]

    /// A random fault that only these bodies have.
    fileprivate static func drawFault(_ chance: inout SeededGenerator) -> Fault {
        let frame = chance.next(in: 1...4)
        let times = chance.next(in: 1...4)
        let delay = Duration.milliseconds(chance.next(in: 100...2_000))
        return chance.pick(from: [
            .sonyHTTP(chance.pick(from: Fault.SonyHTTPTrait.allCases)), .notReadyFirst(times: times),
            .notReadyGap(delay), .pollEnd(chance.pick(from: Fault.PollEnd.allCases)),
            .damagedReply(chance.pick(from: Fault.ReplyDamage.allCases), times: times), .withoutURL(frame: frame),
            .expiredURL(frame: frame), .lateCounter(delay), .locked(chance.pick(from: lockable)),
        ])
    }
}
