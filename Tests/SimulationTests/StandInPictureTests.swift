import NIOCore
import Simulation
import Testing

struct StandInPictureTests {
    @Test func `the picture of a frame is the same every time, and no two neighbours are alike`() {
        func picture(_ frame: Int) -> ByteBuffer {
            StandInPicture.jpeg(frame: frame, model: "ILCE-7M4", exposure: (1, 60))
        }
        for frame in 1...300 {
            #expect(picture(frame) == picture(frame))
            #expect(picture(frame) != picture(frame + 1))
        }
    }

    @Test func `the segments follow each other from start to end`() throws {
        var buffer = StandInPicture.jpeg(frame: 3, model: "DSC-RX100M7", exposure: (30, 1))
        let all = buffer
        #expect(buffer.readInteger() == UInt16(0xFFD8))
        var markers: [UInt16] = []
        while let marker: UInt16 = buffer.readInteger(), marker != 0xFFDA {
            markers.append(marker)
            let length = buffer.readInteger(as: UInt16.self).map(Int.init) ?? 0
            let body = buffer.readSlice(length: max(0, length - 2))
            #expect(body != nil && length >= 2)
        }
        #expect(markers == [0xFFE1, 0xFFFE, 0xFFDB, 0xFFC0, 0xFFC4, 0xFFC4])
        #expect(all.getInteger(at: all.writerIndex - 2) == UInt16(0xFFD9))
        // Model and ExposureTime, 30/1, where the Exif block says they are.
        let tiff = 2 + 2 + 2 + 6
        let directory: UInt32 = try #require(all.getInteger(at: tiff + 8 + 2 + 12 + 8, endianness: .little))
        let place: UInt32 = try #require(all.getInteger(at: tiff + Int(directory) + 2 + 8, endianness: .little))
        #expect(all.getInteger(at: tiff + Int(place), endianness: .little) == UInt32(30))
        #expect(all.getInteger(at: tiff + Int(place) + 4, endianness: .little) == UInt32(1))
        #expect(all.getString(at: tiff + 8 + 2 + 24 + 4, length: 11) == "DSC-RX100M7")
    }
}
