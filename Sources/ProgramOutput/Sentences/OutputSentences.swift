/// Errors that every program can have.
package enum OutputSentences {
    static func tooFewOpenFiles(_ program: String, available: Int, needed: Int) -> String {
        "\(program): Only \(available) more files can be opened, but \(needed) are needed. "
            + "Raise the limit: 'ulimit -n 1024', or LimitNOFILE= in a unit."
    }

    package static func noHelp(for topic: String) -> String {
        "There is no command '\(topic)', so there is no help for it."
    }
}

extension OutputFailure {
    package var sentence: String { "\(target) cannot be written: \(reason)." }
}
