// What metering reports to the photographer.

extension MeteringWarning {
    /// What happened, what it means for the set, and what to do.
    package var sentence: String {
        switch self {
        case .automaticISO: "Set a fixed ISO: ISO AUTO evens out every test frame."
        case .noResponse(let thirds):
            "\(EV.text(thirds: abs(thirds))) EV \(thirds < 0 ? "less" : "more") time, same brightness: "
                + "the camera compensated. Check ISO AUTO, aperture, flash."
        case .liveViewIsNotExposure: "Live view does not show the exposure; using test shots."
        case .highlightsAtLimit(let speed, let share):
            "\(Percent.text(share)) of the picture is still white at \(speed). Close the aperture or add an ND filter."
        case .shadowsAtLimit(let speed, let share):
            "\(Percent.text(share)) of the picture is still too dark at \(speed). Open the aperture or raise the ISO."
        case .lightChanged(let ev, let from, let to):
            "The light \(ev < 0 ? "fell" : "rose") by \(Tenths.text(abs(ev))) EV between frames \(from + 1) and "
                + "\(to + 1). Later frames are \(ev < 0 ? "darker" : "brighter") than planned."
        case .flicker(let ev): "The lamps flicker: two frames at one speed differ by \(Tenths.text(abs(ev))) EV."
        case .adaptiveTone(let name): "\(name) is on: readings are approximate. Turn it off for metering."
        case .previewUnreadable(let reason): "The preview could not be read (\(reason)); set not checked."
        case .noPreview: "RAW only: no picture to check. Set RAW+JPEG or meter by hand."
        case .frameLimit(let count): "Stopped after \(count) frame\(count == 1 ? "" : "s"). The range is not covered."
        }
    }
}

extension Coverage {
    /// What is covered, and the frame to add.
    package var sentence: String {
        let unread = framesUnread == 0 ? "" : " \(framesUnread) of \(framesRead + framesUnread) frames not checked."
        guard let worst else { return "Every part of the scene is well exposed in a frame." + unread }
        let covered = max(0, 1 - clippedShare - darkShare - gapShare)
        let lack =
            switch worst.lack {
            case .clipped: "White in every frame"
            case .dark: "Dark in every frame"
            case .gap: "White or dark in every frame"
            }
        let box = worst.box
        let place =
            "at \(Int(box.left.rounded(.down)))-\(Int(box.right.rounded(.up))) % x, "
            + "\(Int(box.top.rounded(.down)))-\(Int(box.bottom.rounded(.up))) % y"
        let advice = worst.frame.map { " Add \($0)." } ?? " The camera has no speed for it."
        // Never "100 %" when a part is missing.
        let shown = covered < 1 ? min(covered, 0.999) : covered
        return "Covered \(Percent.text(shown)). \(lack): \(Percent.text(worst.share)), \(place).\(advice)\(unread)"
    }
}

extension PicturePointError {
    /// The text, its error, and what to write instead.
    package var sentence: String {
        switch reason {
        case .notAPoint: "\(Quoted.text(text)) is not a point. Write it in percent, as 30,75."
        case .outside: "Point \(Quoted.text(text)) is outside 0 to 100."
        }
    }
}

/// A share as percent: `1.2 %`, `0.02 %`.
enum Percent {
    static func text(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        if hundredths >= 100 { return "\(Tenths.text(share * 100)) %" }
        let digits = String(hundredths)
        return "0.\(String(repeating: "0", count: 2 - digits.count))\(digits) %"
    }
}

/// A number with at most one decimal: `0.8`, `3`.
enum Tenths {
    static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return "\(tenths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(rest)")"
    }
}
