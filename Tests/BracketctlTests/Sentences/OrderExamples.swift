@testable import bracketctl

extension Examples {
    static let orders: [String] = [
        OrderSentences.pauses(redo: false),
        OrderSentences.pauses(redo: true),
        OrderSentences.cancels,
        OrderSentences.dropsMissingFrames,
        OrderSentences.firesLastFrameAgain,
        OrderSentences.disconnects,
        OrderSentences.connected("Sony ILCE-7M4", at: "192.168.122.1:15740", mode: "M", batteryPercent: 80),
        OrderSentences.connected("Sony ILCE-7M4", at: "192.168.122.1:15740", mode: "M", batteryPercent: nil),
        OrderSentences.notConnected("No camera answers at 192.168.122.1:15740."),
        OrderSentences.portAdvice("192.168.122.1"),
        OrderSentences.waitingForCamera,
        OrderSentences.unknownCamera("No camera is called sony-9.", known: ["sony-0123", "Sony ILCE-7M4"]),
        FilesSentences.noFiles,
        FilesSentences.fetched(1),
        FilesSentences.fetched(9),
        OrderSentences.buttonFiresThis,
        OrderSentences.buttonFiresConfigured,
        OrderSentences.noButton(usual: true, doctor: "bracketctl doctor"),
        OrderSentences.noButton(usual: false, doctor: "bracketctl doctor"),
    ]
}
