import Controller
import NIOCore

/// Turns what passes the queue into the bytes of a recording. Bytes only: where they go is its owner's business.
package struct FlightWriter: Sendable {
    private var header: FlightHeader
    private var bytes = ByteBuffer()

    /// The header's bytes are the first.
    package init(_ header: FlightHeader) {
        self.header = header
    }

    /// Notes an input as the core took it, and what it led to. The core's own hops are noted by their place only.
    package mutating func note(_ input: Input, at now: Duration, _ effects: [Effect]) {
    }

    /// How many bytes wait to be taken.
    package var byteCount: Int { bytes.readableBytes }

    /// The bytes since the last call: whole records.
    package mutating func takeBytes() -> ByteBuffer {
        defer { bytes = ByteBuffer() }
        return bytes
    }

    /// What is noted from now on goes into the next file of the run: it begins with the header, and refers to nothing
    /// before it.
    package mutating func beginPart() {
        header.part += 1
    }
}
