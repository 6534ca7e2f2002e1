import CJPEG
import Glibc

/// The light of a picture, as lines of text.
struct LightReport {
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - spots: points in percent of the picture as it is viewed.
    ///   - orientation: how the stored picture is turned (EXIF 2.32, "Orientation").
    ///   - head: the beginning of the file. The descriptor has the rest.
    init(head: [UInt8], file: CInt, spots: [(x: Double, y: Double)], orientation: Orientation) {
        let light = UnsafeMutablePointer<cjpeg_light>.allocate(capacity: 1)
        defer { light.deallocate() }
        var boxes = spots.map { spot in
            let place = orientation.stored(spot.x / 100, spot.y / 100)
            var box = cjpeg_spot()
            (box.x, box.y) = place
            return box
        }
        let result = head.withUnsafeBufferPointer { head in
            let source = cjpeg_source(head: head.baseAddress, head_count: head.count, file: file)
            return cjpeg_read(source, light, &boxes, boxes.count, orientation.isSideways ? 1 : 0)
        }
        guard result == cjpeg_read_light else {
            lines.append("no-light \(Self.name(result))")
            return
        }
        let (width, height) = (light.pointee.width, light.pointee.height)
        lines.append("picture \(orientation.isSideways ? "\(height) \(width)" : "\(width) \(height)")")
        lines.append("scale \(light.pointee.scale)")
        lines.append("brightest \(Self.numbers(of: light.pointee.brightest))")
        lines.append("luma \(Self.numbers(of: light.pointee.luma))")
        for box in boxes { lines.append("spot \(Self.median(of: box.brightest)) \(Self.median(of: box.luma))") }
        lines.append(Self.map(light, orientation))
    }

    /// The reason in the report.
    private static func name(_ result: cjpeg_result) -> String {
        switch result {
        case cjpeg_not_jpeg: "not-jpeg"
        case cjpeg_progressive: "progressive"
        case cjpeg_arithmetic: "arithmetic"
        case cjpeg_unusual: "unusual"
        case cjpeg_too_many_pixels: "too-many-pixels"
        case cjpeg_too_many_bytes: "too-many-bytes"
        case cjpeg_no_memory: "no-memory"
        default: "damaged"
        }
    }

    private static func counts<Table>(of table: Table) -> [UInt32] {
        withUnsafeBytes(of: table) { Array($0.bindMemory(to: UInt32.self)) }
    }

    private static func numbers<Table>(of table: Table) -> String {
        counts(of: table).map { String($0) }.joined(separator: " ")
    }

    /// The lower median of a histogram.
    private static func median<Table>(of table: Table) -> Int {
        let counts = counts(of: table)
        let total = counts.reduce(0) { $0 + Int($1) }
        var sum = 0
        return counts.firstIndex { count in
            sum += Int(count)
            return sum * 2 >= total
        } ?? 255
    }

    /// The blocks as hexadecimal digits, as the picture is viewed.
    private static func map(_ light: UnsafePointer<cjpeg_light>, _ orientation: Orientation) -> String {
        let (columns, rows) = (Int(light.pointee.columns), Int(light.pointee.rows))
        let (across, down) = orientation.isSideways ? (rows, columns) : (columns, rows)
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * columns * rows)
        guard let blocks = cjpeg_blocks(light) else { return "" }
        for row in 0..<down {
            for column in 0..<across {
                let (x, y) = orientation.stored(column, row, across, down)
                let block = blocks[y * columns + x]
                text.append(digits[Int(block >> 4)])
                text.append(digits[Int(block & 15)])
            }
        }
        return "map \(across) \(down) \(String(decoding: text, as: UTF8.self))"
    }
}

/// How a stored picture is turned to be viewed (EXIF 2.32, "Orientation").
struct Orientation {
    /// Whether the stored rows are the viewed columns.
    let isSideways: Bool
    private let isMirroredAcross: Bool
    private let isMirroredDown: Bool

    /// An unknown number counts as 1: as stored.
    init(_ number: UInt32?) {
        let number = number.flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
        isSideways = number >= 5
        // The stored row or column where the viewed one begins at the end.
        isMirroredAcross = [2, 3, 7, 8].contains(number)
        isMirroredDown = [3, 4, 6, 7].contains(number)
    }

    /// The stored place of a viewed place; both from 0 to 1.
    func stored(_ x: Double, _ y: Double) -> (Double, Double) {
        let (across, down) = isSideways ? (y, x) : (x, y)
        return (isMirroredAcross ? 1 - across : across, isMirroredDown ? 1 - down : down)
    }

    /// The stored position of a viewed block among `columns` × `rows` viewed ones.
    func stored(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> (Int, Int) {
        let (across, down) = isSideways ? (row, column) : (column, row)
        let (width, height) = isSideways ? (rows, columns) : (columns, rows)
        return (isMirroredAcross ? width - 1 - across : across, isMirroredDown ? height - 1 - down : down)
    }
}
