import Exposure
import PictureReader
import Varlink

/// The metered speeds of a scene.
struct MeterReport {
    struct Spot {
        /// The end of the range; nil: one more point.
        let end: SceneEnd?
        /// Nil: the end of the whole picture.
        let point: PicturePoint?
        let metered: MeteredSpeed
        /// Whether the picture proves nothing.
        let isGuess: Bool

        /// The least error of a reading from the live view, in EV. It is the largest error of the usual tone curve.
        private static let guessErrorMin = 0.54

        var certainty: MeteredSpeed.Certainty {
            switch metered.certainty {
            case .measured where isGuess: .estimated(error: Self.guessErrorMin)
            case .estimated(let error) where isGuess: .estimated(error: max(error, Self.guessErrorMin))
            case .measured, .estimated, .outside: metered.certainty
            }
        }
    }

    private let placement: Placement
    /// The shadows, the highlights, then the other points.
    private let spots: [Spot]
    private let frameCount: Int
    /// Where the pictures come from.
    private let source: String
    private let warnings: [MeteringWarning]
    private let isSwapped: Bool

    init(
        _ pictures: [MeteredPicture],
        _ points: MeterPoints,
        _ placement: Placement,
        source: String
    ) throws(Failure) {
        self.placement = placement
        self.source = source
        frameCount = pictures.count
        warnings = MeteringWarning.findings(pictures.map { (speed: $0.speed, map: $0.report.light.map) })
        var search = SpotSearch(spotCount: 2 + points.others.count, available: ShutterSpeed.all)
        for picture in pictures {
            let codes = MeterReport.codes(picture, points)
            search.read(codes, at: picture.speed, map: picture.report.light.map)
        }
        func meter(_ index: Int, _ end: SceneEnd?, _ placement: Placement) -> MeteredSpeed? {
            let spot = search.spots[index]
            return MeteredSpeed(spot, placing: end, as: placement, available: search.available, tones: search.tones)
        }
        // Only two points can be named the wrong way round: the ends of a picture are in order.
        let greys = [meter(0, nil, .grey), meter(1, nil, .grey)].compactMap { $0?.speed }
        isSwapped = points.shadow != nil && points.highlight != nil && greys.count == 2 && greys[0] < greys[1]
        let (shadow, highlight) = isSwapped ? (1, 0) : (0, 1)
        var spots: [Spot] = []
        let ends: [(index: Int, end: SceneEnd?, point: PicturePoint?)] = [
            (shadow, .shadow, isSwapped ? points.highlight : points.shadow),
            (highlight, .highlight, isSwapped ? points.shadow : points.highlight),
        ]
        let others = points.others.enumerated().map { (index: 2 + $0, end: SceneEnd?.none, point: Optional($1)) }
        for (index, end, point) in ends + others {
            guard let metered = meter(index, end, end == nil ? .grey : placement) else { continue }
            spots.append(Spot(end: end, point: point, metered: metered, isGuess: source == LiveFrame.word))
        }
        self.spots = spots
    }

    /// The codes of the spots: the shadows, the highlights, then the other points.
    private static func codes(_ picture: MeteredPicture, _ points: MeterPoints) -> [Int] {
        let light = picture.report.light
        let ends = FrameEnds(brightest: light.brightest, luma: light.luma)
        var spots = picture.report.spots[...]
        let shadow = points.shadow.flatMap { _ in spots.popFirst()?.luma } ?? ends.shadowCode
        let highlight = points.highlight.flatMap { _ in spots.popFirst()?.brightest } ?? ends.highlightCode
        return [shadow, highlight] + spots.map(\.luma)
    }

    private func spot(_ end: SceneEnd) -> Spot? { spots.first { $0.end == end } }

    // MARK: JSON

    var json: JSONValue {
        .object(leavingOutNil: [
            "shadow": spot(.shadow).map { .string($0.metered.speed.label) },
            "highlight": spot(.highlight).map { .string($0.metered.speed.label) },
            "placement": .string(placement.label),
            "clipped": .strings(spots.filter { $0.certainty == .outside }.compactMap { $0.end?.label }),
            "frames": .int(frameCount),
            "source": .string(source),
            "next": spots.lazy.compactMap(\.metered.next).first.map { .string($0.label) },
            "spots": .array(spots.map(\.json)),
            "warnings": .strings(warnings.map(\.code)),
        ])
    }

    // MARK: Text

    var text: String {
        let table = TextTable.lines(spots.map(\.cells))
        var lines = table + ["", MeterSentences.placement(placement, frames: frameCount)]
        if let shadow = spot(.shadow)?.metered, let highlight = spot(.highlight)?.metered,
            shadow.certainty != .outside, highlight.certainty != .outside
        {
            lines.append(MeterSentences.toPlan(shadow: shadow.speed, highlight: highlight.speed, placement))
        }
        if isSwapped { lines.append(MeterSentences.swapped) }
        return (lines + warnings.map(\.sentence)).joined(separator: "\n")
    }
}

extension MeterReport.Spot {
    fileprivate var json: JSONValue {
        let error: Double? =
            switch certainty {
            case .measured: 1.0 / 3
            case .estimated(let error): error
            case .outside: nil
            }
        return .object(leavingOutNil: [
            "end": end.map { .string($0.label) },
            "x": point.map { .double($0.x) },
            "y": point.map { .double($0.y) },
            "speed": .string(metered.speed.label),
            "certainty": .string(certainty.label),
            "errorEV": error.map { .double(($0 * 100).rounded() / 100) },
            "next": metered.next.map { .string($0.label) },
        ])
    }

    fileprivate var cells: [String] {
        let place = point.map { MeterSentences.place($0) }
        let name = [end?.label, place].compactMap(\.self).joined(separator: " ")
        let next = metered.next.map { MeterSentences.next($0) }
        let state = [MeterSentences.certainty(certainty), next].compactMap(\.self).joined(separator: "; ")
        return [name, metered.speed.label, state]
    }
}

extension MeteredSpeed.Certainty {
    /// The name in `--json` output.
    fileprivate var label: String {
        switch self {
        case .measured: "measured"
        case .estimated: "estimated"
        case .outside: "outside"
        }
    }
}
