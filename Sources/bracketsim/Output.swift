import Foundation

/// Standard output, where every line is seen at once: a run of hours may be ended at any time.
enum Output {
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
