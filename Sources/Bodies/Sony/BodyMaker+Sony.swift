import Cameras

extension BodyMaker {
    /// Sony's bodies with PTP/IP.
    package static let sony = BodyMaker(name: "sony", models: SonyModel.all.map(\.row))
}

extension SonyModel {
    package var row: BodyModel {
        var row = bodyModel(version: versionNumber) { SonyBody(model: $0, options: $1) }
        guard stepping != nil else { return row }
        row.takesSpeedList = false
        row.varied = { _, chance in
            var model = self
            model.stepAccuracy = chance.pick(from: [nil, .exact, .short(by: 1), .capped(at: 3)])
            return model.row
        }
        return row
    }
}
