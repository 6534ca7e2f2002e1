import Glibc

@testable import Host

extension Examples {
    static let board: [String] = gpioErrors.flatMap { [$0.sentence, $0.advice] } + boardLines

    private static var boardLines: [String] {
        [
            BoardSentences.uses("button", gpioLine),
            BoardSentences.searches("lamp"),
            BoardSentences.lost("buzzer", gpioLine, SystemError(code: ENODEV)),
            BoardSentences.unusable("button", BoardSentences.chipMissing("/dev/gpiochip4")),
            BoardSentences.chipsUnwatched(SystemError(code: EMFILE)),
            BoardSentences.chipsUnwatched(nil),
        ]
    }

    private static var gpioErrors: [GPIOError] {
        [
            BoardSentences.chipMissing("/dev/gpiochip4"),
            BoardSentences.chipMissing("pinctrl-rp1", present: []),
            BoardSentences.chipMissing(
                "pinctrl-rp1",
                present: [gpioChip, BoardSentences.chip("gpiochip1", label: "")]
            ),
            BoardSentences.chipForbidden("/dev/gpiochip0"),
            BoardSentences.notAChip("/dev/null"),
            BoardSentences.chipUnusable("/dev/gpiochip0", SystemError(code: EIO)),
            BoardSentences.lineMissing(99, chips: [(text: gpioChip, lineCount: 54)]),
            BoardSentences.lineMissing(named: "GPIO99", chips: []),
            BoardSentences.lineMissing(named: "GPIO99", chips: [gpioChip]),
            BoardSentences.severalLines([gpioLine, BoardSentences.line("line 3", of: "gpiochip1 (pca9535)")]),
            BoardSentences.lineUnusable(gpioLine, SystemError(code: EINVAL)),
            BoardSentences.lineInUseByBracketd(gpioLine),
            BoardSentences.lineInUse(BoardSentences.line(4, name: ""), by: "spi0 CS0"),
            BoardSentences.lineInUse(gpioLine, by: ""),
        ]
    }

    private static var gpioChip: String { BoardSentences.chip("gpiochip0", label: "pinctrl-bcm2711") }

    private static var gpioLine: String { BoardSentences.line(BoardSentences.line(17, name: "GPIO17"), of: gpioChip) }
}
