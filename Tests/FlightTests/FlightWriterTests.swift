import Flight
import Testing

@Suite struct FlightWriterTests {
}
