/// Parts of sentences that say why a picture is not decoded.
enum LightSentences {
    static func refused(_ reason: LightReport.Refusal) -> String {
        switch reason {
        case .notJPEG: "not a JPEG"
        case .progressive: "progressive JPEG"
        case .arithmetic: "JPEG with arithmetic coding"
        case .unusual: "unusual JPEG: only 8 bits, one scan, and grey or colour are read"
        case .tooManyPixels: "more than 100 megapixels"
        case .tooManyBytes: "more than 64 MiB"
        case .damaged: "damaged or cut off"
        case .noMemory: "out of memory"
        }
    }
}
