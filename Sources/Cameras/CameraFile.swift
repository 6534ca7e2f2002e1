/// A picture on the card of a body.
package struct CameraFile: Hashable, Sendable {
    /// The body's own name of the picture, for a later request: `image:content?contentId=…`.
    package var uri: String
    /// The name of the file: `DSC00042.JPG`; can be empty.
    package var name: String
    /// The kinds of the picture's files, for example JPEG and RAW.
    package var kinds: [PictureInfo.Kind]
    /// The time of the picture in the body's form: `2014-08-18T12:34:56+09:00`; can be empty.
    package var time: String

    package init(uri: String, name: String, kinds: [PictureInfo.Kind], time: String) {
        self.uri = uri
        self.name = name
        self.kinds = kinds
        self.time = time
    }
}

/// A request for files on the card of a body.
package enum CameraFileRequest: Codable, Hashable, Sendable {
    /// List the newest pictures, the newest first.
    ///
    /// - Parameters:
    ///   - since: only pictures of this time or later, in the form `2014-08-18T12:34:56`; nil: of any time.
    ///   - limit: the greatest number of pictures.
    case list(since: String?, limit: Int)
    /// Transfer these pictures.
    case get([String])
    /// List the pictures that the user selected on the body for this computer.
    case listSelected
    /// Transfer the pictures that the user selected on the body. The body then ends its transfer.
    case getSelected

    /// Whether pictures are transferred, and not only listed.
    package var isTransfer: Bool {
        switch self {
        case .get, .getSelected: true
        case .list, .listSelected: false
        }
    }

    /// The greatest number of pictures in a request or an answer.
    package static let countMax = 1000
}

/// The answer to a request for files.
package enum CameraFileAnswer: Hashable, Sendable {
    /// The pictures on the card, the newest first.
    case listed([CameraFile])
    /// This number of pictures was transferred. The pictures arrived as others do.
    case sent(Int)

    /// The result of the transfer of several pictures.
    static func event(of count: Int, failed: Int) -> CameraEvent {
        guard failed > 0 else { return .files(.sent(count)) }
        return .failed(.other(SonyHTTPContentsSentences.notSent(failed, of: count)))
    }
}
