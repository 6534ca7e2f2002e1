import Cameras
import Glibc
import Varlink

@testable import Host

extension Examples {
    static let daemon: [String] = [
        DaemonSentences.listening(
            version: "1.0.0",
            path: daemonSocket,
            camera: CameraAddress(host: "192.168.122.1"),
            isSearching: false
        ),
        DaemonSentences.listening(version: "1.0.0", path: daemonSocket, camera: nil, isSearching: true),
        DaemonSentences.listening(version: "1.0.0", path: daemonSocket, camera: nil, isSearching: false),
        DaemonSentences.notListening(daemonSocket, SystemError(code: EINVAL)),
        DaemonSentences.noSignals(SystemError(code: EMFILE)),
        DaemonSentences.endedBeforeReady(.inOrder),
        DaemonSentences.stopping(.signal),
        DaemonSentences.stopping(.request),
        DaemonSentences.stopTooLong(.milliseconds(3700)),
        DaemonSentences.ledgerUnfinished(within: .seconds(3)),
        DaemonSentences.entriesLost(1),
        DaemonSentences.entriesLost(37),
        DaemonSentences.ledgerTooSlow(waiting: 32),
        DaemonSentences.tooManyClients(.clients(64)),
        DaemonSentences.tooManyClients(.clientsOfUser(48)),
        DaemonSentences.tooManyClients(.watchers(48)),
        DaemonSentences.tooManyClients(.watchersOfUser(36)),
        DaemonSentences.tooManyClients(.idle),
        DaemonSentences.guidDamaged("\(daemonStorage)/initiator-guid", keptAs: "initiator-guid.damaged"),
        DaemonSentences.planDamaged("\(daemonStorage)/armed-plan.json"),
        DaemonSentences.planNotKept(
            StorageError(path: "\(daemonStorage)/armed-plan.json", action: .write, reason: "No space left on device")
        ),
        StorageError(directory: daemonStorage, action: .createDirectory, error: SystemError(code: EACCES)).description,
        StorageError(directory: daemonStorage, action: .writeToDirectory, error: SystemError(code: EROFS)).description,
        StorageError(inUse: daemonStorage, as: .storage, process: 812).description,
        StorageError(inUse: "/mnt/pictures", as: .pictures, process: nil).description,
        StorageError(path: "/mnt/old", action: .use, reason: "No such file or directory").description,
        StorageError(path: "\(daemonStorage)/initiator-guid", action: .read, reason: "Input/output error").description,
        StorageError(path: "\(daemonStorage)/initiator-guid", action: .rename, reason: "Read-only file system")
            .description,
        DaemonSentences.lockNotOpened("\(daemonStorage)/bracketd.lock", SystemError(code: ELOOP)),
        DaemonSentences.notLocked("\(daemonStorage)/bracketd.lock", SystemError(code: ENOLCK)),
        DaemonSentences.lockIsForeign("\(daemonStorage)/bracketd.lock"),
        SocketError.pathTooLong(path: daemonSocket, lengthMax: 107).description,
        SocketError.alreadyServed(path: daemonSocket).description,
        SocketError.notASocket(path: daemonSocket).description,
        SocketError.failed(path: "/run/bracketd", action: .createDirectory, reason: "Permission denied").description,
        SocketError.failed(path: "/run/bracketd", action: .openDirectory, reason: "Permission denied").description,
        SocketError.failed(path: "/run/bracketd", action: .lockDirectory, reason: DaemonSentences.lockedByOther)
            .description,
        SocketError.failed(path: daemonSocket, action: .connect, reason: "Permission denied").description,
        SocketError.failed(path: daemonSocket, action: .serve, reason: "Permission denied").description,
    ]

    private static var daemonSocket: String { "/run/bracketd/io.bracketd" }

    private static var daemonStorage: String { "/var/lib/bracketd" }
}
