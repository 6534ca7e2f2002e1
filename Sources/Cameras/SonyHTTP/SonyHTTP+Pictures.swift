import JSON
import NIOCore

/// The transfer of the pictures that are kept. The body deletes the picture of a URL when the next frame begins, so
/// each picture is fetched before that.
extension SonyHTTP {
    /// Notes the URL of a picture that the policy keeps.
    mutating func addPicture(_ text: String, capture: Ticket?, in turn: inout DriverTurn) {
        guard pictures.request.policy != .none else { return }
        pictures.add(text, at: address, of: identity?.id, capture: capture, in: &turn)
    }

    /// Starts the next transfer if one is due.
    ///
    /// - Returns: the time of the next transfer; nil: after an input.
    mutating func startTransfer(in turn: inout DriverTurn) -> Duration? {
        guard pictures.isDue(in: &turn) else { return pictures.nextAt(turn.now) }
        pictures.start(requests.next(), at: address, timing, in: &turn)
        return nil
    }

    /// The full-size picture is fetched if the body offers it. This is the driver's own change, so it is undone at the
    /// end of the session.
    mutating func enlargePostview(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        guard pictures.request.policy != .none, case .due(let tries, let notBefore) = postview, turn.now >= notBefore,
            state.isReadyToShoot, !lastFrame.isOpen, let size = state[.postviewSize],
            let before = size.current.stringValue, let id = identity?.id
        else { return nil }
        if before == Self.fullSize { postview = .settled }
        guard before != Self.fullSize, state.has(.setPostviewImageSize),
            size.candidates?.contains(.string(Self.fullSize)) == true
        else { return nil }
        guard tries < SonyHTTPLimits.postviewTriesMax else {
            postview = .settled
            turn.note(SonyHTTPSentences.postviewUnchanged)
            return nil
        }
        // Only the body's report of the size confirms it.
        postview = .due(tries: tries + 1, notBefore: turn.now + timing.writeAgain)
        if known[id].postviewBefore == nil { known.update(id) { $0.postviewBefore = before } }
        return .perform(.write(.postviewSize, .string(Self.fullSize), [.string(Self.fullSize)]))
    }

    private static let fullSize = "Original"
}

/// The requests of pictures. Only URLs at the camera's address are fetched, and redirects are not followed.
extension SonyHTTPPictures {
    /// Notes the URL of a picture.
    ///
    /// - Parameters:
    ///   - id: the id of the body.
    ///   - file: the file that a client requested, so that it is transferred whatever the policy; nil: a new picture.
    mutating func add(
        _ text: String,
        at address: CameraAddress,
        of id: String?,
        capture: Ticket?,
        _ file: SonyHTTPContent.File? = nil,
        in turn: inout DriverTurn
    ) {
        guard let url = Self.url(text, at: address) else {
            turn.note(SonyHTTPSentences.foreignURL(text))
            return skipForeign(text, file, capture: capture, in: &turn)
        }
        add(SonyHTTPPicture(url: url, bodyID: id, capture: capture, file: file), in: &turn)
    }

    /// Adds the files of a picture that a client requested.
    mutating func add(_ content: SonyHTTPContent, at address: CameraAddress, of id: String?, in turn: inout DriverTurn)
    {
        for file in content.files { add(file.url, at: address, of: id, capture: nil, file, in: &turn) }
    }

    /// The URL if it is at the camera's address; nil: it is invalid or at another address. A camera that is reached by
    /// its name has no known address, so its URLs are not fetched.
    static func url(_ text: String, at address: CameraAddress) -> DescriptionURL? {
        guard let url = try? DescriptionURL.parse(text), url.host == IPAddress(address.host) else { return nil }
        return url
    }

    /// Skips the pictures if there is no space for them. They are also on the card.
    mutating func skipWithoutRoom(in turn: inout DriverTurn) {
        guard transfer == nil else { return }
        while !waiting.isEmpty, !request.hasRoom { skip(.noRoom, in: &turn) }
    }

    /// Whether a transfer can begin now.
    mutating func isDue(in turn: inout DriverTurn) -> Bool {
        guard transfer == nil else { return false }
        if request.policy == .none { removeUnwanted() }
        skipWithoutRoom(in: &turn)
        return !waiting.isEmpty && turn.now >= notBefore
    }

    /// The time of the next transfer; nil: none waits for a time.
    func nextAt(_ now: Duration) -> Duration? {
        transfer == nil && !waiting.isEmpty && now < notBefore ? notBefore : nil
    }

    /// Starts the transfer of the first picture.
    mutating func start(
        _ id: HTTPRequestID,
        at address: CameraAddress,
        _ timing: SonyHTTPTiming,
        in turn: inout DriverTurn
    ) {
        guard let picture = waiting.first else { return }
        begin(id)
        let request = HTTPRequest(
            .get,
            // The host is the camera's address as it was given, and only the port is another one.
            CameraAddress(host: address.host, port: picture.url.port),
            path: picture.url.path,
            delivery: .pieces,
            isPicture: true,
            replyBytesMax: SonyHTTPLimits.pictureBytesMax,
            timeout: timing.transfer
        )
        turn.append(.http(id, .perform(request)))
    }

    mutating func receive(_ event: HTTPEvent, _ timing: SonyHTTPTiming, in turn: inout DriverTurn) {
        guard let picture = waiting.first, let transfer else { return }
        switch event {
        case .head(let head) where head.status == 200:
            let count = head["Content-Length"].flatMap { UInt64($0) }
            turn.append(.picture(announce(), .begin(picture.info(byteCount: count), offset: 0)))
        case .head(let head) where head.status >= 500:
            turn.append(.http(transfer.request, .cancel))
            retry(picture, SonyHTTPSentences.status(head.status), timing, in: &turn)
        // 403 and 404: the body no longer has the picture.
        case .head(let head):
            turn.append(.http(transfer.request, .cancel))
            end()
            giveUp(picture, .notOffered(status: head.status), SonyHTTPSentences.status(head.status), in: &turn)
        case .body(let bytes):
            if let number = transfer.number { turn.append(.picture(number, .bytes(bytes))) }
        case .end:
            if let number = transfer.number { turn.append(.picture(number, .end)) }
            end()
            removeFirst()
        case .failed(let failure):
            if let number = transfer.number { turn.append(.picture(number, .abandoned)) }
            retry(picture, "\(failure)", timing, in: &turn)
        case .reply: break
        }
    }

    /// Cancels the running transfer. The picture begins again in the next session.
    mutating func cancel(in turn: inout DriverTurn) {
        guard let transfer else { return }
        turn.append(.http(transfer.request, .cancel))
        if let number = transfer.number { turn.append(.picture(number, .abandoned)) }
        end()
    }

    /// Ends an attempt that failed. The picture is transferred again later, but not without end.
    private mutating func retry(
        _ picture: SonyHTTPPicture,
        _ reason: String,
        _ timing: SonyHTTPTiming,
        in turn: inout DriverTurn
    ) {
        end()
        noteFailure()
        notBefore = turn.now + timing.transferAgain
        let attempts = picture.failures + 1
        guard attempts >= SonyHTTPLimits.failedTransfersMax else { return }
        giveUp(picture, .failed(attempts: attempts), reason, in: &turn)
    }

    private mutating func giveUp(
        _ picture: SonyHTTPPicture,
        _ skipped: PictureSkip,
        _ reason: String,
        in turn: inout DriverTurn
    ) {
        turn.note(SonyHTTPSentences.transferGivenUp(picture.info.name, reason))
        skip(skipped, in: &turn)
    }
}
