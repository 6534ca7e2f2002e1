import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The reason why the simulator could not start on the network. The sentence names the next action of the user.
struct StartFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ step: StartStep, _ error: any Error) {
        if let failure = error as? StartFailure {
            self = failure
            return
        }
        if error is SocketAddressError.UnknownHost {
            description = StartSentences.unknownHost(step)
            return
        }
        description =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE?: StartSentences.addressInUse(step)
            case EADDRNOTAVAIL?: StartSentences.otherMachine(step)
            case EACCES?: StartSentences.notAllowed(step)
            case let code?: StartSentences.failed(step, SystemError(code: code))
            case nil: StartSentences.failed(step, error)
            }
    }
}
