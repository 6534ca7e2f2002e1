/// The texts of replies about pictures that the driver transfers.
enum TransferSentences {
    static let noSpace =
        "This computer cannot store pictures now, and some pictures exist only in the camera. "
        + "See `bracketctl status`."
}
