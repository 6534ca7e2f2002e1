import Cameras
import NIOCore
import PTP

extension PTPIPBody {
    /// An operation as one line of the log: name, transaction, parameters, size of the data.
    static func describe(_ request: ResponderRequest) -> String {
        var line = "\(Maker.name(of: request.code)) #\(request.transaction)"
        if !request.parameters.isEmpty {
            line +=
                " " + request.parameters.map { "0x" + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
        }
        if request.data.readableBytes > 0 {
            line += " data " + request.data.readableBytesView.prefix(16).map(\.twoDigits).joined()
        }
        return line
    }
}

extension UInt8 {
    /// The byte in hexadecimal.
    var twoDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
