/// The usual and the maximum width of text.
///
/// A drawing names several fonts, and a viewer uses the first one that is installed. So the layout reserves for each
/// character the larger of its widths in DejaVu Sans and Liberation Sans. Usually text is shorter than its space.
enum FontMetrics {
    /// The reserved widths of the characters from space to tilde, in thousandths of the font size.
    private static let largest: [Int] = [
        318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337,
        637, 637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557,
        1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667, 558, 863, 749, 788,
        667, 788, 722, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557,
        500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612,
        635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
    ]

    private static let largestBold: [Int] = [
        349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366,
        696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611,
        1000, 774, 763, 734, 831, 684, 684, 821, 837, 373, 557, 775, 638, 996, 837, 851,
        733, 851, 771, 721, 683, 813, 774, 1104, 771, 725, 726, 458, 366, 458, 838, 557,
        500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666, 343, 1042, 712, 688,
        716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
    ]

    /// The widths in Liberation Sans. Arial and Helvetica have the same widths.
    private static let usual: [Int] = [
        278, 278, 355, 557, 557, 890, 667, 191, 334, 334, 390, 584, 278, 334, 278, 278,
        557, 557, 557, 557, 557, 557, 557, 557, 557, 557, 278, 278, 584, 584, 584, 557,
        1016, 667, 667, 723, 723, 667, 611, 778, 723, 278, 500, 667, 557, 834, 723, 778,
        667, 778, 723, 667, 611, 723, 667, 944, 667, 667, 611, 278, 278, 278, 470, 557,
        334, 557, 557, 500, 557, 557, 278, 557, 557, 223, 223, 500, 223, 834, 557, 557,
        557, 557, 334, 500, 278, 557, 500, 723, 500, 500, 500, 334, 260, 334, 584,
    ]

    private static let usualBold: [Int] = [
        278, 334, 475, 557, 557, 890, 723, 238, 334, 334, 390, 584, 278, 334, 278, 278,
        557, 557, 557, 557, 557, 557, 557, 557, 557, 557, 334, 334, 584, 584, 584, 611,
        976, 723, 723, 723, 723, 667, 611, 778, 723, 278, 557, 723, 611, 834, 723, 778,
        667, 778, 723, 667, 611, 723, 667, 944, 667, 667, 611, 334, 278, 334, 584, 557,
        334, 557, 611, 557, 611, 557, 334, 611, 611, 278, 278, 557, 278, 890, 611, 611,
        611, 611, 390, 557, 334, 611, 557, 778, 557, 557, 500, 390, 280, 390, 584,
    ]

    /// Letters with accents and letters of other alphabets, which have similar widths.
    private static let alphabets: ClosedRange<UInt32> = 0xA0...0x5FF

    /// The maximum width of a line of text, in pixels.
    static func width(_ text: String, size: Int, bold: Bool = false) -> Int {
        sum(text, bold ? largestBold : largest, other: 850, wide: 1_050) * size / 1_000 + 1
    }

    /// The width in common fonts, in pixels.
    static func usualWidth(_ text: String, size: Int, bold: Bool = false) -> Int {
        sum(text, bold ? usualBold : usual, other: 600, wide: 1_000) * size / 1_000 + 1
    }

    private static func sum(_ text: String, _ widths: [Int], other: Int, wide: Int) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x20...0x7E: sum + widths[Int(scalar.value) - 0x20]
            case alphabets: sum + other
            default: sum + wide
            }
        }
    }
}
