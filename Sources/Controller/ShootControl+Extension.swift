import Cameras
import Exposure
import Statecharts

// The extension of a shoot by frames that it lacks.

extension ShootControl {
    /// The largest number of frames that a shoot can have with its extensions. The longest plan has fewer.
    private static let framesMax = 1_000

    /// Adds frames to a shoot that is over, and fires them. The frames belong to the shoot as if it had planned them.
    mutating func extend(_ input: ExtensionInput, streams: Bool, _ asker: Asker, in turn: inout Turn) {
        let request = Request.extend(input, streams: streams)
        let number = input.shoot ?? chart.machine.behavior.lastShootID
        guard number == shoot?.id else {
            guard number > 0 else { return refuse(.extend, ShootSentences.nothingToExtend, asker.id, in: &turn) }
            return read(number, request, asker, in: &turn)
        }
        guard mayStream(streams, asker, in: &turn),
            let added = addedSpeeds(of: request, to: shoot, asker, in: &turn)
        else { return }
        let order = RetryOrder(request: asker.id, streams: streams, added: added)
        restart(.extend, order, asker, in: &turn)
    }

    /// The speeds that a request adds to a shoot, none for another request; nil: the request was refused.
    func addedSpeeds(
        of request: Request,
        to shoot: Shoot?,
        _ asker: Asker,
        in turn: inout Turn
    ) -> [ShutterSpeed]? {
        guard case .extend(let input, _) = request else { return [] }
        do throws(RequestError) {
            return try input.shutterSpeeds(offered: asker.facts.camera.status?.speeds ?? [], room: room(in: shoot))
        } catch {
            turn.append(.fail(asker.id, error))
            return nil
        }
    }

    private func room(in shoot: Shoot?) -> Int { Self.framesMax - (shoot?.total ?? 0) }
}

extension ExtensionInput {
    /// - Parameters:
    ///   - offered: the camera's speeds; empty: not known.
    ///   - room: the number of frames that the shoot can still get.
    fileprivate func shutterSpeeds(offered: [ShutterSpeed], room: Int) throws(RequestError) -> [ShutterSpeed] {
        func refuse(_ value: String, _ sentence: String) -> RequestError {
            .invalidPlan(parameter: "speeds", value: value, sentence: sentence)
        }
        let countMax = min(ShutterSpeed.all.count, max(0, room))
        guard 0 < speeds.count, speeds.count <= countMax else {
            throw refuse(String(speeds.count), ShootSentences.extensionCount(speeds.count, max: countMax))
        }
        var found: [ShutterSpeed] = []
        for text in speeds {
            let speed: ShutterSpeed
            do { speed = try ShutterSpeed(parsing: text) } catch { throw refuse(text, error.sentence) }
            if !offered.isEmpty, !offered.contains(speed) {
                throw refuse(text, ShootSentences.notOffered(speed, nearest: speed.nearest(in: offered)))
            }
            found.append(speed)
        }
        return found
    }
}
