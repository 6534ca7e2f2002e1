import Exposure
import Testing

@Suite struct ByteTextTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (999_949, "999.9 kB"),
        (999_950, "1.0 MB"), (1_048_576, "1.0 MB"), (25_000_000, "25.0 MB"), (999_950_000, "1.0 GB"),
        (1 << 40, "1.1 TB"), (9_000_000_000_000_000, "9.0 PB"), (UInt64.max, "18.4 EB"),
    ])
    func `amounts of data use decimal units, rounded to a tenth`(byteCount: UInt64, text: String) {
        #expect(ByteText.text(byteCount) == text)
    }
}
