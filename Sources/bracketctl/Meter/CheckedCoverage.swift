import Interface

extension Daemon {
    /// How long the daemon reads a picture on a slow board.
    private static let readingTimeMax = Duration.seconds(3)
    private static let waitMax = Duration.seconds(30)
    private static let pause = Duration.milliseconds(200)

    /// Asks what the pictures of the last shoot cover. The daemon reads them after the shoot, so the call waits while
    /// that can still go on.
    ///
    /// - Returns: nil: the pictures are not checked.
    func coverage(in environment: Environment) async throws -> Bracketd.Coverage? {
        let start = environment.now()
        while true {
            let photos = try await call(Bracketd.GetPhotos()).photos
            let limit = min(Self.readingTimeMax * photos.list.count, Self.waitMax)
            guard photos.coverage == nil, environment.now() - start < limit else { return photos.coverage }
            try await Task.sleep(for: Self.pause)
        }
    }
}
